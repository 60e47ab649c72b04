use tool_runtime::prelude::*;

/// Adds one.
#[derive(Tool)]
#[tool(output = i64)]
struct Next {
    n: i64,
}

impl Render for Next {
    fn render(&self, value: &i64) -> Content {
        Content::text(value.to_string())
    }
}

/// Takes one away.
#[derive(Tool)]
#[tool(output = i64)]
struct Last {
    n: i64,
}

fn main() {}
