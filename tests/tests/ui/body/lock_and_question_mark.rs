use std::sync::Mutex;

use tool_runtime::prelude::*;

/// Count the calls.
#[derive(Tool)]
#[tool(output = u32, render = json)]
struct CountCalls {}

impl Execute<Mutex<u32>> for CountCalls {
    async fn execute(&self, cx: &Context<Mutex<u32>>) -> Result<u32, ToolError> {
        let mut calls = cx.state().lock()?;
        *calls += 1;
        Ok(*calls)
    }
}

fn main() {}
