use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", "there is no {0:?}", details)]
    NotFound(String),
}

fn main() {}
