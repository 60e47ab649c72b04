use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = Found, render = json)]
struct Find {
    near: Plaice,
}

#[tool_output]
struct Found {
    name: String,
}

impl Execute for Find {
    async fn execute(&self, _: &Context) -> Result<Found, ToolError> {
        Ok(Found { name: String::new() })
    }
}

fn main() {}
