use tool_runtime::prelude::*;
use tool_runtime::schemars::{self, JsonSchema};

/// Looks something up.
#[derive(Tool, JsonSchema)]
#[tool(output = String, render = json, manual)]
struct Find {
    query: String,
}

fn main() {}
