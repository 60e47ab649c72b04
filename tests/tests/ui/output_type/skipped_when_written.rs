use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    #[serde(skip_serializing, default)]
    secret: String,
}

fn main() {}
