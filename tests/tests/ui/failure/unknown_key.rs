use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", "there is no {path:?}", http = 404)]
    NotFound { path: String },
}

fn main() {}
