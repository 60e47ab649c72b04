use tool_runtime::prelude::*;

struct Plain;

fn register(registry: &mut Registry) -> Result<(), RegistrationError> {
    registry.tool::<Plain>()?;
    Ok(())
}

fn main() {}
