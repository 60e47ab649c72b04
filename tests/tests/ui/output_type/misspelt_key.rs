use tool_runtime::prelude::*;

#[tool_output(opne)]
struct Record {
    count: u8,
}

fn main() {}
