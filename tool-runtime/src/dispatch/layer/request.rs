//! What a layer is asked to do.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::response::{Outcome, ToolResponse};
use crate::definition::{CheckedArguments, Definition};
use crate::dispatch::execute::{self, Bounds, Started};
use crate::dispatch::{Dispatch, admit};
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::tool::{Behaviour, Call, Cancellation, CanonicalValue, Tool};

/// A call that is about to run, as layers see it: decoded, authorised, and of one dispatch.
///
/// Nothing in it can be changed, so what was approved is what runs. A clone is the same call, for a layer that tries again;
/// once the dispatch is over it runs nothing any more.
#[derive(Clone)]
pub struct ToolRequest {
    definition: Arc<Definition>,
    call: Call,
    arguments: CheckedArguments<'static>,
    cancellation: Cancellation,
    deadline: Option<Instant>,
    grace: Duration,
}

impl ToolRequest {
    /// None if the dispatch has no checked arguments, which is so only before they are decoded.
    pub(in crate::dispatch) fn new(
        definition: &Arc<Definition>,
        dispatch: &Dispatch<'_>,
        grace: Duration,
    ) -> Option<Self> {
        Some(Self {
            definition: Arc::clone(definition),
            call: dispatch.call.clone()?,
            arguments: dispatch.arguments.as_ref()?.to_owned(),
            cancellation: dispatch.options.cancellation.for_call(),
            deadline: dispatch.options.deadline,
            grace,
        })
    }

    /// The caller's id of the call.
    pub fn call_id(&self) -> &str {
        self.call.id()
    }

    /// The name under which the tool was called.
    pub fn tool_name(&self) -> &str {
        self.call.tool_name()
    }

    /// What is known of the tool's behaviour.
    pub fn behaviour(&self) -> Behaviour {
        self.definition.spec.behaviour
    }

    /// The checked arguments.
    pub fn arguments(&self) -> &JsonValue {
        self.arguments.tree()
    }

    /// The typed arguments, if the tool's are of this type.
    pub fn arguments_as<T: Tool>(&self) -> Option<&T> {
        self.call.arguments()
    }

    /// Whether the caller has cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// When the call must be over, if its caller said so.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(super) fn definition(&self) -> &Definition {
        &self.definition
    }

    /// What ends its body.
    pub(super) fn bounds(&self) -> Bounds<'_> {
        Bounds { cancellation: &self.cancellation, deadline: self.deadline, grace: self.grace }
    }

    /// Enters the body, unless it is too late for that.
    pub(super) fn enter(&self) -> Result<(Run, Started), ToolError> {
        // A layer may try again a body that was entered before, and then it is too late to say that it was not.
        let entered = self.call.body().was_entered();
        if self.cancellation.is_cancelled() {
            return Err(if entered { execute::aborted(&self.definition) } else { admit::aborted_before_dispatch() });
        }
        if execute::has_passed(self.deadline) {
            return Err(if entered { execute::too_late_again(&self.definition) } else { execute::too_late() });
        }
        let call = self.call.enter(&self.cancellation).ok_or_else(admit::aborted_before_dispatch)?;
        let run = Run::new(call);
        match Started::new(&self.definition, run.call(), self.deadline) {
            Ok(started) => Ok((run, started)),
            Err(error) => {
                run.over();
                Err(error)
            }
        }
    }
}

/// One run of the body; dropped before its end, it says so.
pub(super) struct Run {
    call: Call,
    ended: bool,
}

impl Run {
    pub(super) fn new(call: Call) -> Self {
        Self { call, ended: false }
    }

    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    pub(super) fn over(mut self) {
        self.ended = true;
    }

    pub(super) fn ended(self, end: Result<CanonicalValue, ToolError>) -> ToolResponse {
        let of = self.call.clone();
        self.over();
        match end {
            Ok(value) => ToolResponse { outcome: Outcome::Accepted { value, of }, contexts: Vec::new() },
            Err(error) => ToolResponse::failure(error),
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.call.leave(!self.ended);
    }
}

impl fmt::Debug for ToolRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRequest")
            .field("call_id", &self.call_id())
            .field("tool_name", &self.tool_name())
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}
