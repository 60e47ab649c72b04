//! A host's code, awaited: its panics contained, its time limited, and not waited for once the caller has cancelled.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use crate::definition::BoxFuture;
use crate::panics::{Contained, contain};
use crate::tool::Cancellation;

/// Why a host's code gave no answer.
pub(super) enum NoAnswer {
    /// It failed or panicked; in words for the host.
    Failed(String),
    TimeUp,
    /// The caller cancelled before it answered.
    Cancelled,
}

/// Whether the runtime that the call is on can tell the time: tokio panics for who asks a runtime that can't.
pub(super) fn has_timers() -> bool {
    contain(|| drop(tokio::time::sleep(Duration::ZERO))).is_ok()
}

/// The answer. One that is ready wins over time and cancelling, and needs no timer.
pub(super) async fn answer<'a, T, E: ToString>(
    ask: impl FnOnce() -> BoxFuture<'a, Result<T, E>>,
    time: Duration,
    cancellation: Option<&Cancellation>,
) -> Result<T, NoAnswer> {
    let mut asked = Contained::new(ask).map_err(NoAnswer::Failed)?;
    let at_once = poll_fn(|cx| match Pin::new(&mut asked).poll(cx) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending => Poll::Ready(None),
    });
    let answer = match at_once.await {
        Some(answer) => answer,
        None => patiently(asked, time, cancellation).await?,
    };
    match answer {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(NoAnswer::Failed(error.to_string())),
        Err(panic) => Err(NoAnswer::Failed(panic)),
    }
}

async fn patiently<T>(
    mut asked: Contained<'_, T>,
    time: Duration,
    cancellation: Option<&Cancellation>,
) -> Result<Result<T, String>, NoAnswer> {
    if !has_timers() {
        return Err(NoAnswer::Failed("the runtime has no timers to limit its time with".to_owned()));
    }
    let cancelled = async {
        match cancellation {
            Some(cancellation) => cancellation.cancelled_elsewhere().await,
            None => std::future::pending().await,
        }
    };
    let mut cancelled = pin!(cancelled);
    let first = poll_fn(|cx| {
        if let Poll::Ready(answer) = Pin::new(&mut asked).poll(cx) {
            return Poll::Ready(Ok(answer));
        }
        cancelled.as_mut().poll(cx).map(|()| Err(NoAnswer::Cancelled))
    });
    tokio::time::timeout(time, first).await.unwrap_or(Err(NoAnswer::TimeUp))
}
