use tool_runtime::prelude::*;

#[serde(rename_all = "camelCase")]
#[tool_output]
struct View {
    total_lines: u32,
}

fn main() {}
