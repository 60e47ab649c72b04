use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hits: Vec<u32>,
}

fn main() {}
