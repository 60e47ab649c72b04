//! Panics of code that is not ours: an author's, a host's.

use std::any::Any;
use std::future::Future;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Runs such code, and turns its panic into what it said.
///
/// Unwind safety: what the closure touches is either dropped afterwards or shared state of its own author, whose locks
/// tell of a panic themselves.
#[inline]
pub(crate) fn contain<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(told)
}

#[cold]
fn told(payload: Box<dyn Any + Send>) -> String {
    let text = text(&*payload).to_owned();
    // A payload may panic when it is dropped; then there is nothing left to contain it with.
    std::mem::forget(payload);
    text
}

/// Such code's value: a panic while it is dropped stays inside.
pub(crate) struct Guarded<T>(Option<T>);

impl<T> Guarded<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    pub(crate) fn into_inner(mut self) -> T {
        match self.0.take() {
            Some(value) => value,
            None => taken(),
        }
    }
}

#[cold]
fn taken() -> ! {
    unreachable!("it holds a value until it is dropped")
}

impl<T> Deref for Guarded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => taken(),
        }
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        if std::mem::needs_drop::<T>() {
            contain_drop(&mut self.0, std::any::type_name::<T>);
        }
    }
}

trait Emptied {
    fn empty(&mut self);
}

impl<T> Emptied for Option<T> {
    fn empty(&mut self) {
        *self = None;
    }
}

/// One function for the values of all types.
fn contain_drop(value: &mut dyn Emptied, name: fn() -> &'static str) {
    if let Err(panic) = contain(|| value.empty()) {
        tracing::warn!(panic, "a {} panicked while it was dropped", name());
    }
}

/// Such code's future: a panic while it is polled is its end, and one while it is dropped stays inside.
pub(crate) struct Contained<'a, T>(Option<Guarded<Boxed<'a, T>>>);

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl<'a, T> Contained<'a, T> {
    /// Runs the function that makes the future, which is such code too.
    pub(crate) fn new(make: impl FnOnce() -> Boxed<'a, T>) -> Result<Self, String> {
        contain(make).map(|future| Self(Some(Guarded::new(future))))
    }
}

impl<T> Future for Contained<'_, T> {
    type Output = Result<T, String>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T, String>> {
        // Once it has ended there is nothing left to wait for.
        let Some(future) = self.0.as_mut().and_then(|guarded| guarded.0.as_mut()) else { return Poll::Pending };
        let ended = match contain(|| future.as_mut().poll(cx)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(panic) => Err(panic),
        };
        self.0 = None;
        Poll::Ready(ended)
    }
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
    #[test]
    fn a_value_that_panics_while_it_is_dropped_is_dropped_quietly() {
        struct Explosive;
        impl Drop for Explosive {
            fn drop(&mut self) {
                panic!("dropped");
            }
        }
        drop(Guarded::new(Explosive));
        assert_eq!(Guarded::new(1).into_inner(), 1);
    }
}
