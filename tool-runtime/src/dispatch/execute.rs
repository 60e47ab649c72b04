//! Execute: the body, under time and cancellation, its panics contained, its value accepted.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;

use super::effects::{after_start, possible};
use super::span;
use crate::definition::{Definition, Executed, Refused};
use crate::error::{Code, Effects, Retry, ToolError};
use crate::panics::Contained;
use crate::tool::{Body, Call, Cancellation, CanonicalValue};

/// Why a body is told to stop.
#[derive(Clone, Copy)]
pub(super) enum Stop {
    Cancelled,
    TimeUp(Duration),
}

/// How a body ended.
enum Ended {
    Returned(Executed),
    Panicked(String),
    Dropped,
}

impl Ended {
    /// The same, as the receipt tells it.
    fn body(&self) -> Body {
        match self {
            Self::Returned(Executed::Accepted(_) | Executed::Refused(_)) => Body::Returned,
            Self::Returned(Executed::Failed(_)) => Body::Failed,
            Self::Panicked(_) => Body::Panicked,
            Self::Dropped => Body::Dropped,
        }
    }
}

impl From<Result<Executed, String>> for Ended {
    fn from(ended: Result<Executed, String>) -> Self {
        match ended {
            Ok(executed) => Self::Returned(executed),
            Err(panic) => Self::Panicked(panic),
        }
    }
}

/// What ends a body that does not end by itself.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'a> {
    /// The caller's.
    pub(super) cancellation: &'a Cancellation,
    /// The call's; a tool's own time limit may end a body earlier.
    pub(super) deadline: Option<std::time::Instant>,
    pub(super) grace: Duration,
}

pub(super) async fn execute(
    definition: &Arc<Definition>,
    call: &Call,
    bounds: Bounds<'_>,
) -> Result<CanonicalValue, ToolError> {
    call.enter_body();
    let Started { mut body, at } = Started::new(definition, call, bounds.deadline)?;
    // Many bodies never wait, and then there is nothing to stop.
    match at_once(&mut body).await {
        Some(end) => ended(definition, call, end),
        None => Box::pin(wait(body, at, definition, call, bounds)).await,
    }
}

/// A body that was entered, and not yet polled.
pub(super) struct Started {
    pub(super) body: Contained<'static, Executed>,
    /// Set if the time is limited.
    pub(super) at: Option<std::time::Instant>,
}

impl Started {
    pub(super) fn new(
        definition: &Arc<Definition>,
        call: &Call,
        deadline: Option<std::time::Instant>,
    ) -> Result<Self, ToolError> {
        let limit = definition.spec.behaviour.time_limit();
        // The clock that the timers run on, which a test may hold. A call without a limit does not look at it.
        let at = (limit.is_some() || deadline.is_some()).then(|| Instant::now().into_std());
        let own = at.zip(limit).and_then(|(at, limit)| at.checked_add(limit));
        if let Some(deadline) = [own, deadline].into_iter().flatten().min() {
            call.set_deadline(deadline);
        }
        // The body's first part may run before its future exists, and panic there.
        let body =
            Contained::new(|| definition.tool.execute(Arc::clone(definition), call.clone())).map_err(|panic| {
                call.end_body(Body::Panicked);
                panicked(definition, &panic)
            })?;
        Ok(Self { body, at })
    }
}

/// The end of a body that waits for something, and is told to stop if it is time.
pub(super) async fn wait(
    mut body: Contained<'_, Executed>,
    started: Option<std::time::Instant>,
    definition: &Definition,
    call: &Call,
    bounds: Bounds<'_>,
) -> Result<CanonicalValue, ToolError> {
    match until(&mut body, stop(bounds.cancellation, call.deadline(), started)).await {
        Ok(ended) => conclude(definition, call, ended.into(), None),
        Err(stop) => {
            span::told_to_stop(matches!(stop, Stop::TimeUp(_)));
            call.cancellation().cancel();
            let ended = tokio::time::timeout(bounds.grace, &mut body).await;
            if ended.is_err() {
                span::dropped(bounds.grace);
                call.warn(dropped(stop, bounds.grace));
            }
            conclude(definition, call, ended.map_or(Ended::Dropped, Ended::from), Some(stop))
        }
    }
}

/// What the host finds in the trace.
fn dropped(stop: Stop, grace: Duration) -> String {
    let why = match stop {
        Stop::Cancelled => "the caller cancelled",
        Stop::TimeUp(_) => "its time was up",
    };
    format!("the body did not end within the grace of {}ms after {why}, and was dropped", grace.as_millis())
}

/// What a body that has ended at once left.
pub(super) fn ended(
    definition: &Definition,
    call: &Call,
    ended: Result<Executed, String>,
) -> Result<CanonicalValue, ToolError> {
    conclude(definition, call, ended.into(), None)
}

