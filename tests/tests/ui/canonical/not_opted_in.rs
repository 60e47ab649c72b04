use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Write {
    #[tool(canonical)]
    path: String,
    content: String,
}

fn main() {}
