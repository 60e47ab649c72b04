use tool_runtime::prelude::*;

/// Adds one.
#[derive(Tool)]
#[tool(output = i64, render = json, present)]
struct Next {
    n: i64,
}

impl Present for Next {
    type Meta = i64;

    fn meta(&self, value: &i64) -> i64 {
        *value
    }
}

/// Takes one away.
#[derive(Tool)]
#[tool(output = i64, render = json, present)]
struct Last {
    n: i64,
}

fn main() {}
