use tool_runtime::prelude::*;

/// Add.
#[derive(Tool)]
#[tool(output = i64, render = display)]
struct Add {}

struct Clamp;

impl TypedPolicy<Add> for Clamp {
    fn name(&self) -> &str {
        "clamp"
    }
    async fn on_success(&self, _: &Add, _: &i64, _: &Success) -> Result<PostDecision<i64>, ToolError> {
        Ok(PostDecision::replace_value("0"))
    }
}

fn main() {}
