use tool_runtime::prelude::*;

/// Where to look.
#[tool_input]
#[serde(tag = "type", rename_all = "camelCase")]
struct Place {
    row_number: u8,
}

fn main() {}
