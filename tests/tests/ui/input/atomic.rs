use std::sync::atomic::AtomicU32;

use tool_runtime::prelude::*;

/// Count.
#[derive(Tool)]
#[tool(output = u32, render = display)]
struct Count {
    from: AtomicU32,
}

fn main() {}
