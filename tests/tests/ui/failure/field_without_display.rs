use tool_runtime::prelude::*;

struct Place(u32);

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", "there is nothing at {place}; list the directory first")]
    NotFound { place: Place },
}

fn main() {}
