use tool_runtime::prelude::*;
use tool_runtime::serde::Deserialize;

/// Looks something up.
#[derive(Tool, Deserialize)]
#[tool(output = String, render = json, manual)]
#[serde(crate = "tool_runtime::serde")]
struct Find {
    query: String,
}

fn main() {}
