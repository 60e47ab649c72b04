use tool_runtime::prelude::*;

/// Look something up.
#[derive(Tool)]
#[tool(output = u32, render = json)]
struct Find {}

fn find() -> Result<u32, String> {
    Ok(7)
}

impl Execute for Find {
    async fn execute(&self, _: &Context) -> Result<u32, ToolError> {
        Ok(find()?)
    }
}

fn main() {}
