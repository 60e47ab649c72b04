use std::collections::HashSet;

use tool_runtime::prelude::*;

#[tool_output]
struct Tags {
    tags: HashSet<String>,
}

fn main() {}
