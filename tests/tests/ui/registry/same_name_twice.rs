use tool_runtime::prelude::*;

/// Read a file.
#[derive(Tool)]
#[tool(output = String, render = display, name = "read")]
struct ReadFile {}

impl Execute for ReadFile {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

/// Read a page.
#[derive(Tool)]
#[tool(output = String, render = display, name = "read")]
struct ReadPage {}

impl Execute for ReadPage {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn tools() -> Result<Registry, RegistrationError> {
    toolset! { () => [ReadFile, ReadPage] }
}

fn main() {}
