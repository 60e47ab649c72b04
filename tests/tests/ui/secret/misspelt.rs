use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct LogIn {
    #[tool(secrt)]
    password: String,
}

fn main() {}
