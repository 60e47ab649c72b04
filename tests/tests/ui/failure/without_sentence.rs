use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", retry = corrected)]
    NotFound { path: String },
}

fn main() {}
