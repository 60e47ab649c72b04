//! From responses to calls.

use serde_json::{Value, json};
use tool_runtime::dialect::{Dialect, McpRevision, UnreadResponse};
use tool_runtime::prelude::*;

use crate::{ANTHROPIC, CAPTURED, GEMINI, MCP, MCP_LISTS, OPENAI, RESPONSES, captured};

/// Each call as one line.
fn lines(calls: &[ToolCall<'_>]) -> Vec<String> {
    calls.iter().map(|call| format!("{} {} {}", call.id(), call.name(), call.arguments().unwrap_or("-"))).collect()
}

#[track_caller]
fn assert_asks(name: &str, wanted: &[&str]) {
    let (_, dialect) = CAPTURED.into_iter().find(|(captured, _)| *captured == name).unwrap();
    assert_eq!(lines(&dialect.calls(&captured(name)).unwrap()), wanted, "{name}");
}

#[test]
fn argument_texts_stay_as_they_are() {
    // Calls of other kinds are passed over.
    assert_asks("openai_chat", &[r#"call_abc show {"what": "text", "n": 1.0}"#, "call_def list "]);
    assert_asks("openai_responses", &[r#"call_abc show {"what":"text","n":1.0}"#, "call_def list {}"]);
    assert_asks("xai", &[r#"call_61843511 show {"what":"text","n":1.0}"#]);
    let deepseek = r#"call_00_0l9Uo5b4YjDGvRgFSoLKWhYf show {"what": "text", "n": 1.0}"#;
    assert_asks("deepseek", &[deepseek, "call_01_dT1v3N1UmIHf3rDBRbl8rFxO list {}"]);
}

#[test]
fn argument_objects_become_their_json() {
    assert_asks("mistral", &[r#"D681PevKs show {"what": "text", "n": 1.0}"#, "9yZ2kQp1x list {}"]);
    let anthropic = r#"toolu_01A09q90qw90lq917835lq9 show {"n":1.0,"what":"text"}"#;
    assert_asks("anthropic", &[anthropic, "toolu_01B list {}"]);
    assert_asks("gemini", &[r#"8f2b1a3c show {"n":1.0,"what":"text"}"#, "3d7e9f10 list {}"]);
    assert_asks("ollama", &[r#"call_x7 show {"n":1.0,"what":"text"}"#, "call_x8 list {}"]);
    assert_asks("mcp", &[r#"2 show {"n":1.0,"what":"text"}"#]);
    assert_asks("mcp_list", &[r#"2 show {"n":1.0,"what":"text"}"#, "three list -"]);
}

#[test]
fn calls_without_ids_get_some_that_differ_between_responses() {
    let show = r#"show {"n":1.0,"what":"text"}"#;
    let fails = r#"show {"what":"fails"}"#;
    let (first, second, third) = ("made-up:yRPHaIa4:1", "made-up:yRPHaIa4:2", "made-up:yRPHaIa4:3");
    assert_asks(
        "gemini_without_ids",
        &[&format!("{first} {show}"), &format!("{second} {fails}"), &format!("{third} list -")],
    );
    let (first, second) = ("made-up:2024-07-22T20:33:28.123648Z:1", "made-up:2024-07-22T20:33:28.123648Z:2");
    assert_asks("ollama_without_ids", &[&format!("{first} {show}"), &format!("{second} {fails}")]);
}

#[test]
fn a_response_without_calls_asks_for_none() {
    let openai = json!({"choices": [{"message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}]});
    let anthropic = json!({"content": [{"type": "text", "text": "Hi."}], "stop_reason": "end_turn"});
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP"}]});
    let silent = json!({"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]});
    let ollama = json!({"message": {"content": "Hi."}, "done": true, "done_reason": "stop"});
    let other = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let cases = [
        (OPENAI, openai),
        (ANTHROPIC, anthropic),
        (GEMINI, gemini),
        (GEMINI, silent),
        (Dialect::Ollama, ollama),
        (MCP, other),
    ];
    for (dialect, response) in cases {
        assert_eq!(dialect.calls(&response), Ok(Vec::new()), "{dialect:?}");
    }
}

#[test]
fn a_response_that_was_cut_off_gives_no_call() {
    let cases = [
        ("openai_chat", "/choices/0/finish_reason", "length"),
        ("openai_chat", "/choices/0/finish_reason", "content_filter"),
        ("deepseek", "/choices/0/finish_reason", "insufficient_system_resource"),
        ("mistral", "/choices/0/finish_reason", "model_length"),
        ("openai_responses", "/status", "incomplete"),
        ("openai_responses", "/output/2/status", "incomplete"),
        ("anthropic", "/stop_reason", "max_tokens"),
        ("anthropic", "/stop_reason", "pause_turn"),
        ("anthropic", "/stop_reason", "model_context_window_exceeded"),
        ("gemini", "/candidates/0/finishReason", "MAX_TOKENS"),
        ("gemini", "/candidates/0/finishReason", "MALFORMED_FUNCTION_CALL"),
        ("ollama", "/done_reason", "length"),
    ];
    for (name, place, reason) in cases {
        let (_, dialect) = CAPTURED.into_iter().find(|(captured, _)| *captured == name).unwrap();
        let mut response = captured(name);
        *response.pointer_mut(place).unwrap() = reason.into();
        let unread = dialect.calls(&response).unwrap_err();
        assert_eq!(unread, UnreadResponse::Unfinished { reason: reason.to_owned() }, "{name}");
        *response.pointer_mut(place).unwrap() = Value::Null;
        // Older versions of Ollama give no reason, and an item's status may be left out.
        if !matches!(place, "/done_reason" | "/output/2/status") {
            assert!(dialect.calls(&response).is_err(), "{name}: a stream that has not ended");
        }
    }
    let mut response = captured("openai_responses");
    response["status"] = "incomplete".into();
    response["incomplete_details"] = json!({"reason": "max_output_tokens"});
    let unread = RESPONSES.calls(&response).unwrap_err();
    assert_eq!(
        unread.to_string(),
        "the response is unfinished (max_output_tokens), and its calls may be cut off; ask again, or for less"
    );
    let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}});
    assert_eq!(GEMINI.calls(&blocked), Err(UnreadResponse::Unfinished { reason: "SAFETY".to_owned() }));
    let mut going_on = captured("ollama");
    going_on["done"] = false.into();
    assert!(matches!(Dialect::Ollama.calls(&going_on), Err(UnreadResponse::Unfinished { .. })));
}

#[test]
fn of_several_answers_the_host_chooses() {
    let mut response = captured("openai_chat");
    let first = response["choices"][0].clone();
    response["choices"].as_array_mut().unwrap().push(first);
    assert_eq!(OPENAI.calls(&response), Err(UnreadResponse::Alternatives { count: 2 }));
}

#[test]
fn ids_that_can_not_be_told_apart_are_refused() {
    let mut response = captured("anthropic");
    response["content"][4]["id"] = response["content"][3]["id"].clone();
    assert_eq!(
        ANTHROPIC.calls(&response).unwrap_err().to_string(),
        "the id of the call at \"/content/4\" is not its own, so its result could not be told apart"
    );
    let mut response = captured("gemini");
    response["candidates"][0]["content"]["parts"][1]["functionCall"]["id"] = "made-up:1".into();
    assert!(matches!(GEMINI.calls(&response), Err(UnreadResponse::Id { .. })));
}

#[test]
fn lists_of_requests_are_of_one_revision() {
    let list = captured("mcp_list");
    assert_eq!(MCP_LISTS.calls(&list).unwrap().len(), 2);
    for revision in [McpRevision::V2024_11_05, McpRevision::V2025_06_18, McpRevision::V2026_07_28] {
        assert!(matches!(Dialect::Mcp(revision).calls(&list), Err(UnreadResponse::Shape { .. })));
    }
}
