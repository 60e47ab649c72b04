use tool_runtime::prelude::*;

#[tool_input]
struct Place {
    name: Name,
}

struct Name(String);

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    near: Place,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
