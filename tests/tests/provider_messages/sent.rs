//! From results to messages.

use std::path::Path;

use serde_json::{Map, Value, json};
use tool_runtime::dialect::{Dialect, GeminiForm, McpRevision, UnsentResult};
use tool_runtime::json::Pointer;
use tool_runtime::prelude::*;
use tool_runtime::schema::Violation;
use tool_runtime::seam::{ArgumentDecoder, Decoded};

use crate::{ANTHROPIC, DEEPSEEK, GEMINI, MCP, OPENAI, RESPONSES, answered, captured, dispatcher, show};

const CASES: [&str; 11] =
    ["text", "fails", "image", "image alone", "drawing", "audio", "resources", "empty", "blank", "notice", "unknown"];

/// The messages for each case, and for several results of one turn.
async fn messages(dialect: Dialect) -> Value {
    let mut shown = Map::new();
    let turns =
        CASES.iter().map(|case| (*case, vec![*case])).chain([("a turn", vec!["image", "fails", "image alone"])]);
    for (title, cases) in turns {
        let mut calls: Vec<ToolCall<'_>> =
            cases.iter().enumerate().map(|(index, case)| show(&format!("call-{}", index + 1), case)).collect();
        match title {
            "unknown" => calls = vec![ToolCall::new("call-1", "sohw", "{}")],
            "a turn" => calls.push(ToolCall::new("call-4", "list", "{}")),
            _ => {}
        }
        let results = dispatcher().run(calls.clone()).await;
        shown.insert(title.to_owned(), dialect.results(&calls, &results).unwrap().into());
    }
    shown.into()
}

async fn assert_messages(name: &str, dialect: Dialect) {
    let text = format!("{}\n", serde_json::to_string_pretty(&messages(dialect).await).unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/provider_messages/expected/{name}.json"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(text, expected, "{name}: write it anew with BLESS=1");
}

#[tokio::test]
async fn each_provider_reads_what_it_takes() {
    assert_messages("openai_chat", OPENAI).await;
    assert_messages("xai", Dialect::Xai).await;
    assert_messages("deepseek", DEEPSEEK).await;
    assert_messages("mistral", Dialect::Mistral).await;
    assert_messages("ollama", Dialect::Ollama).await;
    assert_messages("openai_responses", RESPONSES).await;
    assert_messages("anthropic", ANTHROPIC).await;
    assert_messages("gemini", GEMINI).await;
}

#[tokio::test]
async fn each_revision_of_the_protocol_reads_what_it_knows() {
    assert_messages("mcp_2024_11_05", Dialect::Mcp(McpRevision::V2024_11_05)).await;
    assert_messages("mcp_2025_03_26", Dialect::Mcp(McpRevision::V2025_03_26)).await;
    assert_messages("mcp_2025_06_18", Dialect::Mcp(McpRevision::V2025_06_18)).await;
    assert_messages("mcp_2026_07_28", Dialect::Mcp(McpRevision::V2026_07_28)).await;
    let newest_legacy = messages(MCP).await;
    assert_eq!(newest_legacy, messages(Dialect::Mcp(McpRevision::V2025_06_18)).await);
}

#[tokio::test]
async fn modes_and_forms_of_a_provider_have_the_same_messages() {
    assert_eq!(messages(GEMINI).await, messages(Dialect::Gemini(GeminiForm::JsonSchema)).await);
}

#[tokio::test]
async fn made_up_ids_are_not_sent_back() {
    let gemini = answered(GEMINI, &captured("gemini_without_ids")).await;
    let parts = gemini[0]["parts"].as_array().unwrap();
    assert!(parts.iter().all(|part| part["functionResponse"].get("id").is_none()), "{gemini:?}");
    assert_eq!(parts[1]["functionResponse"]["response"]["error"], "Error [NOT_FOUND]: nothing is there");
    let ollama = answered(Dialect::Ollama, &captured("ollama_without_ids")).await;
    assert_eq!(
        ollama[0],
        json!({"role": "tool", "tool_name": "show", "content": "shown: text"}),
        "there was no id to give back"
    );
    let with_ids = answered(Dialect::Ollama, &captured("ollama")).await;
    assert_eq!(with_ids[0]["tool_call_id"], "call_x7");
}

/// A decoder that knows one tool under another name.
struct Renamed;

impl ArgumentDecoder for Renamed {
    fn tool_name<'a>(&'a self, called: &'a str) -> &'a str {
        if called == "view" { "show" } else { called }
    }

    fn changes(&self, _: &str) -> Option<Decoded> {
        None
    }

    fn decode(&self, _: &str, sent: &Value) -> Result<Value, Vec<Violation>> {
        Ok(sent.clone())
    }

    fn place(&self, _: &str, _: &Value, own: &Pointer) -> Pointer {
        own.clone()
    }
}

#[tokio::test]
async fn names_go_back_as_the_model_knows_them() {
    let dispatcher = dispatcher().dialect(Renamed);
    let call = json!({"functionCall": {"name": "view", "args": {"what": "text"}, "id": "1"}});
    let response = json!({"candidates": [{"content": {"parts": [call]}, "finishReason": "STOP"}]});
    let calls = GEMINI.calls(&response).unwrap();
    let results = dispatcher.run(calls.clone()).await;
    assert_eq!(results[0].tool_name(), "show");
    let messages = GEMINI.results(&calls, &results).unwrap();
    assert_eq!(messages[0]["parts"][0]["functionResponse"]["name"], "view");
    assert_eq!(messages[0]["parts"][0]["functionResponse"]["response"]["output"], "shown: text");
}

#[tokio::test]
async fn a_fatal_failure_has_no_message() {
    let calls = [show("call-1", "text"), show("call-2", "ends")];
    for dialect in Dialect::ALL {
        let results = dispatcher().run(calls.to_vec()).await;
        match dialect.results(&calls, &results) {
            Err(UnsentResult::Fatal(failure)) => assert_eq!(failure.call_id(), "call-2"),
            other => panic!("{dialect:?}: {other:?}"),
        }
        assert_eq!(dialect.result(&calls[0], &results[0]).unwrap().len(), 1, "{dialect:?}");
    }
}

#[tokio::test]
async fn each_call_is_answered_by_its_own_result() {
    let (one, other) = (show("call-1", "text"), show("call-2", "text"));
    let results = dispatcher().run(vec![one.clone(), other.clone()]).await;
    let index = |calls: &[ToolCall<'_>], results| match OPENAI.results(calls, results) {
        Err(UnsentResult::Unpaired { index }) => index,
        other => panic!("{other:?}"),
    };
    assert_eq!(index(&[other.clone(), one.clone()], &results), 0);
    assert_eq!(index(std::slice::from_ref(&one), &results), 1);
    assert_eq!(index(&[one.clone(), other.clone()], &results[..1]), 1);
    for dialect in Dialect::ALL {
        assert!(dialect.results(&[], &[]).unwrap().is_empty(), "{dialect:?}");
    }
}

/// Puts words in the place of a failure's.
struct Soothe;

impl PostPolicy for Soothe {
    fn name(&self) -> &'static str {
        "soothe"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::accept())
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        Ok(FailureDecision::replace_content(Content::text("All is well.")))
    }
}

