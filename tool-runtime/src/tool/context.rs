//! What a body gets beside its arguments.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use super::{Call, Cancellation, Progress};
use crate::content::Content;

/// What a body gets beside its arguments: the state that the tool was registered with, who calls, and when to stop.
///
/// `Context<Workspace>` is for a tool with a state, plain `Context` for one without.
pub struct Context<S = ()> {
    state: Arc<S>,
    call: Call,
}

impl<S> Context<S> {
    pub(crate) fn new(state: Arc<S>, call: Call) -> Self {
        Self { state, call }
    }

    /// The call, for who carries out those that its body makes.
    pub(crate) fn parent(&self) -> &Call {
        &self.call
    }

    /// The state that the tool was registered with.
    pub fn state(&self) -> &S {
        &self.state
    }

    /// The state, shared: for work that outlives the borrow, in `spawn_blocking` for one.
    pub fn shared_state(&self) -> Arc<S> {
        Arc::clone(&self.state)
    }

    /// The caller's id of this call.
    pub fn call_id(&self) -> &str {
        self.call.id()
    }

    /// The name under which the tool was called.
    pub fn tool_name(&self) -> &str {
        self.call.tool_name()
    }

    /// Whether the body should stop: the caller cancelled, or the time is up.
    pub fn is_cancelled(&self) -> bool {
        self.cancellation().is_cancelled()
    }

    /// Ends when the body should stop.
    pub async fn cancelled(&self) {
        self.cancellation().cancelled().await;
    }

    /// The call's own cancellation, to hand on.
    pub fn cancellation(&self) -> &Cancellation {
        self.call.cancellation()
    }

    /// When the time is up, if it is limited.
    pub fn deadline(&self) -> Option<Instant> {
        self.call.deadline()
    }

    /// Tells who watches how far the body is: words, or `Progress::of(3, 10)`.
    ///
    /// It never waits, and costs next to nothing if nobody watches. What is reported after the call is over is dropped.
    pub fn progress(&self, progress: impl Into<Progress>) {
        self.call.report(progress.into());
    }

    /// Leaves a message that the host appends after the result, in the order of the calls.
    pub fn add_context(&self, context: impl Into<Content>) {
        self.call.add_context(context.into());
    }

    /// Asks the host to end the turn once this call has succeeded.
    pub fn conclude_turn(&self) {
        self.call.conclude_turn();
    }
}

impl<S> fmt::Debug for Context<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("call_id", &self.call_id())
            .field("tool_name", &self.tool_name())
            .field("cancelled", &self.is_cancelled())
            .field("deadline", &self.deadline())
            .finish_non_exhaustive()
    }
}
