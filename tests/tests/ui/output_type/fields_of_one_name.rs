use tool_runtime::prelude::*;

#[tool_output]
struct Page {
    #[serde(rename = "total")]
    shown: u32,
    total: u32,
}

fn main() {}
