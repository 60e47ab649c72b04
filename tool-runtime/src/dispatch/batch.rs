//! The calls of one turn of a model.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::schedule::Schedule;
use super::{CallOptions, Dispatcher, ToolCall};
use crate::definition::BoxFuture;
use crate::result::ToolResult;
use crate::tool::Call;

/// The calls of one turn of a model, under way: results come in the order of the calls, each as soon as it and all before it
/// are there.
///
/// Calls of tools that are `parallel` overlap, at most [`Limits::parallel_calls`](crate::Limits) at a time. Those of tools
/// with [`Resources`](crate::Resources) overlap with all that they don't conflict with. A call of any other tool runs alone:
/// those before it have ended, and those after it have not begun. Whatever finishes first, calls are
/// judged before execution one at a time and in their order, and so are results after it.
///
/// The calls go on while a result is waited for, and only then. Whoever drops the batch drops the bodies that run.
///
/// ```
/// # use tool_runtime::prelude::*;
/// # /// Add two integers.
/// # #[derive(Tool)] #[tool(output = i64, render = display, parallel)] struct Add { a: i64, b: i64 }
/// # impl Execute for Add {
/// #     async fn execute(&self, _: &Context) -> Result<i64, ToolError> { Ok(self.a + self.b) }
/// # }
/// # async fn add(dispatcher: &Dispatcher) {
/// let calls = vec![
///     ToolCall::new("call-1", "add", r#"{"a": 1, "b": 2}"#),
///     ToolCall::new("call-2", "add", r#"{"a": 3, "b": 4}"#),
/// ];
/// let mut batch = dispatcher.batch(calls, CallOptions::default());
/// while let Some(result) = batch.next().await {
///     println!("{}: {}", result.call_id(), result.content().to_text());
/// }
/// # }
/// ```
#[must_use = "no call runs until `next` or `all` is awaited"]
pub struct Batch<'a> {
    schedule: Arc<Schedule>,
    /// Those without a result, in their order; the first is the next to be handed over.
    calls: Vec<Pending<'a>>,
    handed_over: usize,
}

enum Pending<'a> {
    Running(BoxFuture<'a, ToolResult>),
    Done(Option<Box<ToolResult>>),
}

impl<'a> Batch<'a> {
    /// The calls of a model, or those that the body of `parent` makes.
    pub(super) fn new(
        dispatcher: &'a Dispatcher,
        calls: Vec<ToolCall<'a>>,
        options: CallOptions,
        parent: Option<&Call>,
    ) -> Self {
        let schedule = Schedule::new(calls.len(), &dispatcher.0.limits);
        let options = std::iter::repeat_n(options, calls.len());
        let calls = calls.into_iter().zip(options).enumerate().map(|(index, (call, options))| {
            let turn = schedule.turn(index);
            let parent = parent.cloned().map(Box::new);
            Pending::Running(Box::pin(dispatcher.in_turn(call, options, parent, turn)))
        });
        Self { calls: calls.collect(), schedule, handed_over: 0 }
    }

    /// The next result, in the order of the calls; `None` once each has been handed over.
    pub async fn next(&mut self) -> Option<ToolResult> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// All results that are still to come, in the order of the calls.
    pub async fn all(mut self) -> Vec<ToolResult> {
        let mut results = Vec::with_capacity(self.calls.len() - self.handed_over);
        while let Some(result) = self.next().await {
            results.push(result);
        }
        results
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<ToolResult>> {
        loop {
            match self.calls.get_mut(self.handed_over) {
                None => return Poll::Ready(None),
                Some(Pending::Done(result)) => {
                    self.handed_over += 1;
                    return Poll::Ready(result.take().map(|result| *result));
                }
                Some(Pending::Running(_)) => {}
            }
            // What one call does may let another go on.
            let before = self.schedule.changes();
            for call in &mut self.calls[self.handed_over..] {
                call.poll(cx);
            }
            let first_is_done = matches!(self.calls[self.handed_over], Pending::Done(_));
            if !first_is_done && self.schedule.changes() == before {
                return Poll::Pending;
            }
        }
    }
}

impl Pending<'_> {
    fn poll(&mut self, cx: &mut Context<'_>) {
        if let Self::Running(future) = self
            && let Poll::Ready(result) = Pin::new(future).poll(cx)
        {
            *self = Self::Done(Some(Box::new(result)));
        }
    }
}

impl std::fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch")
            .field("calls", &self.calls.len())
            .field("handed_over", &self.handed_over)
            .finish_non_exhaustive()
    }
}
