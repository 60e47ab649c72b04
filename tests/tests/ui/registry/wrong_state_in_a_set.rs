use tool_runtime::prelude::*;

struct Workspace;
struct Database;

/// Count.
#[derive(Tool)]
#[tool(output = i64, render = display)]
struct Count {}

impl Execute<Workspace> for Count {
    async fn execute(&self, _: &Context<Workspace>) -> Result<i64, ToolError> {
        Ok(1)
    }
}

fn tools() -> Result<Registry, RegistrationError> {
    toolset! { Database => [Count] }
}

fn main() {}
