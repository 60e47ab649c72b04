use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", message = "there is no {path:?}")]
    NotFound { path: String },
}

fn main() {}
