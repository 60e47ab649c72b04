use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NO_DISK", "the disk is gone", fatal, retry = safe)]
    NoDisk,
}

fn main() {}
