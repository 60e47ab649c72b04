use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json, secret)]
struct LogIn {
    password: String,
}

fn main() {}
