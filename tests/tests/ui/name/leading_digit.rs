use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, name = "2fast")]
struct Find {
    query: String,
}

fn main() {}
