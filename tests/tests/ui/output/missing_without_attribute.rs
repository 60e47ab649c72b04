use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
struct Find {
    query: String,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

impl Render for Find {
    fn render(&self, value: &String) -> Content {
        Content::text(value)
    }
}

fn main() {}
