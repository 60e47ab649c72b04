use tool_runtime::prelude::*;

#[tool_output(secret)]
struct Session {
    token: String,
}

fn main() {}
