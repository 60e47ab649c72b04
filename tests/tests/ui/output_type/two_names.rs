use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    #[serde(rename(serialize = "outName", deserialize = "inName"))]
    count: u8,
}

fn main() {}
