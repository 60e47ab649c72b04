use tool_runtime::prelude::*;

#[tool_input]
struct Place<'a> {
    name: &'a str,
}

fn main() {}
