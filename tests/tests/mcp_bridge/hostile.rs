//! What no server should send.

use serde_json::json;
use tests::code;
use tool_runtime::mcp::BridgeLimits;

use super::scene::{Scene, bridge, script};

#[tokio::test]
async fn an_answer_that_is_too_large_fails_its_call_and_no_other() {
    let limits = BridgeLimits { message_bytes: 10_000, ..BridgeLimits::default() };
    let script = script(&json!({"huge": {"text": 2_000_000}, "large": {"text": 9_000}, "near": {"text": 10_000}}));
    let scene = Scene::with(bridge(&script).limits(limits)).await;
    for raw in ["huge", "near"] {
        let result = scene.call(raw, json!({})).await;
        let told = result.content().to_text();
        assert!(code(&result) == "MCP_INVALID_RESULT" && told.contains("longer than 10000 bytes"), "{told}");
    }
    assert_eq!(scene.told("large").await.len(), 9_000);
    let (large, huge) = tokio::join!(scene.told("large"), scene.told("huge"));
    assert!(large.len() == 9_000 && huge.contains("longer than"));
}

#[tokio::test]
async fn an_answer_that_is_no_lossless_json_fails_its_call_and_no_other() {
    let scene = Scene::of(&script(&json!({
        "deep": {"deep": 2_000},
        "twice": {"lines": [r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"content":[1]}}"#]},
        "wide": {"lines": [r#"{"jsonrpc":"2.0","result":{"content":[],"structuredContent":{"n":123456789012345678901}},"id":$ID}"#]},
        "cut": {"lines": [r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":["#]},
        "good": {"result": {"content": [{"type": "text", "text": "ok"}]}}
    })))
    .await;
    for raw in ["deep", "twice", "wide", "cut"] {
        let result = scene.call(raw, json!({})).await;
        let told = result.content().to_text();
        assert!(code(&result) == "MCP_INVALID_RESULT" && told.contains("can't be read"), "{raw}: {told}");
        assert_eq!(scene.told("good").await, "ok", "{raw}");
    }
}

#[tokio::test]
async fn what_is_no_answer_to_the_call_is_passed_over() {
    let lines = json!([
        "Listening on stdio",
        "",
        "null",
        "42",
        "[]",
        "{",
        "{}",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"id":null,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":99999,"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","id":"other","result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":77,"progress":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":7}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/made/up","params":{"a":1}}"#,
        r#"{"jsonrpc":"2.0","method":7,"id":null}"#,
        r#"{"jsonrpc":"2.0","id":1000,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}"#,
        r#"{"jsonrpc":"2.0","id":1001,"method":"elicitation/create","params":{"message":"your password?","requestedSchema":{"type":"object","properties":{}}}}"#,
        r#"{"jsonrpc":"2.0","id":1002,"method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","id":1003,"method":"made/up"}"#,
        r#"[{"jsonrpc":"2.0","method":"notifications/made/up"},{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"ok"}]}}]"#
    ]);
    let scene = Scene::of(&script(&json!({"noisy": {"lines": lines}, "seen": {"received": 1}}))).await;
    assert_eq!(scene.told("noisy").await, "ok");
    // Answers are sent by tasks of their own; when the last is there, so are the others.
    let received = loop {
        let received: serde_json::Value = serde_json::from_str(&scene.told("seen").await).unwrap();
        let answers: Vec<_> =
            received.as_array().unwrap().iter().filter(|message| message.get("method").is_none()).cloned().collect();
        if answers.len() == 4 {
            break answers;
        }
    };
    let answer = |id: u64| received.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(answer(1000)["error"]["code"], -32601, "no model is lent");
    assert_eq!(answer(1001)["result"]["action"], "decline", "no person is asked");
    assert_eq!(answer(1002)["result"]["roots"], json!([]));
    assert_eq!(answer(1003)["error"]["code"], -32601);
}

#[tokio::test]
async fn an_id_that_comes_back_as_text_is_the_same_id() {
    let line = r#"{"jsonrpc":"2.0","id":"$ID","result":{"content":[{"type":"text","text":"ok"}],"tools":[]}}"#;
    let scene = Scene::of(&script(&json!({"a": {"lines": [line]}}))).await;
    assert_eq!(scene.told("a").await, "ok");
}

#[tokio::test]
async fn a_call_is_answered_once() {
    let line = |text: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
    };
    let scene = Scene::of(&script(&json!({
        "twice": {"lines": [line("first"), line("second")]}, "good": {"result": {"content": [{"type": "text", "text": "ok"}]}}
    })))
    .await;
    assert_eq!(scene.told("twice").await, "first");
    assert_eq!(scene.told("good").await, "ok");
}

#[tokio::test]
async fn a_flood_of_reports_and_changes_is_borne() {
    let report = json!({"progress": 1, "message": "m".repeat(2_000)});
    let flood = json!({
        "progress": [report], "times": 5_000, "changes": 5_000, "result": {"content": [{"type": "text", "text": "ok"}]}
    });
    let scene = Scene::of(&script(&json!({"flood": flood, "seen": {"received": 1}}))).await;
    assert_eq!(scene.told("flood").await, "ok");
    let received: serde_json::Value = serde_json::from_str(&scene.told("seen").await).unwrap();
    let lists = received.as_array().unwrap().iter().filter(|message| message["method"] == "tools/list").count();
    assert!(lists <= 4, "the list was asked for {lists} times");
    assert_eq!(scene.connection.report().generation, 1, "it has not changed");
}
