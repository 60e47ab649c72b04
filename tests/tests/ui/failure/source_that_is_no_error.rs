use tool_runtime::prelude::*;

struct Cause;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_IO_ERROR", "the disk did not answer; try once more")]
    Io { source: Cause },
}

fn main() {}
