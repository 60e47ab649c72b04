use tool_runtime::prelude::*;

#[derive(ToolFailure)]
enum CopyFailure {
    #[failure(code = "COPY_FAILED", "cannot copy {source:?} to {target:?}")]
    Failed { source: String, target: String },
}

fn main() {}
