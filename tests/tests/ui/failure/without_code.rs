use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", "there is no {path:?}; list the directory first")]
    NotFound { path: String },
    #[failure("the file holds bytes that are no text")]
    NotText,
}

fn main() {}
