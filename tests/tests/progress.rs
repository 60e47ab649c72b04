//! What a body reports of how far it is: in order, bounded, and of no consequence for the call.

use std::time::Duration;

use tokio::time::sleep;
use tool_runtime::prelude::*;
use tool_runtime::{Progress, ProgressReceiver, ProgressUpdate, progress_channel};

/// Count to a number.
#[derive(Tool)]
#[tool(output = u64, render = display, parallel)]
struct Count {
    to: u64,
    #[serde(default)]
    millis: u64,
}

impl Execute for Count {
    async fn execute(&self, cx: &Context) -> Result<u64, ToolError> {
        for number in 1..=self.to {
            cx.progress(Progress::of(number, self.to));
            if self.millis > 0 {
                sleep(Duration::from_millis(self.millis)).await;
            }
        }
        cx.progress("counted");
        Ok(self.to)
    }
}

fn dispatcher() -> Dispatcher {
    tests::dispatcher_of::<Count>()
}

fn count(id: &'static str, arguments: &'static str) -> ToolCall<'static> {
    ToolCall::new(id, "count", arguments)
}

fn watched(most: usize) -> (CallOptions, ProgressReceiver) {
    let (progress, watcher) = progress_channel(most);
    (CallOptions { progress: Some(progress), ..CallOptions::default() }, watcher)
}

async fn rest(mut watcher: ProgressReceiver) -> Vec<ProgressUpdate> {
    let mut updates = Vec::new();
    while let Some(update) = watcher.next().await {
        updates.push(update);
    }
    updates
}

fn shown(updates: &[ProgressUpdate]) -> Vec<String> {
    let show = |update: &ProgressUpdate| match (update.progress.done(), update.progress.text()) {
        (Some(done), _) => format!("{} {done}/{}", update.call_id, update.progress.total().unwrap()),
        (None, text) => format!("{} {}", update.call_id, text.unwrap()),
    };
    updates.iter().map(show).collect()
}

#[tokio::test(start_paused = true)]
async fn reports_come_in_order_while_the_body_runs_and_end_with_the_call() {
    let (options, mut watcher) = watched(16);
    let started = tokio::time::Instant::now();
    let watch = async {
        let mut seen = Vec::new();
        while let Some(update) = watcher.next().await {
            seen.push((started.elapsed().as_millis(), shown(&[update]).remove(0)));
        }
        seen
    };
    let dispatcher = dispatcher();
    let (result, seen) = tokio::join!(dispatcher.call_with(count("c", r#"{"to":3,"millis":10}"#), options), watch);
    assert_eq!(result.content().to_text(), "3", "nothing of it is in the result");
    let seen: Vec<(u128, &str)> = seen.iter().map(|(at, shown)| (*at, shown.as_str())).collect();
    assert_eq!(seen, [(0, "c 1/3"), (10, "c 2/3"), (20, "c 3/3"), (30, "c counted")]);
}

#[tokio::test]
async fn a_watcher_that_does_not_watch_costs_no_more_than_the_channel_holds() {
    for most in [0, 1, 3] {
        let (options, watcher) = watched(most);
        let result = dispatcher().call_with(count("c", r#"{"to":100000}"#), options).await;
        assert!(result.is_success());
        let updates = rest(watcher).await;
        assert_eq!(updates.len(), most.max(1), "the last ones are kept");
        assert_eq!(updates.last().unwrap().progress, Progress::message("counted"));
        let told: u64 = updates.iter().map(|update| update.skipped + 1).sum();
        assert_eq!(told, 100_001, "what was dropped is counted");
    }
}

#[tokio::test]
async fn nobody_needs_to_watch() {
    assert!(dispatcher().call(count("c", r#"{"to":5}"#)).await.is_success());
    let (options, watcher) = watched(4);
    drop(watcher);
    assert!(dispatcher().call_with(count("c", r#"{"to":5}"#), options).await.is_success());
}

#[tokio::test(start_paused = true)]
async fn the_calls_of_a_batch_report_to_one_watcher_under_their_ids() {
    let (options, watcher) = watched(16);
    let dispatcher = dispatcher();
    let calls = vec![count("one", r#"{"to":2,"millis":20}"#), count("two", r#"{"to":1,"millis":30}"#)];
    let (results, updates) = tokio::join!(dispatcher.batch(calls, options).all(), rest(watcher));
    assert_eq!(results.len(), 2);
    assert_eq!(shown(&updates), ["one 1/2", "two 1/1", "one 2/2", "two counted", "one counted"]);
}

#[tokio::test]
async fn the_reports_end_with_the_call_though_its_result_is_held() {
    let (options, watcher) = watched(4);
    let result = dispatcher().call_with(count("c", r#"{"to":1}"#), options).await;
    // The result is still held, and the channel has ended all the same.
    assert_eq!(shown(&rest(watcher).await), ["c 1/1", "c counted"]);
    drop(result);
}

#[test]
fn messages_are_cut_at_a_character() {
    let long = Progress::message("é".repeat(1000));
    assert_eq!(long.text().unwrap().len(), 1024);
    let odd = Progress::message(format!("a{}", "é".repeat(1000)));
    assert_eq!(odd.text().unwrap().len(), 1023);
}
