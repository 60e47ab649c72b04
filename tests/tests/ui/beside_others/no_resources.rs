use tool_runtime::prelude::*;

/// Adds a line to a file.
#[derive(Tool)]
#[tool(output = u64, render = json, resources)]
struct Append {
    path: String,
}

impl Resources for Append {
    fn resources(&self) -> Vec<Access> {
        vec![Access::write(&self.path)]
    }
}

/// Empties a file.
#[derive(Tool)]
#[tool(output = u64, render = json, resources)]
struct Empty {
    path: String,
}

fn main() {}
