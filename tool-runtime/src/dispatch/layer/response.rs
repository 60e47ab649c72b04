//! What a layer gives back.

use std::fmt;

use crate::content::Content;
use crate::error::ToolError;
use crate::json::{JsonText, JsonValue};
use crate::tool::{Call, CanonicalValue};

/// The error of a layer, as tower's layers have it.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// What comes out of a run, or what a layer puts in its place.
///
/// The value of this very dispatch was accepted already, and stays as it is. Any other, a cached one or one that a layer
/// made, is accepted and projected like the value of a body.
#[derive(Debug)]
#[must_use = "it is what becomes of the call"]
pub struct ToolResponse {
    pub(in crate::dispatch) outcome: Outcome,
    pub(in crate::dispatch) contexts: Vec<Content>,
}

#[derive(Debug)]
pub(in crate::dispatch) enum Outcome {
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

    pub(in crate::dispatch) fn into_error(self) -> ToolError {
        self.0
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Rejected {}
