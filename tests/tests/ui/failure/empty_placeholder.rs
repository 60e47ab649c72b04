use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", "there is no {:?}; list the directory first")]
    NotFound(String),
}

fn main() {}
