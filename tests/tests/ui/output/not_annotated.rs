use tool_runtime::prelude::*;

struct Hits {
    total: u32,
}

/// Looks something up.
#[derive(Tool)]
#[tool(output = Hits, render = json)]
struct Find {
    query: String,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<Hits, ToolError> {
        Ok(Hits { total: 1 })
    }
}

fn main() {}
