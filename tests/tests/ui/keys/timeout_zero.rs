use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, timeout = "0s")]
struct Find {
    query: String,
}

fn main() {}
