use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "fs-not-found", "there is no {path:?}; list the directory first")]
    NotFound { path: String },
}

fn main() {}
