use tool_runtime::prelude::*;

#[tool_input]
struct Place {
    path: String,
}

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json, canonical)]
struct Write {
    #[tool(canonical)]
    #[serde(flatten)]
    place: Place,
}

fn main() {}
