//! Work that keeps a thread busy, beside the async runtime.

use std::panic::resume_unwind;

use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use crate::error::{Code, Retry, ToolError};
use crate::tool::Cancellation;

/// Runs the work on a thread where it may block, and tells it through `cancellation` when nobody waits for it any more.
pub(super) async fn run<T: Send + 'static>(
    cancellation: Cancellation,
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    let runtime = Handle::try_current().map_err(|_| without_runtime())?;
    // What the work tells is the call's, on whatever thread it runs.
    let span = tracing::Span::current();
    let running = runtime.spawn_blocking(move || span.in_scope(work));
    let mut waited_for = WaitedFor { running: Some(running.abort_handle()), cancellation };
    let ended = running.await;
    waited_for.running = None;
    match ended {
        Ok(ended) => ended,
        Err(error) => match error.try_into_panic() {
            // The body's own panic, which is told like any other.
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(shut_down()),
        },
    }
}

/// Work that somebody waits for, until this is dropped.
struct WaitedFor {
    running: Option<AbortHandle>,
    cancellation: Cancellation,
}

impl Drop for WaitedFor {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            self.cancellation.cancel();
            // Which only keeps from beginning what has not begun.
            running.abort();
        }
    }
}

fn without_runtime() -> ToolError {
    let message = "this tool blocks a thread, and needs a tokio runtime for that; the host called it outside of one";
    ToolError::new(Code::EXECUTION_ERROR, message).retry(Retry::Never)
}

fn shut_down() -> ToolError {
    ToolError::new(Code::EXECUTION_ERROR, "the host shut down before the tool could do its work")
}
