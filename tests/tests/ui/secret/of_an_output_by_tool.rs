use tool_runtime::prelude::*;

#[tool_output]
struct Session {
    #[tool(secret)]
    token: String,
}

fn main() {}
