//! Calls: what comes back, how far they are, and how they end early.

use std::time::Duration;

use serde_json::{Value, json};
use tests::{Decided, code};
use tool_runtime::prelude::*;
use tool_runtime::{Progress, progress_channel};

use super::scene::{PATIENCE, Scene, bridge, script, tool};

fn text(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

#[tokio::test]
async fn each_kind_of_result_reads_as_it_should() {
    let gif = serde_json::to_value(tool_runtime::Block::image(b"GIF89a", "image/gif")).unwrap();
    let link = json!({"type": "resource_link", "name": "Log", "uri": "file:///var/log"});
    let rows = [
        ("text", json!({"content": text("as it is")}), "as it is"),
        ("two", json!({"content": [text("a")[0], text("b")[0], link]}), "a\nb\nResource link: Log (file:///var/log)"),
        ("picture", json!({"content": [text("a")[0], gif, text("b")[0]]}), "a\n[image content]\nb"),
        ("empty", json!({"content": []}), "(empty returned no model-visible content)"),
        ("legacy", json!({"toolResult": {"a": [1]}}), r#"{"a":[1]}"#),
        ("nothing", json!({}), "(no output)"),
        ("only_value", json!({"structuredContent": {"a": 1}}), r#"{"a":1}"#),
        // What another kind of result has does not make it one.
        ("disguised", json!({"content": text("t"), "tools": [], "messages": [], "action": "accept"}), "t"),
        (
            "odd_blocks",
            json!({"content": [7, {"type": "text"}, {"type": "x"}], "_meta": 3}),
            "[unsupported MCP content block: \
          expected an object]\n[text unavailable: the MCP block is missing its text]\n[unsupported MCP content type: x]",
        ),
        (
            "sound",
            json!({"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]}),
            "[audio result unsupported: audio/wav; raw audio data remains available to programmatic callers]",
        ),
        (
            "resource",
            json!({"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "t"}}]}),
            "[embedded resource unsupported; raw resource data remains available to programmatic callers]",
        ),
    ];
    let calls: serde_json::Map<_, _> =
        rows.iter().map(|(name, result, _)| ((*name).to_owned(), json!({"result": result}))).collect();
    let scene = Scene::of(&script(&calls.into())).await;
    for (name, result, told) in rows {
        assert_eq!(scene.told(name).await, told, "{result}");
    }
    let result = scene.call("picture", json!({})).await;
    assert_eq!(result.content().blocks().len(), 3);
    assert_eq!(result.success().unwrap().value().to_value()["content"][1]["mimeType"], "image/gif");
}

#[tokio::test]
async fn what_the_tool_says_and_what_the_server_says_went_wrong_differ() {
    let scene = Scene::of(&script(&json!({
        "tool": {"result": {"content": text("no such file"), "isError": true}},
        "server": {"error": {"code": -32602, "message": "unknown\ntool", "data": {"secret": 1}}},
        "odd": {"result": {"content": "text"}},
        "input": {"result": {"resultType": "input_required", "requestState": "s"}}
    })))
    .await;
    let failed = async |raw: &str| {
        let result = scene.call(raw, json!({})).await;
        (code(&result).to_owned(), result.content().to_text())
    };
    assert_eq!(failed("tool").await, ("EXECUTION_ERROR".into(), "Error [EXECUTION_ERROR]: no such file".into()));
    let (code, told) = failed("server").await;
    assert_eq!(code, "MCP_PROTOCOL_ERROR");
    assert!(told.contains("answered with the error -32602: unknown\u{fffd}tool") && !told.contains("secret"), "{told}");
    let (code, told) = failed("odd").await;
    assert!(code == "MCP_INVALID_RESULT" && told.contains("the content is no list of blocks"), "{told}");
    let (code, told) = failed("input").await;
    assert!(code == "MCP_UNSUPPORTED" && told.contains("more input"), "{told}");
    let published = &scene.dispatcher.registry().spec("mcp__srv__tool").unwrap().failures.clone();
    let codes: Vec<_> = published.iter().map(|failure| failure.code().as_str()).collect();
    assert_eq!(
        codes,
        ["MCP_UNAVAILABLE", "MCP_CONNECTION_LOST", "MCP_PROTOCOL_ERROR", "MCP_INVALID_RESULT", "MCP_UNSUPPORTED"]
    );
}

#[tokio::test]
async fn a_tool_that_wants_a_task_says_so_and_the_server_is_not_asked() {
    let mut listed = tool("slow");
    listed["execution"] = json!({"taskSupport": "required"});
    let script = json!({"lists": [[{"tools": [listed, tool("seen")]}]], "calls": {"seen": {"received": 1}}});
    let scene = Scene::of(&script).await;
    assert_eq!(
        scene.told("slow").await,
        "Error [MCP_UNSUPPORTED]: Tool \"slow\" requires task-based execution, which this bridge does not support"
    );
    assert!(!scene.told("seen").await.contains(r#""name":"slow""#));
}

#[tokio::test]
async fn a_policy_that_replaces_value_or_content_has_the_last_word_over_pictures() {
    let gif = serde_json::to_value(tool_runtime::Block::image(b"GIF89a", "image/gif")).unwrap();
    let scene = Scene::of(&script(&json!({"look": {"result": {"content": [gif]}}}))).await;
    let call = || ToolCall::new("1", "mcp__srv__look", "");
    assert_eq!(scene.dispatcher.call(call()).await.content().to_text(), "[image content]");
    let replaced = PostDecision::replace_value(json!({"content": text("no picture")}));
    let result = scene.dispatcher.clone().policy(Decided(replaced)).call(call()).await;
    assert_eq!(result.content().to_text(), "no picture");
    let hidden = scene.dispatcher.clone().policy(Decided(PostDecision::replace_content(Content::text("hidden"))));
    assert_eq!(hidden.call(call()).await.content().to_text(), "hidden");
    let unlike = scene.dispatcher.clone().policy(Decided(PostDecision::replace_value(json!({"content": 1}))));
    assert_eq!(code(&unlike.call(call()).await), "INVALID_TOOL_OUTPUT");
}

#[tokio::test]
async fn progress_reaches_who_watches_in_order() {
    let reports =
        json!([{"progress": 1, "total": 4, "message": "one"}, {"progress": 0.5, "total": 1}, {"progress": 3}]);
    let scene = Scene::of(&script(&json!({"work": {"progress": reports, "result": {"content": text("done")}}}))).await;
    let (sender, mut receiver) = progress_channel(16);
    let options = CallOptions { progress: Some(sender), ..CallOptions::default() };
    let result = scene.dispatcher.call_with(ToolCall::new("c", "mcp__srv__work", ""), options).await;
    assert_eq!(result.content().to_text(), "done");
    let mut seen = Vec::new();
    while let Some(update) = receiver.next().await {
        seen.push(update.progress);
    }
    assert_eq!(seen, [Progress::of(1, 4).with_message("one"), Progress::of(500, 1000), Progress::done_so_far(3)]);
}

/// What the server was told of the call that came before.
async fn cancelled_id(scene: &Scene) -> Value {
    let received: Value = serde_json::from_str(&scene.told("seen").await).unwrap();
    let received = received.as_array().unwrap();
    let call = received.iter().find(|message| message["params"]["name"] == "hang").expect("it was called");
    let cancelled = received.iter().find(|message| message["method"] == "notifications/cancelled");
    assert_eq!(cancelled.map(|cancelled| &cancelled["params"]["requestId"]), Some(&call["id"]));
    call["id"].clone()
}

#[tokio::test]
async fn a_cancelled_call_is_cancelled_at_the_server_and_the_next_one_works() {
    let scene = Scene::of(&script(&json!({"hang": {}, "seen": {"received": 1}}))).await;
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let call = scene.dispatcher.call_with(ToolCall::new("c", "mcp__srv__hang", ""), options);
    let watched = async {
        // Once this is answered, the server has the other: it takes one after the other.
        scene.told("seen").await;
        cancellation.cancel();
    };
    let (result, ()) = tokio::join!(call, watched);
    assert_eq!(code(&result), "ABORTED");
    assert!(cancelled_id(&scene).await.is_number());
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled_at_the_server() {
    let scene =
        Scene::with(bridge(&script(&json!({"hang": {}, "seen": {"received": 1}}))).timeout(Duration::from_secs(2)))
            .await;
    let result = scene.call("hang", json!({})).await;
    assert_eq!(code(&result), "TIMEOUT");
    assert!(result.content().to_text().contains("timed out after 2000ms"));
    cancelled_id(&scene).await;
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_any_more_is_cancelled_at_the_server() {
    let scene = Scene::of(&script(&json!({"hang": {}, "seen": {"received": 1}}))).await;
    let mut call = Box::pin(scene.call("hang", json!({})));
    tokio::select! {
        _ = &mut call => panic!("it hangs"),
        _ = scene.told("seen") => {}
    }
    drop(call);
    let told = async { while !scene.told("seen").await.contains("notifications/cancelled") {} };
    tokio::time::timeout(PATIENCE, told).await.expect("the server learns of it");
    cancelled_id(&scene).await;
}

#[tokio::test]
async fn the_newest_revision_is_spoken_where_it_is_known_and_any_value_is_one_there() {
    let mut listed = tool("list");
    listed["outputSchema"] = json!({"type": ["array", "null"]});
    let mut script = json!({
        "era": "modern", "lists": [[{"tools": [listed, tool("null")]}]],
        "calls": {
            "list": {"result": {"resultType": "complete", "content": [], "structuredContent": [1, 2]}},
            "null": {"result": {"resultType": "complete", "content": [], "structuredContent": null}}
        }
    });
    let scene = Scene::of(&script).await;
    let report = scene.connection.report();
    assert_eq!((report.revision.as_str(), report.tools[0].unchecked.as_deref()), ("2026-07-28", None));
    let result = scene.call("list", json!({})).await;
    assert_eq!(result.success().unwrap().value().as_str(), r#"{"content":[],"structuredContent":[1,2]}"#);
    assert_eq!(scene.told("null").await, "null");
    // A server that ends when it is asked what it does not know is asked in the old way.
    script["era"] = "legacy".into();
    script["unasked"] = "exit".into();
    let scene = Scene::of(&script).await;
    assert_eq!(scene.connection.report().revision, "2025-11-25");
}

/// It takes ten seconds, after which the server is greeted in the old way.
#[tokio::test]
async fn a_server_that_starts_slowly_may_answer_both_greetings() {
    let mut script = script(&json!({"a": {"result": {"content": text("a")}}}));
    script["late"] = 1.into();
    let scene = Scene::of(&script).await;
    assert_eq!(scene.connection.report().revision, "2025-11-25");
    assert_eq!(scene.told("a").await, "a");
}
