//! Repairs of arguments: off unless asked for, told in the trace, and checked like any other arguments.

use tests::dispatcher_of;
use tool_runtime::prelude::*;
use tool_runtime::{Repair, Repairs};

/// Search.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Search {
    tags: Vec<String>,
    secs: Option<u64>,
    dry: bool,
    note: String,
}

impl Execute for Search {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("{:?} {:?} {} {:?}", self.tags, self.secs, self.dry, self.note))
    }
}

const NEARLY: &str = r#"{"tags": "[\"a\"]", "secs": "90", "dry": "false", "note": "[1,2]"}"#;

async fn search(repairs: Repairs, arguments: &str) -> ToolResult {
    dispatcher_of::<Search>().repairs(repairs).call(ToolCall::new("call", "search", arguments)).await
}

fn made(result: &ToolResult) -> Vec<String> {
    result.trace().repairs().iter().map(|made| format!("{}: {}", made.pointer(), made.repair())).collect()
}

#[tokio::test]
async fn nothing_is_repaired_unless_it_is_asked_for() {
    let result = search(Repairs::none(), NEARLY).await;
    assert_eq!(result.failure().unwrap().code(), &Code::INVALID_ARGS);
    assert_eq!(made(&result), [""; 0]);
}

#[tokio::test]
async fn what_is_asked_for_is_repaired_and_told() {
    let result = search(Repairs::all(), NEARLY).await;
    assert_eq!(result.content().to_text(), r#"["a"] Some(90) false "[1,2]""#);
    assert_eq!(
        made(&result),
        [
            "/tags: took an array or object out of a string",
            "/secs: took a number or boolean out of a string",
            "/dry: took a number or boolean out of a string",
        ]
    );
}

#[tokio::test]
async fn a_repair_that_was_not_asked_for_keeps_the_others_from_happening() {
    let result = search(Repairs::none().with(Repair::ScalarInString), NEARLY).await;
    let told = result.content().to_text();
    assert!(told.contains(r#""/tags" must be an array"#) && told.contains(r#""/secs" must be an integer"#), "{told}");
    assert_eq!(made(&result), [""; 0]);
}

#[tokio::test]
async fn a_whole_object_in_a_string_a_fence_and_a_comma_are_read() {
    let object = r#"{"tags": [], "dry": true, "note": "n",}"#;
    let fenced = format!("```json\n{object}\n```\n");
    let result = search(Repairs::all(), &fenced).await;
    assert!(result.is_success(), "{}", result.content().to_text());
    assert_eq!(made(&result), [": took off a code fence", ": removed a trailing comma"]);

    let quoted = tool_runtime::serde_json::to_string(&object.replace(",}", "}")).unwrap();
    let result = search(Repairs::all(), &quoted).await;
    assert!(result.is_success(), "{}", result.content().to_text());
    assert_eq!(made(&result), [": took the whole object out of a string"]);
}

#[tokio::test]
async fn policies_and_the_body_see_the_repaired_arguments() {
    struct Seen;
    impl PostPolicy for Seen {
        fn name(&self) -> &'static str {
            "seen"
        }
        async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
            Ok(PostDecision::replace_content(call.arguments().map(ToString::to_string).unwrap_or_default()))
        }
    }
    let dispatcher = dispatcher_of::<Search>().repairs(Repairs::all()).policy(Seen);
    let result = dispatcher.call(ToolCall::new("call", "search", NEARLY)).await;
    assert_eq!(result.content().to_text(), r#"{"tags":["a"],"secs":90,"dry":false,"note":"[1,2]"}"#);
}

#[tokio::test]
async fn what_is_still_wrong_is_told_of_what_was_sent() {
    let result = search(Repairs::all(), r#"{"tags": "a,b", "secs": "90", "dry": true, "note": ""}"#).await;
    let told = result.content().to_text();
    assert!(told.contains(r#""/tags" must be an array, got "a,b""#) && told.contains(r#"got "90""#), "{told}");
}
