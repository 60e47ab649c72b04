use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum FetchFailure {
    #[failure(code = "TIMEOUT", "the server did not answer within {seconds} s; try another")]
    Timeout { seconds: u32 },
}

fn main() {}
