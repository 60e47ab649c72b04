use tool_runtime::prelude::*;

/// Takes something.
#[derive(Tool)]
#[tool(output = String, render = json, strict)]
struct Take {
    points: Vec<(f64, f64)>,
}

impl Execute for Take {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
