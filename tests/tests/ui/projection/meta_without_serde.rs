use tool_runtime::prelude::*;

/// Look something up.
#[derive(Tool)]
#[tool(output = String, render = display, present)]
struct Find {}

struct FindMeta {
    found: bool,
}

impl Present for Find {
    type Meta = FindMeta;

    fn meta(&self, text: &String) -> FindMeta {
        FindMeta { found: !text.is_empty() }
    }
}

fn main() {}
