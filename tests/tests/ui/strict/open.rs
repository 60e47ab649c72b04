use tool_runtime::prelude::*;

/// Takes something.
#[derive(Tool)]
#[tool(output = String, render = json, strict, open)]
struct Take {
    path: String,
}

impl Execute for Take {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
