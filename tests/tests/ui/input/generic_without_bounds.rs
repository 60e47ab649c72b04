use tool_runtime::prelude::*;

/// Counts what it gets.
#[derive(Tool)]
#[tool(output = usize, render = json)]
struct Count<T> {
    items: Vec<T>,
}

impl<T> Execute for Count<T> {
    async fn execute(&self, _: &Context) -> Result<usize, ToolError> {
        Ok(self.items.len())
    }
}

fn main() {}
