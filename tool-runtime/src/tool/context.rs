//! What a body gets beside its arguments.

mod blocking;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use super::{Call, Cancellation, Progress};
use crate::content::Content;
use crate::error::ToolError;

/// What a body gets beside its arguments: the state that the tool was registered with, who calls, and when to stop.
///
/// `Context<Workspace>` is for a tool with a state, plain `Context` for one without.
pub struct Context<S = ()> {
    state: Arc<S>,
    call: Call,
    /// That of a part of the body, which ends with the call's, or before it.
    part: Option<Box<Cancellation>>,
}

impl<S> Context<S> {
    pub(crate) fn new(state: Arc<S>, call: Call) -> Self {
        Self { state, call, part: None }
    }

    /// The call, for who carries out those that its body makes.
    pub(crate) fn parent(&self) -> &Call {
        &self.call
    }

    /// The state that the tool was registered with.
    pub fn state(&self) -> &S {
        &self.state
    }

    /// The state, shared: for work that outlives the borrow.
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

    /// The call's own cancellation, to hand on. Work in [`blocking`](Self::blocking) has one below it.
    pub fn cancellation(&self) -> &Cancellation {
        self.part.as_deref().unwrap_or_else(|| self.call.cancellation())
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

    /// Runs work that keeps a thread busy, such as reading files or computing, where it may: on tokio's threads for blocking
    /// work. All else goes on meanwhile, calls of the same task and timers too.
    ///
    /// The work has a context of its own, with the same state. It can't be dropped while it runs; what takes long asks
    /// [`is_cancelled`](Self::is_cancelled) between its steps, which becomes true when the call is cancelled, when its time is
    /// up, and when nobody waits for this future any more. A call whose work does not stop ends after its grace all the same,
    /// and its result says that something may have changed; the work then goes on to its own end, and what it returns is
    /// gone. Work that has not begun by then never does.
    ///
    /// ```
    /// # use tool_runtime::prelude::*;
    /// /// Count the lines of a file.
    /// #[derive(Tool)]
    /// #[tool(output = usize, render = display, read_only, parallel)]
    /// struct CountLines {
    ///     /// The file.
    ///     path: String,
    /// }
    ///
    /// impl Execute for CountLines {
    ///     async fn execute(&self, cx: &Context) -> Result<usize, ToolError> {
    ///         let path = self.path.clone();
    ///         cx.blocking(move |_| Ok(std::fs::read_to_string(path)?.lines().count())).await
    ///     }
    /// }
    /// ```
    ///
    /// A panic in the work is the body's: the call fails with [`Code::PANICKED`](crate::Code), and its text.
    ///
    /// # Errors
    /// The work's own. If the body does not run on a tokio runtime, or the runtime shuts down before the work begins, an
    /// error that says so.
    pub async fn blocking<T, F>(&self, work: F) -> Result<T, ToolError>
    where
        S: Send + Sync + 'static,
        T: Send + 'static,
        F: FnOnce(&Self) -> Result<T, ToolError> + Send + 'static,
    {
        let cancellation = self.cancellation().child();
        let part = Some(Box::new(cancellation.clone()));
        let cx = Self { state: Arc::clone(&self.state), call: self.call.clone(), part };
        blocking::run(cancellation, move || work(&cx)).await
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
