use tool_runtime::prelude::*;

struct Hit {
    path: String,
}

/// Looks something up.
#[derive(Tool)]
#[tool(output = Vec<Hit>, render = json)]
struct Find {
    query: String,
}

fn main() {}
