//! The same over HTTP, and who may ask.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tool_runtime::mcp::{HttpOptions, HttpServer, InvalidHttpOptions, ServeError, Tokens, http_service, serve_http};

use super::client::{ALL, Client, NEW, OLD, SOON, options};
use super::fixture;

async fn server(options: HttpOptions) -> HttpServer {
    serve_http(fixture::dispatcher(), "127.0.0.1:0".parse().unwrap(), options).await.unwrap()
}

fn plain() -> HttpOptions {
    HttpOptions::new(options())
}

/// What came back of one request.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        // A stream of events has one message a line, behind `data:`.
        let text = self.body.lines().rfind(|line| line.contains("\"jsonrpc\"")).unwrap_or(&self.body);
        let text = text.strip_prefix("data:").unwrap_or(text);
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {} {}", self.head, self.body))
    }
}

fn head(revision: &str, message: &Value) -> String {
    let mut head = format!(
        "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: {revision}\r\n"
    );
    if revision == NEW {
        head.extend(["Mcp-Method: ", message["method"].as_str().unwrap(), "\r\n"]);
        if let Some(name) = message["params"]["name"].as_str() {
            head.extend(["Mcp-Name: ", name, "\r\n"]);
        }
    }
    head
}

async fn post(address: SocketAddr, head: &str, body: &str) -> Answer {
    let request =
        format!("POST /mcp HTTP/1.1\r\n{head}Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    timeout(SOON, stream.read_to_string(&mut answer)).await.expect("it answers").unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body =
        if head.to_lowercase().contains("transfer-encoding: chunked") { unchunked(body) } else { body.to_owned() };
    Answer { status, head: head.to_owned(), body }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        if length == 0 {
            break;
        }
        whole += &rest[..length];
        body = &rest[length + 2..];
    }
    whole
}

fn message(revision: &str, method: &str, mut params: Value) -> Value {
    if revision == NEW {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = NEW.into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    }
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

async fn ask(address: SocketAddr, revision: &str, method: &str, params: Value) -> Answer {
    let message = message(revision, method, params);
    post(address, &head(revision, &message), &message.to_string()).await
}

#[tokio::test]
async fn every_revision_gets_the_same_results_as_over_streams() {
    let server = server(plain()).await;
    // Over HTTP, a revision is named in a header from 2025-06-18 on; what names none is 2025-03-26.
    for revision in ALL.into_iter().filter(|revision| *revision >= "2025-03-26") {
        let mut client = Client::of(fixture::dispatcher(), revision).await;
        let asked = [
            ("tools/list", json!({})),
            ("tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}})),
            ("tools/call", json!({"name": "names", "arguments": {"count": 2}})),
            ("tools/call", json!({"name": "picture", "arguments": {}})),
            ("tools/call", json!({"name": "nothing", "arguments": {"random_string": "x"}})),
            ("tools/call", json!({"name": "add", "arguments": {"a": "x"}})),
            ("tools/call", json!({"name": "add", "arguments": [1]})),
            ("tools/call", json!({"name": "lie", "arguments": {}})),
            ("tools/call", json!({"name": "none", "arguments": {}})),
        ];
        for (method, params) in asked {
            let over_http = ask(server.local_addr(), revision, method, params.clone()).await;
            let mut over_http = over_http.json();
            let mut over_streams = client.request(method, params.clone()).await;
            over_http["id"].take();
            over_streams["id"].take();
            assert_eq!(over_http.to_string(), over_streams.to_string(), "{method} {params} at {revision}");
        }
    }
    server.shutdown().await.unwrap();
}

#[tokio::test]
async fn what_was_sent_is_judged_here_too_and_not_what_is_left_of_it() {
    let server = server(plain()).await;
    let body =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"a":2,"b":3}}}"#;
    let answer = post(server.local_addr(), &head(OLD, &json!({})), body).await;
    assert_eq!(answer.json()["result"]["isError"], true, "{}", answer.body);
}

