use tool_runtime::prelude::*;

/// Say hello.
#[derive(Tool)]
#[tool(output = &'static str, render = display)]
struct Hello {}

impl Execute for Hello {
    async fn execute(&self, _: &Context) -> Result<&'static str, ToolError> {
        Ok("hello")
    }
}

fn main() {}
