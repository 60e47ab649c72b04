use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", "there is no {path:?}; list the directory first")]
    NotFound { path: String },
    #[failure(code = "FS_NOT_FOUND", "the file has {lines} lines; start at one of them")]
    OutOfRange { lines: u32 },
}

fn main() {}
