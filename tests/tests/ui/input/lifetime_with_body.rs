use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find<'a> {
    query: &'a str,
}

impl<'a> Execute for Find<'a> {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(self.query.to_owned())
    }
}

fn main() {}
