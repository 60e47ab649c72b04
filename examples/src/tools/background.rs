//! Running what blocks beside the async runtime.

use crate::failure::Failure;
use crate::stop::Stop;
use crate::workspace::Workspace;
use tool_runtime::{Context, ToolError};

/// Runs work with files on a thread where it may block. It is told to stop when the call is cancelled, when its time is
/// up, and when nobody polls this future any more.
pub(super) async fn in_background<T: Send + 'static>(
    cx: &Context<Workspace>,
    work: impl FnOnce(&Workspace, &Stop) -> Result<T, Failure> + Send + 'static,
) -> Result<T, ToolError> {
    cx.blocking(|cx| Ok(work(cx.state(), &Stop::of(cx.cancellation()))?)).await
}

/// Tells the model what a search could not look at: the value is complete but for this.
pub(super) fn report_skipped(cx: &Context<Workspace>, skipped: &[String]) {
    /// The most that are named.
    const NAMED: usize = 10;
    if skipped.is_empty() {
        return;
    }
    let mut report = format!("Paths that {} could not look at: {}", cx.tool_name(), skipped.len());
    for what in skipped.iter().map(String::as_str).take(NAMED).chain((skipped.len() > NAMED).then_some("…")) {
        report.push_str("\n- ");
        report.push_str(what);
    }
    cx.add_context(report);
}
