use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    #[serde(skip)]
    secret: String,
}

fn main() {}
