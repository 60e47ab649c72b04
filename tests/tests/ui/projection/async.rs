use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String)]
struct Find {
    query: String,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

impl Render for Find {
    async fn render(&self, value: &String) -> Content {
        Content::text(value)
    }
}

fn main() {}
