use tool_runtime::prelude::*;

#[tool_input]
struct Place {
    #[tool(canonical)]
    path: String,
}

fn main() {}
