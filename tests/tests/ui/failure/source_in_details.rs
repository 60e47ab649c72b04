use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_IO_ERROR", "the disk did not answer; try once more")]
    Io {
        #[failure(details)]
        source: std::io::Error,
    },
}

fn main() {}
