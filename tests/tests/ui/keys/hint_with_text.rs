use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, read_only = "yes")]
struct Find {
    query: String,
}

fn main() {}
