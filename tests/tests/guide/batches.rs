//! The calls of one turn of a model.

use std::time::Duration;

use tool_runtime::prelude::*;

// ANCHOR: tools
/// Fetch a page.
#[derive(Tool)]
#[tool(output = String, render = display, read_only, parallel)]
struct Fetch {
    /// The page.
    page: String,
}

/// Save what was found.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Save {
    /// Under which name.
    name: String,
}
// ANCHOR_END: tools

impl Execute for Fetch {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        let time = if self.page == "long" { 3 } else { 1 };
        tokio::time::sleep(Duration::from_secs(time)).await;
        Ok(format!("the {} page", self.page))
    }
}

impl Execute for Save {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("saved as {}", self.name))
    }
}

// ANCHOR: batch
/// Hands over each result as soon as it and all before it are there.
pub(super) async fn turn(dispatcher: &Dispatcher, calls: Vec<ToolCall<'_>>) -> String {
    let started = tokio::time::Instant::now();
    let mut shown = Vec::new();
    let mut batch = dispatcher.batch(calls, CallOptions::default());
    while let Some(result) = batch.next().await {
        let seconds = started.elapsed().as_secs();
        shown.push(format!("after {seconds} s, {}: {}", result.call_id(), result.content().to_text()));
    }
    shown.join("\n")
}
// ANCHOR_END: batch

#[tokio::test(start_paused = true)]
async fn results_come_in_the_order_of_the_calls() {
    let dispatcher = Dispatcher::new(toolset! { () => [Fetch, Save] }.unwrap());
    let calls = vec![
        ToolCall::new("call-1", "fetch", r#"{"page": "long"}"#),
        ToolCall::new("call-2", "fetch", r#"{"page": "short"}"#),
        ToolCall::new("call-3", "save", r#"{"name": "both"}"#),
        ToolCall::new("call-4", "fetch", r#"{"page": "last"}"#),
    ];
    super::assert_shown("batch.txt", &turn(&dispatcher, calls).await);
}
