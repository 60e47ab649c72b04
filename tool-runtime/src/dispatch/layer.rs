//! Layers around the body: what a [`tower_layer::Layer`] gets, and what it gives back.

mod service;

pub use service::{ToolFuture, ToolService};

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::execute::{self, Started};
use super::{Dispatch, admit};
use crate::content::Content;
use crate::definition::{CheckedArguments, Definition};
use crate::error::ToolError;
use crate::json::{JsonText, JsonValue};
use crate::tool::{Behaviour, Call, Cancellation, CanonicalValue, Tool};
use service::Run;

/// The error of a layer, as tower's layers have it.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

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

/// What comes out of a run, or what a layer puts in its place.
///
/// The value of this very dispatch was accepted already, and stays as it is. Any other, a cached one or one that a layer
/// made, is accepted and projected like the value of a body.
#[derive(Debug)]
#[must_use = "it is what becomes of the call"]
pub struct ToolResponse {
    pub(super) outcome: Outcome,
    pub(super) contexts: Vec<Content>,
}

#[derive(Debug)]
pub(super) enum Outcome {
    /// What the body of this call returned.
    Accepted {
        value: CanonicalValue,
        of: Call,
    },
    /// A value that was accepted before, for whatever call.
    Earlier(CanonicalValue),
    /// A layer's own.
    Json(JsonValue),
    Failed(ToolError),
}

/// A layer's refusal with a code of its own: what a layer returns as its error for the model to act on.
///
/// Other errors of layers get [`Code::LAYER_FAILED`](crate::Code::LAYER_FAILED), and their own words as the sentence.
#[derive(Debug)]
pub struct Rejected(ToolError);

impl ToolRequest {
    /// None if the dispatch has no checked arguments, which is so only before they are decoded.
    pub(super) fn new(definition: &Arc<Definition>, dispatch: &Dispatch<'_>, grace: Duration) -> Option<Self> {
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

    /// Enters the body, unless it is too late for that.
    fn enter(&self) -> Result<(Run, Started), ToolError> {
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

impl ToolResponse {
    /// A success of the layer's own. The value is checked against the tool's output, like that of a body.
    pub fn value(value: JsonValue) -> Self {
        Self { outcome: Outcome::Json(value), contexts: Vec::new() }
    }

    /// A failure of the layer's own.
    pub fn failure(error: ToolError) -> Self {
        Self { outcome: Outcome::Failed(error), contexts: Vec::new() }
    }

    /// The same with one more message that the host appends after the result, behind those of the body.
    pub fn with_context(mut self, context: impl Into<Content>) -> Self {
        self.contexts.push(context.into());
        self
    }

    /// Whether it is a success, as far as it is known before a layer's own value is checked.
    pub fn is_success(&self) -> bool {
        self.error().is_none()
    }

    /// The accepted value, to keep it for another call. A layer's own value is none before it is checked.
    pub fn canonical(&self) -> Option<&CanonicalValue> {
        match &self.outcome {
            Outcome::Accepted { value, .. } | Outcome::Earlier(value) => Some(value),
            Outcome::Json(_) | Outcome::Failed(_) => None,
        }
    }

    /// The accepted value as JSON text.
    pub fn text(&self) -> Option<&JsonText> {
        self.canonical().map(CanonicalValue::text)
    }

    /// What went wrong.
    pub fn error(&self) -> Option<&ToolError> {
        match &self.outcome {
            Outcome::Failed(error) => Some(error),
            _ => None,
        }
    }
}

/// A value from an earlier call, which is checked once more.
impl From<CanonicalValue> for ToolResponse {
    fn from(value: CanonicalValue) -> Self {
        Self { outcome: Outcome::Earlier(value), contexts: Vec::new() }
    }
}

impl Rejected {
    /// A refusal with this error.
    pub fn new(error: ToolError) -> Self {
        Self(error)
    }

    pub(super) fn into_error(self) -> ToolError {
        self.0
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Rejected {}

impl fmt::Debug for ToolRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRequest")
            .field("call_id", &self.call_id())
            .field("tool_name", &self.tool_name())
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}
