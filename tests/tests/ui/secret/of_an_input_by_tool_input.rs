use tool_runtime::prelude::*;

#[tool_input]
struct Credentials {
    #[tool_input(secret)]
    password: String,
}

fn main() {}
