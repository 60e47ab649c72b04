use tool_runtime::prelude::*;

#[tool_output]
struct Record {
    #[serde(skip_deserializing)]
    computed: String,
}

fn main() {}
