//! How far a body is, for who watches.

use tool_runtime::prelude::*;
use tool_runtime::{Progress, progress_channel};

// ANCHOR: body
/// Read all notes.
#[derive(Tool)]
#[tool(output = String, render = display, read_only)]
struct ReadAll {}

impl Execute for ReadAll {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        cx.progress("looking for notes");
        for read in 1..=3 {
            cx.progress(Progress::of(read, 3));
        }
        Ok("three notes".to_owned())
    }
}
// ANCHOR_END: body

// ANCHOR: watch
async fn watched(dispatcher: &Dispatcher) -> Vec<String> {
    let (progress, mut watcher) = progress_channel(16);
    let options = CallOptions { progress: Some(progress), ..CallOptions::default() };
    let call = dispatcher.call_with(ToolCall::without_arguments("call-1", "read_all"), options);
    let watch = async {
        let mut seen = Vec::new();
        while let Some(update) = watcher.next().await {
            seen.push(match (update.progress.done(), update.progress.total(), update.progress.text()) {
                (Some(done), Some(total), _) => format!("{}: {done} of {total}", update.call_id),
                (_, _, text) => format!("{}: {}", update.call_id, text.unwrap_or_default()),
            });
        }
        seen
    };
    let (_result, seen) = tokio::join!(call, watch);
    seen
}
// ANCHOR_END: watch

#[tokio::test]
async fn who_watches_sees_how_far_it_is() {
    let dispatcher = Dispatcher::new(toolset! { () => [ReadAll] }.unwrap());
    super::assert_shown("progress.txt", &watched(&dispatcher).await.join("\n"));
}
