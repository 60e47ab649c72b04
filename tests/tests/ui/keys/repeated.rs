use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, parallel, parallel)]
struct Find {
    query: String,
}

fn main() {}
