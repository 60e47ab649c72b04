use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find<'a> {
    query: &'a str,
}

fn main() {}
