use tool_runtime::prelude::*;

use std::collections::BTreeMap;

/// Takes something.
#[derive(Tool)]
#[tool(output = String, render = json, strict)]
struct Take {
    by_name: Option<Vec<BTreeMap<String, u8>>>,
}

impl Execute for Take {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
