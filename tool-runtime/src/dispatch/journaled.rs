//! What the journal of a call is told: that it may run, and what came of it.

use std::borrow::Cow;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use super::under_way::Dispatch;
use crate::definition::{BoxFuture, is_nothing, masked_whole};
use crate::error::{Code, Effects, ToolError};
use crate::panics::Contained;
use crate::result::ToolResult;
use crate::seam::{JournalCall, JournalEnd, JournalHandle, Recording};
use crate::tool::{Call, CallHead};

/// A call that its journal was told of. If the call is dropped before it has a result, the journal is told that, too.
pub(super) struct Kept {
    journal: JournalHandle,
    call_id: String,
    tool_name: String,
    arguments: String,
    /// The ids of the outermost call and of the one whose body makes this one.
    nested: Option<(String, String)>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The journal was told of the call; nothing is known of whether it took it.
    Told,
    /// It did not take it.
    Refused,
    /// It has it, and waits for the result.
    Taken,
    /// It was told of the result.
    Ended,
}

impl Dispatch<'_> {
    /// Tells the journal that the call is about to run, and waits until it has it, or the caller cancels.
    ///
    /// # Errors
    /// The journal does not take the call, so it does not run.
    pub(super) fn keep_call(&mut self) -> BoxFuture<'_, Result<(), ToolError>> {
        self.keep(false)
    }

    fn keep(&mut self, may_hold_secrets: bool) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(async move {
            let Some(kept) = Kept::of(self, may_hold_secrets) else { return Ok(()) };
            let kept = self.kept.insert(Box::new(kept));
            let taken = {
                let call = kept.call();
                let mut told = pin!(contained(|| kept.journal.called(&call)));
                let mut cancelled = pin!(self.options.cancellation.cancelled_elsewhere());
                poll_fn(|cx| match (told.as_mut().poll(cx), cancelled.as_mut().poll(cx)) {
                    (Poll::Ready(taken), _) => Poll::Ready(Some(taken)),
                    (Poll::Pending, Poll::Ready(())) => Poll::Ready(None),
                    (Poll::Pending, Poll::Pending) => Poll::Pending,
                })
                .await
            };
            match taken {
                Some(Ok(())) => kept.state = State::Taken,
                Some(Err(error)) => {
                    kept.state = State::Refused;
                    return Err(log_failed(&error));
                }
                // Cancelled while the journal had not answered: the call does not run, and the result follows.
                None => {}
            }
            Ok(())
        })
    }

    /// Tells the journal of a call that failed before it was about to run. One that reached no tool may have been meant for one
    /// with secrets.
    pub(super) fn keep_refused_call(&mut self, may_hold_secrets: bool) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if self.kept.is_none()
                && let Err(error) = self.keep(may_hold_secrets).await
            {
                self.trace.warn(format!("the journal did not take the call: {}", cause(&error)));
            }
        })
    }

    /// Tells the journal of the result, and waits until it has it.
    pub(super) fn keep_result<'a>(&'a mut self, result: &'a mut ToolResult, limit: usize) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let Some(kept) = &mut self.kept else { return };
            if kept.state == State::Refused {
                return;
            }
            kept.state = State::Ended;
            let kept_result = {
                let content = result.logged_content(limit);
                let (call, end) = (kept.call(), JournalEnd { result, content: &content });
                contained(|| kept.journal.ended(&call, &end)).await
            };
            if let Err(error) = kept_result {
                result.trace_mut().warn(format!("the journal did not take the result: {error}"));
            }
        })
    }
}

/// The one place through which the arguments pass that a journal gets, of calls of models and of bodies alike: what is secret
/// in them has a mark in its place.
fn journals_arguments<'a>(dispatch: &'a Dispatch<'_>, is_nested: bool, may_hold_secrets: bool) -> Cow<'a, str> {
    let arguments: Cow<'_, str> = match &dispatch.arguments {
        Some(checked) if is_nested => checked.tree().to_string().into(),
        _ => dispatch.text.unwrap_or_default().into(),
    };
    let masked = match dispatch.definition {
        Some(definition) if definition.has_secrets() => definition.logged_arguments(&arguments).into_owned().into(),
        None if may_hold_secrets && !is_nothing(&arguments) => masked_whole().into(),
        _ => arguments,
    };
    match dispatch.scrubbed(&masked) {
        Cow::Owned(scrubbed) => scrubbed.into(),
        Cow::Borrowed(_) => masked,
    }
}

impl Kept {
    fn of(dispatch: &Dispatch<'_>, may_hold_secrets: bool) -> Option<Self> {
        let journal = dispatch.options.journal.clone()?;
        let (call_id, tool_name, parent) = if let Some(call) = &dispatch.call {
            (call.id(), call.tool_name(), call.parent())
        } else {
            let CallHead { id, tool_name, parent, .. } = &dispatch.head;
            (id.as_str(), &**tool_name, parent.as_deref())
        };
        let nested = parent.map(|parent: &Call| (parent.root().id().to_owned(), parent.id().to_owned()));
        let arguments = journals_arguments(dispatch, nested.is_some(), may_hold_secrets);
        Some(Self {
            journal,
            call_id: call_id.to_owned(),
            tool_name: tool_name.to_owned(),
            arguments: arguments.into_owned(),
            nested,
            state: State::Told,
        })
    }

    fn call(&self) -> JournalCall<'_> {
        JournalCall {
            call_id: &self.call_id,
            tool_name: &self.tool_name,
            arguments: &self.arguments,
            nested: self.nested.as_ref().map(|(root, parent)| (&**root, &**parent)),
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if matches!(self.state, State::Told | State::Taken) {
            // A host's code: what it panics with has nobody to go to.
            let _ = crate::panics::contain(|| self.journal.dropped(&self.call()));
        }
    }
}

/// A journal that panics has failed.
async fn contained<'a>(record: impl FnOnce() -> Recording<'a>) -> Result<(), ToolError> {
    let told = async { Contained::new(|| record())?.await };
    match told.await {
        Ok(told) => told,
        Err(panic) => Err(ToolError::msg(format!("the journal panicked: {panic}"))),
    }
}

/// The model is told that nothing ran; the host finds the cause.
fn log_failed(error: &ToolError) -> ToolError {
    let message = "the call could not be recorded in the session's log, so the tool has not run; do not go on without \
                   telling the user";
    ToolError::new(Code::LOG_FAILED, message).effects(Effects::None).with_source(Cause(error.message().to_owned()))
}

fn cause(error: &ToolError) -> String {
    error.source().map_or_else(|| error.message().to_owned(), ToString::to_string)
}

/// What a journal failed with.
#[derive(Debug)]
struct Cause(String);

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Cause {}
