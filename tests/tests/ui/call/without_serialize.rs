use tool_runtime::prelude::*;

/// Add two integers.
#[derive(Tool)]
#[tool(output = i64, render = display)]
struct Add {
    a: i64,
    b: i64,
}

impl Execute for Add {
    async fn execute(&self, _: &Context) -> Result<i64, ToolError> {
        Ok(self.a + self.b)
    }
}

async fn three(dispatcher: &Dispatcher) -> Result<i64, Failure> {
    dispatcher.invoke(Add { a: 1, b: 2 }).await
}

fn main() {}
