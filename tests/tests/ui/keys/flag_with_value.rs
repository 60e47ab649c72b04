use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, parallel = true)]
struct Find {
    query: String,
}

fn main() {}
