use tool_runtime::prelude::*;

#[tool_output]
#[serde(tag = "type")]
struct Event {
    at: u64,
}

fn main() {}
