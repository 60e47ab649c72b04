use tool_runtime::prelude::*;

/// Adds a line to a file.
#[derive(Tool)]
#[tool(output = u64, render = json, parallel, resources)]
struct Append {
    path: String,
}

fn main() {}
