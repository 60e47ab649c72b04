use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json)]
#[serde(tag = "kind")]
enum LogIn {
    #[tool(secret)]
    Password { word: String },
}

fn main() {}
