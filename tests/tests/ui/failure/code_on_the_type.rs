use tool_runtime::prelude::*;

#[derive(ToolFailure)]
#[failure(code = "FS_FAILED")]
enum ReadFailure {
    #[failure(code = "FS_NO_DISK", "the disk is gone")]
    NoDisk,
}

fn main() {}
