use tool_runtime::prelude::*;

#[tool_input]
struct Credentials {
    password: String,
}

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct LogIn {
    #[tool(secret)]
    #[serde(flatten)]
    credentials: Credentials,
}

fn main() {}
