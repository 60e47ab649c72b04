//! An author's crate that has another version of schemars, and derives its `JsonSchema` on a tool for a use of its own.

use tool_runtime::prelude::*;

/// Find things.
#[derive(Tool, schemars_08::JsonSchema)]
#[tool(output = String, render = display)]
#[schemars(crate = "schemars_08")]
struct Find {
    #[schemars(range(min = 1))]
    limit: u32,
}

impl Execute for Find {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(self.limit.to_string())
    }
}

#[tokio::test]
async fn it_works() {
    let dispatcher = Dispatcher::new(toolset! { () => [Find] }.unwrap());
    let result = dispatcher.call(ToolCall::new("call", "find", r#"{"limit": 1}"#)).await.into_result().unwrap();
    assert_eq!(result.value().as_str(), r#""1""#);
    let refused = dispatcher.call(ToolCall::new("call", "find", r#"{"limit": 0}"#)).await;
    assert!(refused.content().to_text().contains("/limit"));
    assert!(schemars_08::schema_for!(Find).schema.object.is_some());
}
