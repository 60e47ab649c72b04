use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ParseFailure {
    #[failure(code = "NO_OBJECT", "the text must start with {")]
    NoObject,
}

fn main() {}
