use tool_runtime::prelude::*;

#[tool_output]
enum Record {
    Shown,
    #[serde(skip)]
    Hidden,
}

fn main() {}
