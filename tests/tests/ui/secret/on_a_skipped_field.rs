use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct LogIn {
    #[tool(secret)]
    #[serde(skip)]
    password: String,
}

fn main() {}
