use std::sync::{Arc, Mutex};

use tool_runtime::prelude::*;

#[tool_output]
struct Report {
    lines: Arc<Mutex<Vec<String>>>,
}

fn main() {}
