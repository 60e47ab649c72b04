use tool_runtime::prelude::*;
use tool_runtime::serde_json::json;

fn decide() -> PostDecision {
    PostDecision::ReplaceContent { content: Content::text("hidden"), value: json!(null), contexts: vec![] }
}

fn main() {}
