use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    query: String,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<Option<String>, ToolError> {
        Ok(None)
    }
}

fn main() {}
