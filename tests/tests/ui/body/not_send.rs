use tool_runtime::prelude::*;

use std::rc::Rc;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    query: String,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        let shared = Rc::new(1);
        std::future::ready(()).await;
        Ok(shared.to_string())
    }
}

fn main() {}
