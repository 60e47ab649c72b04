use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, timeout = 30)]
struct Find {
    query: String,
}

fn main() {}
