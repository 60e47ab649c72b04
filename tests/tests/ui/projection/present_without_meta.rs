//! A presentation that does not say what its cards are drawn from.

use tool_runtime::prelude::*;

/// Find.
#[derive(Tool)]
#[tool(output = String, render = display, present)]
struct Find {}

impl Present for Find {
    type Meta = String;
}

fn main() {}
