//! Execute: the body, under time and cancellation, its panics contained, its value accepted.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;

use super::effects::{after_start, possible};
use super::{CallOptions, Limits};
use crate::definition::{Definition, Executed, Refused};
use crate::error::{Code, Effects, Retry, ToolError};
use crate::panics::Contained;
use crate::tool::{Call, CanonicalValue};

/// Why a body is told to stop.
#[derive(Clone, Copy)]
enum Stop {
    Cancelled,
    TimeUp(Duration),
}

/// How a body ended.
enum Ended {
    Returned(Executed),
    Panicked(String),
    Dropped,
}

impl From<Result<Executed, String>> for Ended {
    fn from(ended: Result<Executed, String>) -> Self {
        match ended {
            Ok(executed) => Self::Returned(executed),
            Err(panic) => Self::Panicked(panic),
        }
    }
}

pub(super) async fn execute(
    definition: &Definition,
    call: &Call,
    options: &CallOptions,
    limits: &Limits,
) -> Result<CanonicalValue, ToolError> {
    let limit = definition.spec.behaviour.time_limit();
    // The clock that the timers run on, which a test may hold. A call without a limit does not look at it.
    let limited = limit.is_some() || options.deadline.is_some();
    let started = limited.then(|| Instant::now().into_std());
    let own = started.zip(limit).and_then(|(started, limit)| started.checked_add(limit));
    let deadline = [own, options.deadline].into_iter().flatten().min();
    if let Some(deadline) = deadline {
        call.set_deadline(deadline);
    }

    // The body's first part may run before its future exists, and panic there.
    let mut body = Contained::new(|| definition.tool.execute(call, &definition.output))
        .map_err(|panic| panicked(definition, &panic))?;
    // Many bodies never wait, and then there is nothing to stop.
    let at_once = poll_fn(|cx| match Pin::new(&mut body).poll(cx) {
        Poll::Ready(ended) => Poll::Ready(Some(ended)),
        Poll::Pending => Poll::Ready(None),
    });
    if let Some(ended) = at_once.await {
        return conclude(definition, ended.into(), None);
    }
    let waiting = Waiting { body, call, options, started, grace: limits.grace };
    let (ended, stop) = Box::pin(waiting.ended()).await;
    conclude(definition, ended, stop)
}

/// A body that waits for something.
struct Waiting<'a> {
    body: Contained<'a, Executed>,
    call: &'a Call,
    options: &'a CallOptions,
    /// Set if the time is limited.
    started: Option<std::time::Instant>,
    grace: Duration,
}

impl Waiting<'_> {
    /// How it ended, and why it was told to stop, if it was.
    async fn ended(mut self) -> (Ended, Option<Stop>) {
        match until(&mut self.body, stop(self.call, self.options, self.started)).await {
            Ok(ended) => (ended, None),
            Err(stop) => {
                self.call.cancellation().cancel();
                let ended = tokio::time::timeout(self.grace, &mut self.body).await.map_or(Ended::Dropped, Ended::from);
                if let Ended::Dropped = ended {
                    self.call.warn(dropped(stop, self.grace));
                }
                (ended, Some(stop))
            }
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

/// Ends when the body is to stop.
async fn stop(call: &Call, options: &CallOptions, started: Option<std::time::Instant>) -> Stop {
    let cancelled = options.cancellation.cancelled_elsewhere();
    let Some(deadline) = call.deadline() else {
        cancelled.await;
        return Stop::Cancelled;
    };
    match tokio::time::timeout_at(deadline.into(), cancelled).await {
        Ok(()) => Stop::Cancelled,
        Err(_) => Stop::TimeUp(started.map_or(Duration::ZERO, |start| deadline.saturating_duration_since(start))),
    }
}

/// The body's end, or the reason to stop it if that comes first. An end that is ready wins.
async fn until(body: &mut Contained<'_, Executed>, stop: impl Future<Output = Stop>) -> Result<Ended, Stop> {
    let mut stop = pin!(stop);
    poll_fn(|cx| {
        if let Poll::Ready(ended) = Pin::new(&mut *body).poll(cx) {
            return Poll::Ready(Ok(ended.into()));
        }
        stop.as_mut().poll(cx).map(Err)
    })
    .await
}

/// What the model is told of a body's end. A body that failed keeps its own error if it was cancelled, not if its time
/// was up: then the error is most likely of the time's making.
fn conclude(definition: &Definition, ended: Ended, stop: Option<Stop>) -> Result<CanonicalValue, ToolError> {
    match (ended, stop) {
        (ended, Some(Stop::TimeUp(limit))) => {
            let message = format!("tool call timed out after {}ms", limit.as_millis());
            let effects = told_effects(&ended).unwrap_or_else(|| possible(definition));
            Err(after_start(Code::TIMEOUT, message, effects))
        }
        (Ended::Panicked(text), _) => Err(panicked(definition, &text)),
        (Ended::Returned(Executed::Failed(error)), _) => Err(known_effects(definition, error)),
        (Ended::Returned(Executed::Refused(refused)), _) => Err(invalid_output(definition, &refused)),
        (Ended::Returned(Executed::Accepted(value)), None) => Ok(value),
        (Ended::Returned(Executed::Accepted(_)) | Ended::Dropped, _) => Err(aborted(definition)),
    }
}

/// The failure of a call whose deadline had passed before its body was entered.
pub(super) fn too_late() -> ToolError {
    ToolError::new(Code::TIMEOUT, "the time for this call was over before the tool ran")
        .effects(Effects::None)
        .retry(Retry::Safe)
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

fn known_effects(definition: &Definition, error: ToolError) -> ToolError {
    match error.known_effects() {
        Effects::Unknown if definition.spec.behaviour.is_read_only() == Some(true) => error.effects(Effects::None),
        _ => error,
    }
}
