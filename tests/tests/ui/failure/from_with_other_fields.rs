use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_IO_ERROR", "cannot read {path:?}; try once more")]
    Io {
        path: String,
        #[failure(from)]
        cause: std::io::Error,
    },
}

fn main() {}
