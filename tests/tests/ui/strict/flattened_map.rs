use tool_runtime::prelude::*;

use std::collections::HashMap;

/// Takes something.
#[derive(Tool)]
#[tool(output = String, render = json, strict)]
struct Take {
    #[serde(flatten)]
    rest: HashMap<String, u8>,
}

impl Execute for Take {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
