use tool_runtime::prelude::*;

#[tool_output]
enum Session {
    #[tool_output(secret)]
    Open { token: String },
}

fn main() {}
