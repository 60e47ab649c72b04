use tool_runtime::prelude::*;

#[tool_input]
struct Name(String);

struct Place {
    name: String,
}

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    name: Name,
    near: Place,
    far: Option<Place>,
}

fn main() {}
