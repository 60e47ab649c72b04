//! What a host sees of calls: receipts, the trace, observers, spans, and what is repeated.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use tool_runtime::prelude::*;
use tool_runtime::seam::Observer;
use tool_runtime::{Next, Receipt, Recorded, Repeats, serde_json};

/// Publish a post.
#[derive(Tool)]
#[tool(output = String, render = display, open_world)]
struct PublishPost {
    /// What it is called.
    title: String,
}

impl Execute for PublishPost {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        match self.title.as_str() {
            "Lost" => Err(ToolError::msg("the connection was lost")),
            "Full" => Err(ToolError::msg("the outbox is full").effects(Effects::None).retry(Retry::Safe)),
            title => Ok(format!("published {title:?}")),
        }
    }
}

// ANCHOR: loop
/// What a host does after a call.
fn after(receipt: &Receipt) -> &'static str {
    match receipt.next {
        Next::Nothing | Next::Correct | Next::GiveUp => "go on: the model reads the result",
        Next::RetryNow | Next::RetryAfter(_) => "call again",
        Next::CheckFirst => "have somebody look",
        Next::Stop => "end the run",
        _ => "ask the model",
    }
}
// ANCHOR_END: loop

fn dispatcher() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<PublishPost>().expect("the tool is sound");
    Dispatcher::new(registry)
}

async fn publish(dispatcher: &Dispatcher, title: &str) -> ToolResult {
    let arguments = serde_json::json!({"title": title}).to_string();
    dispatcher.call(ToolCall::new("call-1", "publish_post", arguments)).await
}

#[tokio::test]
async fn a_receipt_tells_a_host_what_to_do() {
    let dispatcher = dispatcher();
    let mut shown = String::new();
    for title in ["News", "Full", "Lost"] {
        let receipt = publish(&dispatcher, title).await.receipt();
        writeln!(shown, "{title}: {receipt}\n  => {}", after(&receipt)).unwrap();
    }
    super::assert_shown("receipts.txt", &shown);
}

// ANCHOR: observer
/// Keeps a line for each call.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Observer for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn on_result(&self, result: &ToolResult) {
        let receipt = serde_json::to_string(&result.receipt()).expect("a receipt is plain data");
        let line = format!("{} {} {receipt}", result.call_id(), result.tool_name());
        self.0.lock().expect("nobody panics with it").push(line);
    }
}
// ANCHOR_END: observer

#[tokio::test]
async fn an_observer_keeps_receipts() {
    let log = Log::default();
    let dispatcher = dispatcher().observer(log.clone());
    for title in ["News", "Lost"] {
        let _ = publish(&dispatcher, title).await;
    }
    super::assert_shown("receipt_log.txt", &log.0.lock().unwrap().join("\n"));
}

// ANCHOR: record
fn recording() -> Dispatcher {
    dispatcher().record(Recorded::nothing().arguments().results().at_most(2048))
}
// ANCHOR_END: record

#[tokio::test]
async fn what_is_recorded_changes_nothing_of_a_result() {
    assert_eq!(publish(&recording(), "News").await.content(), publish(&dispatcher(), "News").await.content());
}

// ANCHOR: repeats
fn watched() -> Result<Dispatcher, Box<dyn std::error::Error>> {
    let repeats = Repeats::new().thresholds([2, 3])?.exclude("wait_*")?.stop_at(4)?;
    Ok(dispatcher().repeats(repeats))
}
// ANCHOR_END: repeats

#[tokio::test]
async fn a_repeated_call_is_told_and_stopped() {
    let dispatcher = watched().unwrap();
    let mut shown = String::new();
    for call in 1..=4 {
        let result = publish(&dispatcher, "Lost").await;
        writeln!(shown, "{call}. {}", result.content().to_text()).unwrap();
        for context in result.contexts() {
            writeln!(shown, "   context  {}", context.to_text().replace('\n', "\n            ")).unwrap();
        }
    }
    super::assert_shown("repeats.txt", &shown);
}
