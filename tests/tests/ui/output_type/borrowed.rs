use tool_runtime::prelude::*;

#[tool_output]
struct Record<'a> {
    text: &'a str,
}

fn main() {}
