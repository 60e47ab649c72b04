//! Panics of code that is not ours: an author's, a host's.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// Runs such code, and turns its panic into what it said.
///
/// Unwind safety: what the closure touches is either dropped afterwards or shared state of its own author, whose locks
/// tell of a panic themselves.
pub(crate) fn contain<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|payload| {
        let text = text(&*payload).to_owned();
        // A payload may panic when it is dropped; then there is nothing left to contain it with.
        std::mem::forget(payload);
        text
    })
}

/// The same for a future, each time that it is polled.
pub(crate) async fn contain_polls<F: Future>(mut future: Pin<&mut F>) -> Result<F::Output, String> {
    poll_fn(|cx| match contain(|| future.as_mut().poll(cx)) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

/// What a panic said, if it was text.
fn text(payload: &(dyn Any + Send)) -> &str {
    if let Some(text) = payload.downcast_ref::<&str>() {
        text
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else {
        "no text"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contained_panic_tells_its_text_or_that_it_has_none() {
        assert_eq!(contain(|| 1), Ok(1));
        assert_eq!(contain(|| panic!("boom")), Err::<(), _>("boom".to_owned()));
        assert_eq!(contain(|| panic!("boom {}", 2)), Err::<(), _>("boom 2".to_owned()));
        assert_eq!(contain(|| std::panic::panic_any(7_u8)), Err::<(), _>("no text".to_owned()));
    }
}
