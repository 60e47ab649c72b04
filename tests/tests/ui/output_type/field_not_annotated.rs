use tool_runtime::prelude::*;

struct Line {
    text: String,
}

#[tool_output]
struct Record {
    lines: Vec<Line>,
}

fn main() {}