#[tokio::test]
async fn a_failure_can_not_be_read_as_a_success() {
    let dispatcher = dispatcher().policy(Soothe);
    let call = show("call-1", "fails");
    for dialect in Dialect::ALL {
        let result = dispatcher.call(call.clone()).await;
        let message = dialect.result(&call, &result).unwrap().remove(0);
        let text = message.to_string();
        let flagged = match dialect {
            Dialect::Anthropic(_) => message["content"][0]["is_error"] == true,
            Dialect::Mcp(_) => message["isError"] == true,
            Dialect::Gemini(_) => message["parts"][0]["functionResponse"]["response"]["error"] == "All is well.",
            _ => text.contains("\"Error [NOT_FOUND]: All is well.\""),
        };
        assert!(flagged, "{dialect:?}: {text}");
    }
}

#[tokio::test]
async fn structured_content_is_the_value_exactly() {
    let call = show("call-1", "text");
    let result = dispatcher().call(call.clone()).await;
    let value = result.success().unwrap().value().as_str();
    assert_eq!(value, r#"{"what":"text","exact":18446744073709551615,"tenth":0.1}"#);
    let message = MCP.result(&call, &result).unwrap().remove(0);
    assert_eq!(message["structuredContent"].to_string(), value);
}

#[tokio::test]
async fn hints_have_dates_in_revisions_that_know_them() {
    let call = show("call-1", "dated");
    let result = dispatcher().call(call.clone()).await;
    let hints = |revision| {
        let message = Dialect::Mcp(revision).result(&call, &result).unwrap().remove(0);
        message["content"][0]["annotations"].to_string()
    };
    assert_eq!(hints(McpRevision::V2025_03_26), r#"{"priority":1.0}"#);
    assert_eq!(hints(McpRevision::V2025_06_18), r#"{"priority":1.0,"lastModified":"2026-01-02T03:04:05Z"}"#);
}
