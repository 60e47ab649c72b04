//! Cancelling a call.

use std::fmt;

use tokio_util::sync::CancellationToken;

/// A caller's way to cancel calls, and a body's way to learn of it. Clones are the same; a child is cancelled with its
/// parent, and not the other way round.
#[derive(Clone, Default)]
pub struct Cancellation(CancellationToken);

impl Cancellation {
    /// One that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that is cancelled with this one, and can be cancelled alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(self.0.child_token())
    }

    /// Cancels it and its children. A second time changes nothing.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Ends when it is cancelled.
    pub async fn cancelled(&self) {
        self.0.cancelled().await;
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("cancelled", &self.is_cancelled()).finish()
    }
}
