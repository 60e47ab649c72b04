use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
#[tool(output = u32)]
struct Find {
    query: String,
}

fn main() {}
