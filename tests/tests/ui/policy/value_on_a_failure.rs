use tool_runtime::prelude::*;
use tool_runtime::serde_json::json;

struct Soften;

impl PostPolicy for Soften {
    fn name(&self) -> &str {
        "soften"
    }
    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::accept())
    }
    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        Ok(FailureDecision::ReplaceValue { value: json!({"ok": true}), contexts: vec![] })
    }
}

fn main() {}
