use tool_runtime::prelude::*;

struct Lenient;

impl PostPolicy for Lenient {
    fn name(&self) -> &str {
        "lenient"
    }
    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::accept())
    }
}

struct Nothing;

fn host(dispatcher: Dispatcher) -> Dispatcher {
    dispatcher.policy(Lenient).policy(Nothing)
}

fn main() {}
