use std::fmt;

use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NO_DISK", "the disk is gone")]
    NoDisk,
}

impl fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("gone")
    }
}

fn main() {}