/// What is there without waiting.
pub(super) async fn at_once<T>(code: &mut Contained<'_, T>) -> Option<Result<T, String>> {
    poll_fn(|cx| match Pin::new(&mut *code).poll(cx) {
        Poll::Ready(ended) => Poll::Ready(Some(ended)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// Ends when what was `started` is to stop.
pub(super) async fn stop(
    cancellation: &Cancellation,
    deadline: Option<std::time::Instant>,
    started: Option<std::time::Instant>,
) -> Stop {
    let cancelled = cancellation.cancelled_elsewhere();
    let Some(deadline) = deadline else {
        cancelled.await;
        return Stop::Cancelled;
    };
    match tokio::time::timeout_at(deadline.into(), cancelled).await {
        Ok(()) => Stop::Cancelled,
        Err(_) => Stop::TimeUp(started.map_or(Duration::ZERO, |start| deadline.saturating_duration_since(start))),
    }
}

/// The end of such code, or the reason to stop it if that comes first. An end that is ready wins.
pub(super) async fn until<T>(
    code: &mut Contained<'_, T>,
    stop: impl Future<Output = Stop>,
) -> Result<Result<T, String>, Stop> {
    let mut stop = pin!(stop);
    poll_fn(|cx| {
        if let Poll::Ready(ended) = Pin::new(&mut *code).poll(cx) {
            return Poll::Ready(Ok(ended));
        }
        stop.as_mut().poll(cx).map(Err)
    })
    .await
}

/// What the model is told of a body's end. A body that failed keeps its own error if it was cancelled, not if its time
/// was up: then the error is most likely of the time's making.
fn conclude(
    definition: &Definition,
    call: &Call,
    ended: Ended,
    stop: Option<Stop>,
) -> Result<CanonicalValue, ToolError> {
    call.end_body(ended.body());
    match (ended, stop) {
        (ended, Some(Stop::TimeUp(limit))) => {
            let effects = told_effects(&ended).unwrap_or_else(|| possible(definition));
            Err(timed_out(limit, effects))
        }
        (Ended::Panicked(text), _) => Err(panicked(definition, &text)),
        (Ended::Returned(Executed::Failed(error)), _) => Err(known_effects(definition, error)),
        (Ended::Returned(Executed::Refused(refused)), _) => Err(invalid_output(definition, &refused)),
        (Ended::Returned(Executed::Accepted(value)), None) => Ok(value),
        (Ended::Returned(Executed::Accepted(_)) | Ended::Dropped, _) => Err(aborted(definition)),
    }
}

/// The failure of a call whose time was up once its body had started.
pub(super) fn timed_out(after: Duration, effects: Effects) -> ToolError {
    after_start(Code::TIMEOUT, format!("tool call timed out after {}ms", after.as_millis()), effects)
}

/// Whether there is a deadline, and it is over.
pub(super) fn has_passed(deadline: Option<std::time::Instant>) -> bool {
    deadline.is_some_and(|deadline| deadline <= Instant::now().into_std())
}

/// The failure of a call whose deadline had passed before its body was entered.
pub(super) fn too_late() -> ToolError {
    ToolError::new(Code::TIMEOUT, "the time for this call was over before the tool ran")
        .effects(Effects::None)
        .retry(Retry::Safe)
}

/// The same where a layer wanted to run it once more.
pub(super) fn too_late_again(definition: &Definition) -> ToolError {
    let message = "the time for this call was over before the tool ran again".to_owned();
    after_start(Code::TIMEOUT, message, possible(definition))
}

/// The failure of a call that was cancelled once its body had started.
pub(super) fn aborted(definition: &Definition) -> ToolError {
    after_start(Code::ABORTED, "tool call aborted".to_owned(), possible(definition))
}

/// The failure of a value that is no legal output; the body has run by then.
pub(super) fn invalid_output(definition: &Definition, refused: &Refused) -> ToolError {
    let message = format!("tool {:?} returned invalid output: {}", &*definition.name, refused.join("; "));
    after_start(Code::INVALID_TOOL_OUTPUT, message, possible(definition)).retry(Retry::Never)
}

fn panicked(definition: &Definition, text: &str) -> ToolError {
    after_start(Code::PANICKED, format!("tool {:?} panicked: {text}", &*definition.name), possible(definition))
}

/// What a body said of its effects when it failed.
fn told_effects(ended: &Ended) -> Option<Effects> {
    match ended {
        Ended::Returned(Executed::Failed(error)) => Some(error.known_effects()),
        _ => None,
    }
    .filter(|effects| *effects != Effects::Unknown)
}

pub(super) fn known_effects(definition: &Definition, error: ToolError) -> ToolError {
    match error.known_effects() {
        Effects::Unknown if definition.spec.behaviour.is_read_only() == Some(true) => error.effects(Effects::None),
        _ => error,
    }
}
