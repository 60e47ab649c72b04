use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, name)]
struct Find {
    query: String,
}

fn main() {}
