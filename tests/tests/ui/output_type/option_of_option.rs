use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    limit: Option<Option<u8>>,
}

fn main() {}
