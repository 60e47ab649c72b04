use tool_runtime::prelude::*;

#[derive(Debug, ToolFailure)]
enum ReadFailure {
    #[error("there is no {path:?}")]
    NotFound { path: String },
    #[error("the disk is gone")]
    NoDisk,
}

fn main() {}
