use tool_runtime::prelude::*;

#[tool_output]
#[serde(rename_all(serialize = "camelCase"))]
struct Record {
    line_count: u8,
}

fn main() {}
