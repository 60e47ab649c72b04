use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NO_DISK", "the disk is gone")]
    NoDisk,
}

/// Read a file.
#[derive(Tool)]
#[tool(output = String, render = display, failure = ReadFailure)]
struct Read {
    path: String,
}

impl Execute for Read {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Err(ReadFailure::NoDisk)
    }
}

fn main() {}
