//! `cargo run -- serve`, as a client starts it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

fn serve(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tour"));
    command.arg("serve").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn the_file_tools_are_served_on_standard_input_and_output() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("note.txt"), "hello\n").unwrap();
    let mut server = serve(&[directory.path().to_str().unwrap()]).spawn().unwrap();
    let script = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#,
        r#""clientInfo":{"name":"test","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"path":"note.txt"}}}"#,
        "\n",
    );
    server.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<_> = answers.lines().collect();
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers[0].contains(r#""name":"file-tools""#), "{}", answers[0]);
    assert!(answers[1].contains("structuredContent") && answers[1].contains("hello"), "{}", answers[1]);
}

#[test]
fn over_http_it_says_where_and_wants_the_token_that_is_set() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = serve(&["--http", "127.0.0.1:0", directory.path().to_str().unwrap()])
        .env("MCP_TOKEN", "secret")
        .spawn()
        .unwrap();
    let mut told = String::new();
    BufReader::new(server.stderr.as_mut().unwrap()).read_line(&mut told).unwrap();
    let address = told.trim_end().rsplit_once("http://").unwrap().1.strip_suffix("/mcp").unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let ask = |token: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\n{token}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask("").starts_with("HTTP/1.1 401"));
    assert!(ask("Authorization: Bearer secret\r\n").starts_with("HTTP/1.1 200"));
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn a_directory_that_is_none_is_told() {
    let output = serve(&["/nowhere/at/all"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("name a directory: cargo run -- serve DIR"));
}
