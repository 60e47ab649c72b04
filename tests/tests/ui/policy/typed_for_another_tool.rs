use tool_runtime::prelude::*;

/// Add.
#[derive(Tool)]
#[tool(output = i64, render = display)]
struct Add {}

/// Subtract.
#[derive(Tool)]
#[tool(output = i64, render = display)]
struct Subtract {}

struct Clamp;

impl TypedPolicy<Add> for Clamp {
    fn name(&self) -> &str {
        "clamp"
    }
    async fn on_success(&self, _: &Add, _: &i64, _: &Success) -> Result<PostDecision<i64>, ToolError> {
        Ok(PostDecision::accept())
    }
}

fn host(dispatcher: Dispatcher) -> Dispatcher {
    dispatcher.policy_for::<Subtract>(Clamp)
}

fn main() {}
