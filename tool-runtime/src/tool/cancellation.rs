//! Cancelling a call.

mod node;

use std::fmt;
use std::future::pending;
use std::sync::{Arc, OnceLock};

use node::Node;

/// A caller's way to cancel calls, and a body's way to learn of it. Clones are the same; a child is cancelled with its
/// parent, and not the other way round.
#[derive(Default)]
pub struct Cancellation {
    /// Made when it is first shared, cancelled or waited for: most calls are never cancelled, and pay nothing for it.
    node: OnceLock<Arc<Node>>,
}

impl Cancellation {
    /// One that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that is cancelled with this one, and can be cancelled alone.
    #[must_use]
    pub fn child(&self) -> Self {
        Self::of(self.node().child())
    }

    /// The child for a call that holds this one alone or among others: if nobody else has a clone of it, nobody will cancel
    /// it, and the child may as well stand by itself.
    pub(crate) fn for_call(&self) -> Self {
        self.node.get().map(|node| Self::of(node.child())).unwrap_or_default()
    }

    /// Ends when it is cancelled by a clone that there is now.
    pub(crate) async fn cancelled_elsewhere(&self) {
        match self.node.get() {
            Some(node) => node.cancelled().await,
            None => pending().await,
        }
    }

    fn of(node: Arc<Node>) -> Self {
        Self { node: node.into() }
    }

    fn node(&self) -> &Arc<Node> {
        self.node.get_or_init(Arc::default)
    }

    /// Cancels it and its children. A second time changes nothing.
    pub fn cancel(&self) {
        self.node().cancel();
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.node.get().is_some_and(|node| node.is_cancelled())
    }

    /// Ends when it is cancelled.
    pub async fn cancelled(&self) {
        self.node().cancelled().await;
    }
}

impl Clone for Cancellation {
    fn clone(&self) -> Self {
        Self::of(Arc::clone(self.node()))
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("cancelled", &self.is_cancelled()).finish()
    }
}
