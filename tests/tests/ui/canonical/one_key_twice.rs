use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json, canonical)]
struct Write {
    #[tool(canonical = "to")]
    path: String,
    #[tool(canonical)]
    to: String,
}

fn main() {}
