//! The real process: what it writes where, and how it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

fn server() -> Child {
    Command::new(env!("CARGO_BIN_EXE_mcp_fixture"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts")
}

const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"#,
    r#""clientInfo":{"name":"test","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
);

fn call(id: i64, name: &str) -> String {
    format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}}))
}

#[test]
fn standard_output_has_messages_alone_whatever_tools_and_their_children_print() {
    let mut server = server();
    let mut input = server.stdin.take().unwrap();
    // All at once, as a script pipes it, and then the end.
    let script = [HELLO, &call(1, "prints"), &call(2, "test_simple_text"), &call(3, "prints")].concat();
    input.write_all(script.as_bytes()).unwrap();
    drop(input);
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    let messages: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut ids: Vec<_> = messages.iter().map(|message| message["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [0, 1, 2, 3], "every call was answered");
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(printed.matches("printed by a tool").count(), 2, "{printed}");
    assert_eq!(printed.matches("printed by a child").count(), 2, "{printed}");
    assert!(!printed.contains("jsonrpc"), "a child read what was for the server: {printed}");
}

#[test]
fn a_server_whose_reader_is_gone_ends() {
    let mut server = server();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    input.write_all(HELLO.as_bytes()).unwrap();
    output.read_line(&mut String::new()).unwrap();
    drop(output);
    // The pipe breaks at one of these; the input stays open.
    for id in 1.. {
        if input.write_all(call(id, "test_simple_text").as_bytes()).is_err() || server.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert!(id < 4000, "the server goes on without a reader");
    }
    let mut told = String::new();
    server.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(!server.wait().unwrap().success());
    assert!(!told.contains("panicked"), "{told}");
}
