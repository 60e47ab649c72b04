use tool_runtime::prelude::*;

/// Add a line to a file.
#[derive(Tool)]
#[tool(output = u64, render = display)]
struct Append {
    /// The file.
    path: String,
}

impl Resources for Append {
    fn resources(&self) -> Vec<Access> {
        vec![Access::write(self.path.as_str())]
    }
}

impl Execute for Append {
    async fn execute(&self, _: &Context) -> Result<u64, ToolError> {
        Ok(1)
    }
}

fn main() {}
