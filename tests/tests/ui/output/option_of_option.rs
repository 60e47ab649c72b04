use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = Option<Option<String>>, render = json)]
struct Find {
    query: String,
}

fn main() {}
