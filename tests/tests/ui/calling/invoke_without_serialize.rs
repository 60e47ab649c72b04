use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    query: String,
}

async fn host(dispatcher: Dispatcher) -> Result<String, Failure> {
    dispatcher.invoke(Find { query: "rust".into() }).await
}

fn main() {}
