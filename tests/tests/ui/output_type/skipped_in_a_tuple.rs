use tool_runtime::prelude::*;

#[tool_output]
struct Pair(#[serde(skip_serializing_if = "Option::is_none")] Option<u8>, u8);

fn main() {}
