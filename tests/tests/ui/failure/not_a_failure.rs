use tool_runtime::prelude::*;

#[derive(Debug)]
enum ReadFailure {
    NoDisk,
}

/// Read a file.
#[derive(Tool)]
#[tool(output = String, render = display, failure = ReadFailure)]
struct Read {
    path: String,
}

fn main() {}
