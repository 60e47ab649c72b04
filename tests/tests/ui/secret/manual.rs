use tool_runtime::prelude::*;
use tool_runtime::schemars::JsonSchema;
use tool_runtime::serde::Deserialize;

/// Log in.
#[derive(Tool, Deserialize, JsonSchema)]
#[serde(crate = "tool_runtime::serde")]
#[schemars(crate = "tool_runtime::schemars")]
#[tool(output = String, render = json, manual)]
struct LogIn {
    #[tool(secret)]
    password: String,
}

fn main() {}
