use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    #[schemars(regex(pattern = "^a+$"))]
    words: Vec<String>,
}

fn main() {}