#[tokio::test]
async fn progress_is_streamed_before_the_answer() {
    let server = server(plain()).await;
    for revision in [OLD, NEW] {
        let params = json!({
            "name": "wait", "arguments": {"reports": 3, "millis": 10}, "_meta": {"progressToken": "t"}
        });
        let answer = ask(server.local_addr(), revision, "tools/call", params).await;
        assert!(answer.head.to_lowercase().contains("text/event-stream"), "{}", answer.head);
        assert_eq!(answer.body.matches("notifications/progress").count(), 3, "{}", answer.body);
        assert_eq!(answer.json()["result"]["isError"], false, "{}", answer.body);
    }
}

#[tokio::test]
async fn a_client_with_a_session_in_mind_is_not_promised_changes() {
    let server = server(plain()).await;
    let params = json!({"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let answer = ask(server.local_addr(), OLD, "initialize", params).await;
    let result = &answer.json()["result"];
    assert_eq!(result["protocolVersion"], OLD);
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert!(!answer.head.to_lowercase().contains("mcp-session-id"), "{}", answer.head);
}

#[tokio::test]
async fn other_hosts_and_web_pages_are_refused() {
    let server = server(plain().allow_origin("http://app.example.com:*")).await;
    let message = message(OLD, "tools/list", json!({}));
    let ask = async |from: &str, to: &str| {
        let head = head(OLD, &message).replace(from, to);
        post(server.local_addr(), &head, &message.to_string()).await.status
    };
    assert_eq!(ask("Host: localhost", "Host: localhost").await, 200);
    assert_eq!(ask("Host: localhost", "Host: rebound.example.com").await, 403);
    assert_eq!(ask("Host: localhost", "Host: localhost\r\nOrigin: http://evil.example.com").await, 403);
    assert_eq!(ask("Host: localhost", "Host: localhost\r\nOrigin: http://localhost:3000").await, 200);
    assert_eq!(ask("Host: localhost", "Host: localhost\r\nOrigin: http://localhost.example.com").await, 403);
    assert_eq!(ask("Host: localhost", "Host: localhost\r\nOrigin: http://app.example.com:3000").await, 200);
}

#[tokio::test]
async fn a_token_is_asked_for_before_anything_is_read() {
    let server = server(plain().authorizer(Tokens::new(["right"]).unwrap())).await;
    let message = message(OLD, "tools/list", json!({}));
    for (header, status) in [
        ("", 401),
        ("Authorization: Bearer wrong\r\n", 401),
        ("Authorization: Basic right\r\n", 401),
        ("Authorization: Bearer right\r\nAuthorization: Bearer right\r\n", 401),
        ("authorization: bearer right\r\n", 200),
    ] {
        let head = head(OLD, &message) + header;
        let answer = post(server.local_addr(), &head, &message.to_string()).await;
        assert_eq!(answer.status, status, "{header:?}");
        assert_eq!(answer.head.to_lowercase().contains("www-authenticate: bearer"), status == 401, "{header:?}");
    }
}

#[tokio::test]
async fn whoever_lets_others_in_says_who_may() {
    let others = "0.0.0.0:0".parse().unwrap();
    let refused = serve_http(fixture::dispatcher(), others, plain()).await.unwrap_err();
    assert!(matches!(refused, ServeError::Options(InvalidHttpOptions::Unguarded)), "{refused}");
    let open = serve_http(fixture::dispatcher(), others, plain().without_authorization()).await.unwrap();
    open.shutdown().await.unwrap();
    assert!(http_service(fixture::dispatcher(), plain().allow_any_host()).is_err());
    assert!(http_service(fixture::dispatcher(), plain()).is_ok());
}

#[tokio::test]
async fn bodies_are_bounded_in_length_and_time() {
    let small = HttpOptions::new(options().message_bytes(1000)).body_time(Duration::from_millis(100));
    let server = server(small).await;
    let message = message(OLD, "tools/list", json!({"long": "x".repeat(2000)}));
    let answer = post(server.local_addr(), &head(OLD, &message), &message.to_string()).await;
    assert_eq!(answer.status, 413);
    let mut stream = TcpStream::connect(server.local_addr()).await.unwrap();
    let slow = format!("POST / HTTP/1.1\r\n{}Content-Length: 50\r\n\r\n{{", head(OLD, &message));
    stream.write_all(slow.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    timeout(SOON, stream.read_exact(&mut answer)).await.unwrap().unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
}

#[tokio::test]
async fn requests_beyond_the_limit_are_refused_and_say_when_to_come_back() {
    let server = server(plain().concurrent_requests(1)).await;
    let address = server.local_addr();
    let params = json!({"name": "wait", "arguments": {"reports": 1}, "_meta": {"progressToken": 1}});
    let wait = message(OLD, "tools/call", params);
    let mut first = TcpStream::connect(address).await.unwrap();
    let body = wait.to_string();
    let request = format!("POST / HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n{body}", head(OLD, &wait), body.len());
    first.write_all(request.as_bytes()).await.unwrap();
    // Its report tells that it runs.
    let mut seen = String::new();
    while !seen.contains("notifications/progress") {
        let mut part = [0; 1024];
        let bytes = timeout(SOON, first.read(&mut part)).await.unwrap().unwrap();
        seen += &String::from_utf8_lossy(&part[..bytes]);
    }
    let busy = ask(address, OLD, "tools/list", json!({})).await;
    assert_eq!(busy.status, 503);
    assert!(busy.head.to_lowercase().contains("retry-after: 1"), "{}", busy.head);
    // Its client goes, and so does the call.
    drop(first);
    timeout(SOON, async { while ask(address, OLD, "tools/list", json!({})).await.status == 503 {} }).await.unwrap();
}

#[tokio::test]
async fn a_shutdown_answers_what_is_under_way_and_then_nothing() {
    let server = server(plain()).await;
    let address = server.local_addr();
    let call = tokio::spawn(ask(address, OLD, "tools/call", json!({"name": "wait", "arguments": {"millis": 400}})));
    // A connection that is accepted later tells that the first one was.
    tokio::time::sleep(Duration::from_millis(100)).await;
    ask(address, OLD, "tools/list", json!({})).await;
    server.shutdown().await.unwrap();
    assert_eq!(call.await.unwrap().json()["result"]["isError"], false);
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_call_that_does_not_end_is_cut_off_when_the_time_to_drain_is_over() {
    let server = server(HttpOptions::new(options().drain(Duration::from_millis(100)))).await;
    let address = server.local_addr();
    let call = tokio::spawn(ask(address, OLD, "tools/call", json!({"name": "wait", "arguments": {}})));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let outcome = server.shutdown().await;
    assert!(matches!(outcome, Err(ServeError::CutOff { calls: 1 })), "{outcome:?}");
    let answer = call.await.unwrap().json();
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().starts_with("Error [ABORTED]"), "{answer}");
}

#[tokio::test]
async fn who_listens_is_told_of_changes_until_the_server_ends() {
    let dispatcher = fixture::dispatcher();
    let server = serve_http(dispatcher.clone(), "127.0.0.1:0".parse().unwrap(), plain()).await.unwrap();
    let listen = message(NEW, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let (address, head, body) = (server.local_addr(), head(NEW, &listen), listen.to_string());
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("POST / HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut seen = String::new();
    for wanted in ["subscriptions/acknowledged", "tools/list_changed"] {
        while !seen.contains(wanted) {
            let mut part = [0; 1024];
            let bytes = timeout(SOON, stream.read(&mut part)).await.unwrap().unwrap();
            assert!(bytes > 0, "{seen}");
            seen += &String::from_utf8_lossy(&part[..bytes]);
        }
        let key = dispatcher.registry().key("add");
        dispatcher.change_registry(|registry| Ok(key.is_some_and(|key| registry.remove(&key)))).unwrap();
    }
    server.shutdown().await.unwrap();
}
