use tool_runtime::prelude::*;

use tool_runtime::serde_json;

/// Takes something.
#[derive(Tool)]
#[tool(output = String, render = json, strict)]
struct Take {
    entries: serde_json::Map<String, JsonValue>,
}

impl Execute for Take {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
