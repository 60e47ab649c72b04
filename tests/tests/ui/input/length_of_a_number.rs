use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    #[schemars(length(min = 3))]
    limit: Option<u32>,
}

fn main() {}
