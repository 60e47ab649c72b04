use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    text: &'static str,
}

fn main() {}
