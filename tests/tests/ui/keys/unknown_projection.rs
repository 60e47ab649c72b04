use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = markdown)]
struct Find {
    query: String,
}

fn main() {}
