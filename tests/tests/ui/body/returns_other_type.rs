use tool_runtime::prelude::*;

/// Adds two numbers.
#[derive(Tool)]
#[tool(output = Sum, render = json)]
struct Add {
    a: i64,
    b: i64,
}

#[tool_output]
struct Sum {
    sum: i64,
}

impl Execute for Add {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok((self.a + self.b).to_string())
    }
}

fn main() {}
