use tool_runtime::prelude::*;

/// List.
#[derive(Tool)]
#[tool(output = u32, render = display)]
#[serde(rename_all = "camelCase")]
struct List {
    page_size: u32,
    #[serde(rename = "pageSize")]
    limit: u32,
}

fn main() {}
