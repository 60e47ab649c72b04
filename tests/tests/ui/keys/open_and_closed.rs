use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, open)]
#[serde(deny_unknown_fields)]
struct Find {
    query: String,
}

fn main() {}
