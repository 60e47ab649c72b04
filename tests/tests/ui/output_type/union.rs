use tool_runtime::prelude::*;

#[tool_output]
#[derive(Clone, Copy)]
union Bits {
    int: u32,
    float: f32,
}

fn main() {}
