//! A flag that tells work on another thread that nobody waits for it any more.

use crate::failure::{Action, Failure};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cheap to clone; every clone is the same flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Raises the flag, for good.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Fails when the flag is raised. Long work asks between its steps.
    pub fn check(&self, action: Action) -> Result<(), Failure> {
        if self.is_raised() { Err(Failure::Aborted { action }) } else { Ok(()) }
    }

    /// Whether the flag is raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Raises the flag when it goes away: a dropped future stops the work that it started.
#[derive(Debug)]
pub(crate) struct RaiseOnDrop(pub(crate) Stop);

impl Drop for RaiseOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}
