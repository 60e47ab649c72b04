use tool_runtime::prelude::*;

#[tool_input(closed)]
struct Place {
    name: String,
}

fn main() {}
