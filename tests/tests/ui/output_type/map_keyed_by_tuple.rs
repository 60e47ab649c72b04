use tool_runtime::prelude::*;

use std::collections::HashMap;

#[tool_output]
struct Board {
    cells: HashMap<(i32, i32), String>,
}

fn main() {}
