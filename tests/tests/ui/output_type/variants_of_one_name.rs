use tool_runtime::prelude::*;

#[tool_output]
#[serde(rename_all = "snake_case")]
enum Outcome {
    NotFound,
    #[serde(rename = "not_found")]
    Missing,
}

fn main() {}
