use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Point(u8, u8);

impl Execute for Point {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
