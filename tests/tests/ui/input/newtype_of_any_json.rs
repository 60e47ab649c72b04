use tool_runtime::prelude::*;

/// Show.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Show(JsonValue);

fn main() {}
