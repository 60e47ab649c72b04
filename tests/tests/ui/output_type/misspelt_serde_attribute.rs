use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    #[serde(renam = "total")]
    count: u8,
}

fn main() {}
