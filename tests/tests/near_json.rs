//! Text that is nearly JSON: refused with its position and the reason, the body does not run, and nothing is poisoned.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tests::{Seen, code};
use tool_runtime::prelude::*;

/// Run a command.
#[derive(Tool)]
#[tool(output = String, render = display, open)]
struct Run {
    #[serde(default)]
    cmd: String,
}

impl Execute<AtomicUsize> for Run {
    async fn execute(&self, cx: &Context<AtomicUsize>) -> Result<String, ToolError> {
        cx.state().fetch_add(1, Ordering::SeqCst);
        Ok(self.cmd.clone())
    }
}

/// Text, where it goes wrong, and what of the reason must be said.
const NEARLY: [(&str, usize, usize, &str); 12] = [
    ("{\"cmd\":\"a\nb\"}", 1, 10, r"\n"),
    ("{\"cmd\":\"a\tb\"}", 1, 10, r"\t"),
    ("{\"cmd\":\"a\u{0}b\"}", 1, 10, r"\u0000"),
    (r#"{"p":"C:\dir"}"#, 1, 9, r"\\"),
    (r#"{"re":"\d+"}"#, 1, 8, r"\\"),
    ("{\n \"é\": \"\\q\"}", 2, 8, r"\\"),
    ("\u{feff}{\"n\":1}", 1, 1, "byte order mark"),
    ("```json\n{\"n\":1}\n```", 1, 1, ""),
    (r#"{"n":1,}"#, 1, 7, "comma"),
    ("[1,\n2,\n]", 2, 2, "comma"),
    ("{n:1}", 1, 2, "key"),
    (r#"{"n":1"#, 1, 7, "ends early"),
];

#[tokio::test]
async fn each_is_refused_with_its_position_and_reason_and_the_body_does_not_run() {
    let (runs, seen) = (Arc::new(AtomicUsize::new(0)), Seen::default());
    let mut registry = Registry::new();
    registry.with_shared(Arc::clone(&runs)).tool::<Run>().unwrap();
    let dispatcher = Dispatcher::new(registry).observer(seen.clone());
    for (index, (text, line, column, reason)) in NEARLY.into_iter().enumerate() {
        let call = ToolCall::new("call-1", "run", text);
        let result = dispatcher.call(call.clone()).await;
        let told = result.content().to_text();
        assert_eq!(code(&result), "INVALID_ARGS", "{text}: {told}");
        assert!(told.contains(&format!("invalid JSON at line {line}, column {column}")), "{text:?}: {told}");
        assert!(told.contains(reason), "{text:?}: {told}");
        assert_eq!(result.failure().unwrap().error().retry_advice(), tool_runtime::Retry::Corrected);
        assert_eq!((runs.load(Ordering::SeqCst), seen.codes().len()), (0, index + 1), "{text}");
        // What was sent is still there for a log, and what is told can be written into the next request.
        assert_eq!(call.arguments(), Some(text));
        assert_eq!(serde_json::from_str::<String>(&json!(told).to_string()).unwrap(), told);
        assert!(!told.chars().any(char::is_control), "{text:?}: {told:?}");
    }
    let next = dispatcher.call(ToolCall::new("call-2", "run", r#"{"cmd":"a\nb"}"#)).await;
    assert_eq!((next.content().to_text().as_str(), runs.load(Ordering::SeqCst)), ("a\nb", 1));
}
