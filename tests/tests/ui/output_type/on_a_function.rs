use tool_runtime::prelude::*;

#[tool_output]
fn record() -> u8 {
    1
}

fn main() {}
