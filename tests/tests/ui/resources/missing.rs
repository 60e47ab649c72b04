use tool_runtime::prelude::*;

/// Adds a line to a file.
#[derive(Tool)]
#[tool(output = u64, render = json, resources)]
struct Append {
    path: String,
}

impl Execute for Append {
    async fn execute(&self, _: &Context) -> Result<u64, ToolError> {
        Ok(1)
    }
}

fn main() {}
