use tool_runtime::prelude::*;

#[tool_output]
struct Found {
    hits: Vec<Hitz>,
}

fn main() {}
