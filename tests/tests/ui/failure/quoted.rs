use tool_runtime::prelude::*;

/// Read a file.
#[derive(Tool)]
#[tool(output = String, render = display, failure = "ReadFailure")]
struct Read {
    path: String,
}

fn main() {}
