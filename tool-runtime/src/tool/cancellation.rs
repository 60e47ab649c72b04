//! Cancelling a call.

use std::fmt;
use std::future::pending;
use std::sync::OnceLock;

use tokio_util::sync::CancellationToken;

/// A caller's way to cancel calls, and a body's way to learn of it. Clones are the same; a child is cancelled with its
/// parent, and not the other way round.
#[derive(Default)]
pub struct Cancellation {
    /// Made when it is first shared, cancelled or waited for: most calls are never cancelled, and pay nothing for it.
    token: OnceLock<CancellationToken>,
}

impl Cancellation {
    /// One that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that is cancelled with this one, and can be cancelled alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self::from(self.token().child_token())
    }

    /// The child for a call that holds this one alone or among others: if nobody else has a clone of it, nobody will cancel
    /// it, and the child may as well stand by itself.
    pub(crate) fn for_call(&self) -> Self {
        self.token.get().map(|token| Self::from(token.child_token())).unwrap_or_default()
    }

    /// Ends when it is cancelled by a clone that there is now.
    pub(crate) async fn cancelled_elsewhere(&self) {
        match self.token.get() {
            Some(token) => token.cancelled().await,
            None => pending().await,
        }
    }

    fn token(&self) -> &CancellationToken {
        self.token.get_or_init(CancellationToken::new)
    }

    /// Cancels it and its children. A second time changes nothing.
    pub fn cancel(&self) {
        self.token().cancel();
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.token.get().is_some_and(CancellationToken::is_cancelled)
    }

    /// Ends when it is cancelled.
    pub async fn cancelled(&self) {
        self.token().cancelled().await;
    }
}

impl Clone for Cancellation {
    fn clone(&self) -> Self {
        Self::from(self.token().clone())
    }
}

impl From<CancellationToken> for Cancellation {
    fn from(token: CancellationToken) -> Self {
        Self { token: token.into() }
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("cancelled", &self.is_cancelled()).finish()
    }
}
