use tool_runtime::prelude::*;

struct Quiet;

impl PostPolicy for Quiet {
    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::accept())
    }
}

fn main() {}
