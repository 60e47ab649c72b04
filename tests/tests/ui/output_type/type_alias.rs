use tool_runtime::prelude::*;

#[tool_output]
type Record = Vec<u8>;

fn main() {}
