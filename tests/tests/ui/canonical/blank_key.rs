use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json, canonical)]
struct Write {
    #[tool(canonical = " ")]
    path: String,
}

fn main() {}
