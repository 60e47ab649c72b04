use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    #[schemars(rnge(min = 1))]
    limit: u32,
}

fn main() {}
