use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    total: u128,
}

fn main() {}
