use tool_runtime::prelude::*;

/// Read.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Read {
    path: String,
    #[serde(alias = "path")]
    file: Option<String>,
}

fn main() {}
