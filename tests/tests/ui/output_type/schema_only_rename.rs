use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    #[schemars(rename = "total")]
    count: u8,
}

fn main() {}
