use tool_runtime::prelude::*;

/// Count.
#[derive(Tool)]
#[tool(output = i64, render = display)]
struct Count {}

fn register(registry: &mut Registry) -> Result<(), RegistrationError> {
    registry.tool::<Count>()?;
    Ok(())
}

fn main() {}
