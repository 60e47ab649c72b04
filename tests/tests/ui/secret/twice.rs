use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct LogIn {
    #[tool(secret, secret)]
    password: String,
}

fn main() {}
