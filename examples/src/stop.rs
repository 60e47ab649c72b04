//! A flag that tells work on another thread that nobody waits for it any more.

use crate::failure::{Action, Failure};
use tool_runtime::Cancellation;

/// Cheap to clone; every clone is the same flag.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Cancellation);

impl Stop {
    /// One that is raised when the call is cancelled or its time is up.
    pub(crate) fn of(call: &Cancellation) -> Self {
        Self(call.clone())
    }

    /// Raises the flag, for good.
    #[cfg(test)]
    pub(crate) fn raise(&self) {
        self.0.cancel();
    }

    /// Fails when the flag is raised. Long work asks between its steps.
    pub(crate) fn check(&self, action: Action) -> Result<(), Failure> {
        if self.is_raised() { Err(Failure::aborted(action)) } else { Ok(()) }
    }

    /// Whether the flag is raised.
    pub(crate) fn is_raised(&self) -> bool {
        self.0.is_cancelled()
    }
}
