use tool_runtime::prelude::*;

use std::collections::HashMap;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Paint {
    cells: HashMap<(i32, i32), String>,
}

impl Execute for Paint {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
