use tool_runtime::prelude::*;

use tool_runtime::serde_json;

/// Takes something.
#[derive(Tool)]
#[tool(output = String, render = json, strict)]
struct Take {
    values: Vec<serde_json::Value>,
}

impl Execute for Take {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
