//! What a body gets beside its arguments.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::Cancellation;
use crate::content::Content;

/// What a body gets beside its arguments: the state that the tool was registered with, who calls, and when to stop.
///
/// `Context<Workspace>` is for a tool with a state, plain `Context` for one without.
pub struct Context<S = ()> {
    state: Arc<S>,
    call: CallContext,
}

/// One call, as its body sees it. Cheap to clone.
#[derive(Clone)]
pub(crate) struct CallContext(Arc<Call>);

struct Call {
    id: Arc<str>,
    tool_name: Arc<str>,
    cancellation: Cancellation,
    deadline: Option<Instant>,
    deferred: Mutex<Deferred>,
}

/// What a body left for after the call.
#[derive(Default)]
pub(crate) struct Deferred {
    pub(crate) contexts: Vec<Content>,
    pub(crate) concludes_turn: bool,
}

impl<S> Context<S> {
    pub(crate) fn new(state: Arc<S>, call: CallContext) -> Self {
        Self { state, call }
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
        &self.call.0.id
    }

    /// The name under which the tool was called.
    pub fn tool_name(&self) -> &str {
        &self.call.0.tool_name
    }

    /// Whether the body should stop: the caller cancelled, or the time is up.
    pub fn is_cancelled(&self) -> bool {
        self.call.0.cancellation.is_cancelled()
    }

    /// Ends when the body should stop.
    pub async fn cancelled(&self) {
        self.call.0.cancellation.cancelled().await;
    }

    /// The call's own cancellation, to hand on.
    pub fn cancellation(&self) -> &Cancellation {
        &self.call.0.cancellation
    }

    /// When the time is up, if it is limited.
    pub fn deadline(&self) -> Option<Instant> {
        self.call.0.deadline
    }

    /// Leaves a message that the host appends after the result, in the order of the calls.
    pub fn add_context(&self, context: impl Into<Content>) {
        self.call.deferred().contexts.push(context.into());
    }

    /// Asks the host to end the turn once this call has succeeded.
    pub fn conclude_turn(&self) {
        self.call.deferred().concludes_turn = true;
    }
}

impl CallContext {
    /// Tells the body to stop.
    pub(crate) fn cancel(&self) {
        self.0.cancellation.cancel();
    }

    pub(crate) fn new(
        id: Arc<str>,
        tool_name: Arc<str>,
        cancellation: Cancellation,
        deadline: Option<Instant>,
    ) -> Self {
        Self(Arc::new(Call { id, tool_name, cancellation, deadline, deferred: Mutex::default() }))
    }

    /// Takes what the body left; a body that still runs in the background can't change the result any more.
    pub(crate) fn take_deferred(&self) -> Deferred {
        std::mem::take(&mut self.deferred())
    }

    // A body that panics while it pushes has pushed or not; either way the list is whole.
    fn deferred(&self) -> std::sync::MutexGuard<'_, Deferred> {
        self.0.deferred.lock().unwrap_or_else(PoisonError::into_inner)
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
