//! One change at a time, over all scopes of one tree.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use tokio::sync::watch;

/// Whose turn it is to change something.
///
/// One for a whole tree of scopes: with one for each, two changes that reach into each other's would wait for ever.
#[derive(Default)]
pub(super) struct Changes {
    turn: Mutex<()>,
    by: Mutex<Option<ThreadId>>,
    /// How many there were, for who wants to know that there was one.
    made: watch::Sender<u64>,
}

/// The turn of one thread, until this is dropped.
pub(super) struct Change<'a> {
    changes: &'a Changes,
    _turn: MutexGuard<'a, ()>,
}

impl Changes {
    /// Waits until no other thread changes anything. There is none to wait for within a change of this thread.
    pub(super) fn begin(&self) -> Option<Change<'_>> {
        let this = thread::current().id();
        if *self.by() == Some(this) {
            return None;
        }
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        *self.by() = Some(this);
        Some(Change { changes: self, _turn: turn })
    }

    /// A change stands.
    pub(super) fn made(&self) {
        self.made.send_modify(|made| *made = made.wrapping_add(1));
    }

    /// Tells of changes that are made from now on.
    #[cfg(feature = "mcp-server")]
    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.made.subscribe()
    }

    // Neither lock guards anything that a panic could leave half done.
    fn by(&self) -> MutexGuard<'_, Option<ThreadId>> {
        self.by.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        *self.changes.by() = None;
    }
}
