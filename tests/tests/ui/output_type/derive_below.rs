use tool_runtime::prelude::*;

#[tool_output]
#[derive(Debug, tool_runtime::serde::Serialize)]
struct Record {
    count: u8,
}

fn main() {}
