use tool_runtime::prelude::*;

struct Card {
    title: String,
}

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json, present)]
struct Find {
    query: String,
}

impl Present for Find {
    type Meta = Card;

    fn meta(&self, value: &String) -> Card {
        Card { title: value.clone() }
    }
}

fn main() {}
