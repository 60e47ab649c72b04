use tool_runtime::prelude::*;

struct Workspace;

/// Count.
#[derive(Tool)]
#[tool(output = i64, render = display)]
struct Count {}

impl Execute<Workspace> for Count {
    async fn execute(&self, _: &Context<Workspace>) -> Result<i64, ToolError> {
        Ok(1)
    }
}

fn register(registry: &mut Registry) -> Result<(), RegistrationError> {
    registry.tool::<Count>()?;
    Ok(())
}

fn main() {}
