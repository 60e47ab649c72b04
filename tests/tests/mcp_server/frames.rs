//! Lines that are no messages, and the end of the input.

use std::time::Duration;

use serde_json::json;
use tool_runtime::mcp::ServeError;

use super::client::{Client, NEW, OLD, options};
use super::fixture;

#[tokio::test]
async fn lines_that_are_no_messages_leave_the_next_call_alone() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    client.bytes(b"\n\r\n   \n\xff\xfe\n{\"jsonrpc\":\n\x1b[1mlog\x1b[0m\n").await;
    client.line(r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}"#).await;
    assert_eq!(client.call("add", json!({"a": 1, "b": 2})).await["structuredContent"]["sum"], 3);
}

#[tokio::test]
async fn what_is_nearly_a_request_is_refused_with_its_id() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    for (line, code, id) in [
        (r#"{"jsonrpc":"2.0","id":70,"method":5}"#, -32600, json!(70)),
        (r#"{"jsonrpc":"1.0","id":"x","method":"tools/list"}"#, -32602, json!("x")),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, -32600, json!(null)),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, json!(null)),
        ("true", -32600, json!(null)),
    ] {
        client.line(line).await;
        let answer = client.read().await;
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        assert_eq!(answer.get("id").cloned().unwrap_or_default(), id, "{line}: {answer}");
    }
    assert_eq!(client.call("nothing", json!({})).await["isError"], false);
}

#[tokio::test]
async fn a_message_that_is_too_long_is_refused_and_the_next_is_read() {
    let mut client = Client::with(fixture::dispatcher(), OLD, options().message_bytes(2000)).await;
    client.line(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(100_000))).await;
    let answer = client.read().await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("2000 bytes"), "{answer}");
    assert_eq!(client.call("nothing", json!({})).await["isError"], false);
}

#[tokio::test]
async fn an_id_that_is_in_use_is_refused() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    let wait = client.message(9, "tools/call", json!({"name": "wait", "arguments": {"millis": 300}})).to_string();
    client.line(&wait).await;
    client.line(&wait).await;
    let refused = client.read().await;
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    assert_eq!(client.read().await["result"]["content"][1]["text"], "waited");
}

#[tokio::test]
async fn what_comes_before_the_first_request_does_not_end_the_session() {
    for revision in [OLD, NEW] {
        let mut client = Client::silent(fixture::dispatcher(), revision, options());
        client.line(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#).await;
        client.line(r#"{"jsonrpc":"2.0","id":4,"result":{}}"#).await;
        let params = json!({"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let method = if revision == NEW { "server/discover" } else { "initialize" };
        let answer = client.request(method, if revision == NEW { json!({}) } else { params }).await;
        assert!(answer.get("result").is_some(), "{answer}");
        assert!(client.close().await.1.is_ok());
    }
}

#[tokio::test]
async fn calls_under_way_are_answered_when_the_input_ends() {
    let mut client = Client::of(fixture::dispatcher(), OLD).await;
    client.send("tools/call", json!({"name": "wait", "arguments": {"millis": 200}})).await;
    client.send("tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}})).await;
    // The last line has no end.
    let last = client.message(99, "tools/call", json!({"name": "nothing"})).to_string();
    client.bytes(last.as_bytes()).await;
    let (lines, outcome) = client.close().await;
    assert!(outcome.is_ok(), "{outcome:?}");
    let mut ids: Vec<_> = lines
        .iter()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_i64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [2, 3, 99], "{lines:?}");
}

#[tokio::test]
async fn a_call_that_does_not_end_is_cancelled_and_told_of_when_the_time_to_drain_is_over() {
    let quick = options().drain(Duration::from_millis(100));
    let mut client = Client::with(fixture::dispatcher(), OLD, quick).await;
    client.send("tools/call", json!({"name": "wait", "arguments": {}})).await;
    let (lines, outcome) = client.close().await;
    assert!(matches!(outcome, Err(ServeError::CutOff { calls: 1 })), "{outcome:?}");
    assert!(lines.len() == 1 && lines[0].contains("Error [ABORTED]"), "{lines:?}");
}

#[tokio::test]
async fn a_client_that_leaves_before_it_begins_is_no_error() {
    let client = Client::silent(fixture::dispatcher(), OLD, options());
    let (lines, outcome) = client.close().await;
    assert!(outcome.is_ok() && lines.is_empty(), "{lines:?} {outcome:?}");
}

#[tokio::test]
async fn a_shutdown_drains_what_is_under_way() {
    let shutdown = tool_runtime::Cancellation::new();
    let mut client = Client::with(fixture::dispatcher(), OLD, options().shutdown(shutdown.clone())).await;
    client.send("tools/call", json!({"name": "wait", "arguments": {"millis": 200, "reports": 0}})).await;
    // Once it is answered that follows, the call before it was read.
    client.request("ping", json!({})).await;
    shutdown.cancel();
    let answer = client.read().await;
    assert_eq!(answer["result"]["content"][1]["text"], "waited");
    assert_eq!(client.read_line().await, "", "the output ends");
}
