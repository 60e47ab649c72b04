use tool_runtime::prelude::*;

#[derive(Debug, ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NO_DISK", "the disk is gone")]
    NoDisk,
}

impl std::error::Error for ReadFailure {}

fn main() {}
