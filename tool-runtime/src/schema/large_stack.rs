//! A stack for recursion that is deep, and bounded.

use super::violation::Violation;
use crate::json::Pointer;

/// Stack for schemas and values that are deeper: [`graph::MAX_CHAIN`] on each of [`MAX_VALUE_DEPTH`] levels, 16 KiB each.
const LARGE_STACK: usize = 96 << 20;

/// Runs recursive work whose depth is bounded, but not by what the caller's stack holds.
pub(super) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Violation> {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new().stack_size(LARGE_STACK).spawn_scoped(scope, work);
        match spawned.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => {
                let message = format!("this is nested so deep that a thread is needed, and there is none: {error}");
                Err(Violation::new(Pointer::root(), message))
            }
        }
    })
}
