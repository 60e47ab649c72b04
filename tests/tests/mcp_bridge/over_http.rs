//! HTTP: what is sent along, what is not followed, and servers that answer oddly.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tests::code;
use tests::scripted_mcp::{Act, Scripted};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tool_runtime::mcp::{Bridge, BridgeLimits, ServerUrl};

use super::scene::{Scene, dispatcher, script};

/// The heads of the requests that came, in lower case.
type Heads = Arc<Mutex<Vec<String>>>;

/// A scripted server behind HTTP, one request a connection; what `instead` gives for a message is sent as it is.
struct Web {
    url: String,
    heads: Heads,
}

impl Web {
    async fn of(script: Value, instead: fn(&Value) -> Option<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let (heads, scripted) = (Heads::default(), Arc::new(Mutex::new(Scripted::new(script))));
        let seen = Arc::clone(&heads);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&seen), Arc::clone(&scripted), instead));
            }
        });
        Self { url, heads }
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn answer(
    mut stream: TcpStream,
    heads: Heads,
    scripted: Arc<Mutex<Scripted>>,
    instead: fn(&Value) -> Option<String>,
) -> Option<()> {
    let mut reader = BufReader::new(&mut stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).await.ok()?;
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(bytes) = line.strip_prefix("content-length: ") {
            length = bytes.parse().ok()?;
        }
        head.push_str(&line);
        head.push('\n');
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await.ok()?;
    let is_post = head.starts_with("post");
    heads.lock().unwrap().push(head);
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let response = if is_post {
        let acts = scripted.lock().unwrap().take(&message);
        instead(&message).unwrap_or_else(|| response(&acts))
    } else {
        respond("405 Method Not Allowed", "text/plain", "")
    };
    stream.write_all(response.as_bytes()).await.ok()
}

fn response(acts: &[Act]) -> String {
    let lines: Vec<_> =
        acts.iter().filter_map(|act| if let Act::Send(line) = act { Some(line.as_str()) } else { None }).collect();
    match lines[..] {
        [] => respond("202 Accepted", "text/plain", ""),
        [line] => respond("200 OK", "application/json", line),
        _ => {
            let events: String = lines.iter().flat_map(|line| ["data: ", line, "\n\n"]).collect();
            respond("200 OK", "text/event-stream", &events)
        }
    }
}

fn respond(status: &str, kind: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn as_scripted(_: &Value) -> Option<String> {
    None
}

async fn scene(bridge: Bridge) -> Scene {
    let dispatcher = dispatcher();
    let connection = bridge.connect(&dispatcher).await.unwrap_or_else(|error| panic!("{error}"));
    Scene { dispatcher, connection }
}

fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

#[tokio::test]
async fn each_request_brings_what_lets_the_host_in() {
    let script =
        script(&json!({"a": {"result": said("ok")}, "steps": {"progress": [{"progress": 1}], "result": said("s")}}));
    let web = Web::of(script, as_scripted).await;
    let url = ServerUrl::new(web.url.as_str()).bearer("t0ken").header("X-Team", "blue");
    let scene = scene(Bridge::http("srv", url)).await;
    assert_eq!(scene.told("a").await, "ok");
    assert_eq!(scene.told("steps").await, "s", "as events");
    let heads = web.heads();
    assert!(heads.len() >= 4);
    for head in heads {
        assert!(head.contains("authorization: bearer t0ken\n") && head.contains("x-team: blue\n"), "{head}");
    }
}

#[tokio::test]
async fn what_is_too_large_or_no_result_fails_its_call_alone() {
    let script = script(&json!({
        "huge": {"text": 50_000}, "odd": {"result": {"content": 7}}, "deep": {"deep": 500}, "good": {"result": said("ok")},
        "confused": {"result": {"content": [], "tools": []}}
    }));
    let web = Web::of(script, as_scripted).await;
    let limits = BridgeLimits { message_bytes: 20_000, ..BridgeLimits::default() };
    let scene = scene(Bridge::http("srv", web.url.as_str()).limits(limits).timeout(Duration::from_secs(10))).await;
    for raw in ["huge", "odd", "deep", "confused"] {
        let result = scene.call(raw, json!({})).await;
        assert!(["MCP_INVALID_RESULT", "MCP_CONNECTION_LOST"].contains(&code(&result)), "{raw}: {}", code(&result));
        assert_eq!(scene.told("good").await, "ok", "{raw}");
    }
}

#[tokio::test]
async fn a_redirection_is_not_followed() {
    let elsewhere = Web::of(json!({"lists": [[{"tools": []}]]}), as_scripted).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let location = elsewhere.url.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let head = format!(
                "HTTP/1.1 307 Temporary Redirect\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes()).await;
        }
    });
    let dispatcher = dispatcher();
    let bridge = Bridge::http("srv", ServerUrl::new(url).bearer("t0ken")).timeout(Duration::from_secs(10));
    bridge.connect(&dispatcher).await.unwrap_err();
    assert_eq!(elsewhere.heads(), Vec::<String>::new());
}

#[tokio::test]
async fn a_server_that_lets_nobody_in_or_is_not_there_is_told_without_secrets() {
    #[expect(clippy::unnecessary_wraps, reason = "others answer as the script says")]
    fn closed(_: &Value) -> Option<String> {
        Some(respond("401 Unauthorized", "text/plain", "who are you?"))
    }
    let web = Web::of(json!({}), closed).await;
    for url in [format!("{}?key=s3cret", web.url), "http://127.0.0.1:9/mcp?key=s3cret".to_owned()] {
        let bridge = Bridge::http("srv", ServerUrl::new(url).bearer("t0ken")).timeout(Duration::from_secs(10));
        let told = bridge.connect(&dispatcher()).await.unwrap_err().to_string();
        assert!(told.starts_with("the MCP server \"srv\" can't be connected: "), "{told}");
        assert!(!told.contains("s3cret") && !told.contains("t0ken"), "{told}");
    }
}
