use tool_runtime::prelude::*;

#[derive(Debug)]
struct Place(u32);

#[derive(ToolFailure)]
enum ReadFailure {
    #[failure(code = "FS_NOT_FOUND", "there is nothing at {place:?}")]
    NotFound {
        #[failure(details)]
        place: Place,
    },
}

fn main() {}
