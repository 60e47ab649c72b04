use tool_runtime::prelude::*;

///
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    query: String,
}

fn main() {}
