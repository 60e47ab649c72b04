use tool_runtime::prelude::*;
use tool_runtime::serde::Deserialize;

/// Looks something up.
#[derive(Tool, Deserialize, schemars_08::JsonSchema)]
#[tool(output = String, render = json, manual)]
#[serde(crate = "tool_runtime::serde")]
#[schemars(crate = "schemars_08")]
struct Find {
    query: String,
}

fn main() {}
