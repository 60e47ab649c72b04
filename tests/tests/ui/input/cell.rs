use std::cell::Cell;

use tool_runtime::prelude::*;

#[tool_input]
struct Window {
    offset: Option<Cell<u32>>,
}

fn main() {}
