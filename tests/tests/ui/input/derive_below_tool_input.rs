use tool_runtime::prelude::*;

#[tool_input]
#[derive(tool_runtime::schemars::JsonSchema)]
struct Place {
    name: String,
}

fn main() {}
