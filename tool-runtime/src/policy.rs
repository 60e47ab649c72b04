//! A host's code around a call, and what it decides.

mod before;
mod decision;
mod erased;
mod repeats;

pub(crate) use before::ErasedPrePolicy;
pub use before::{Guard, PreDecision, PrePolicy};
pub use decision::{FailureDecision, PostDecision};
pub(crate) use erased::{ErasedPolicy, Everything, OnlyFor, Replacement};
pub(crate) use repeats::{Chain, Repeated};
pub use repeats::{InvalidRepeats, Repeats};

use std::borrow::Cow;
use std::fmt;
use std::future::Future;

use crate::definition::{CanonicalInput, CheckedArguments, Definition};
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::result::{Failure, Success};
use crate::schema::Hides;
use crate::tool::{Behaviour, Call, Tool};

/// The call that a policy judges.
#[derive(Clone, Copy)]
pub struct PolicyCall<'a> {
    pub(crate) call: &'a Call,
    pub(crate) definition: Option<&'a Definition>,
    pub(crate) arguments: Option<&'a CheckedArguments<'a>>,
}

impl<'a> PolicyCall<'a> {
    /// The caller's id of the call.
    pub fn call_id(&self) -> &'a str {
        self.call.id()
    }

    /// The name under which the tool was called.
    pub fn tool_name(&self) -> &'a str {
        self.call.tool_name()
    }

    /// The id of the call whose body made this one; none if a model or a host made it.
    pub fn parent_call_id(&self) -> Option<&'a str> {
        self.call.parent().map(Call::id)
    }

    /// The id of the call that a model or a host made: its own, or that of the one it is nested in.
    pub fn root_call_id(&self) -> &'a str {
        self.call.root().id()
    }

    /// What is known of the tool's behaviour; nothing, if it is unknown.
    pub fn behaviour(&self) -> Behaviour {
        self.definition.map(|definition| definition.spec.behaviour).unwrap_or_default()
    }

    /// The typed arguments, if the tool's are of this type.
    pub fn arguments_as<T: Tool>(&self) -> Option<&'a T> {
        self.call.arguments()
    }

    /// The checked arguments; none if they were refused or not looked at, or the tool is unknown. They hold their secrets: a
    /// policy is a program, and is told the truth.
    pub fn arguments(&self) -> Option<&'a JsonValue> {
        self.arguments.map(|arguments| &**arguments.tree())
    }

    /// The same with `[secret]` in the place of every secret: for a policy that logs or shows them.
    pub fn shown_arguments(&self) -> Option<Cow<'a, JsonValue>> {
        let secrets = self.definition.and_then(|definition| definition.input.secrets());
        let mut shown = match secrets {
            Some(secrets) => secrets.masked(self.arguments()?, Hides::Everything),
            None => Cow::Borrowed(self.arguments()?),
        };
        if let Some(scrub) = self.call.scrub() {
            scrub.json(shown.to_mut());
        }
        Some(shown)
    }

    /// What the call is about, under keys that hang on no toolset; none if the tool has not opted in with
    /// `#[tool(canonical)]`, or there are no checked arguments.
    pub fn canonical_input(&self) -> Option<CanonicalInput> {
        self.definition?.canonical_input(self.arguments()?)
    }
}

/// The arguments are shown without their secrets.
impl fmt::Debug for PolicyCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyCall")
            .field("call", self.call)
            .field("behaviour", &self.behaviour())
            .field("arguments", &self.shown_arguments())
            .finish()
    }
}

/// A policy over the results of all tools.
///
/// Policies run after every call, each exactly once, in the order in which they were added, on what the ones before left
/// ("the fold"):
///
/// - accept changes nothing;
/// - replacing the content leaves value and meta;
/// - replacing the value checks the new one and makes content and meta anew, so that an earlier replacement of the content
///   is gone; a value that the schema refuses makes the call a failure;
/// - block makes it a failure with the feedback as its content, and takes value, meta, conclusion and earlier contexts;
/// - a failure can be accepted, given other content, or blocked, and never becomes a success;
/// - a fatal failure stays fatal, also where it is blocked: the model reads nothing of it, whatever a policy puts there;
/// - a policy that fails or panics makes the call a `POLICY_FAILED` failure, which takes the same as block: it never means
///   yes, and the error names the policy, not what it said.
///
/// ```
/// use tool_runtime::prelude::*;
///
/// struct NoSecrets;
///
/// impl PostPolicy for NoSecrets {
///     fn name(&self) -> &str {
///         "no-secrets"
///     }
///
///     async fn on_success(&self, _: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
///         if success.value().as_str().contains("sk-") {
///             return Ok(PostDecision::block("the result holds a key, and was withheld"));
///         }
///         Ok(PostDecision::accept())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a policy",
    label = "no `impl PostPolicy for {Self}`",
    note = "a `TypedPolicy` is added with `policy_for::<Tool>(…)`, a `PrePolicy` with `pre_policy(…)`, a `Guard` with `guard(…)`"
)]
pub trait PostPolicy: Send + Sync + 'static {
    /// Its name, in traces and errors.
    fn name(&self) -> &str;

    /// Decides about a success.
    ///
    /// # Errors
    /// If it can't decide; the result is withheld then.
    fn on_success(
        &self,
        call: &PolicyCall<'_>,
        success: &Success,
    ) -> impl Future<Output = Result<PostDecision, ToolError>> + Send;

    /// Decides about a failure; accepts it unless written otherwise.
    ///
    /// # Errors
    /// If it can't decide; the failure is withheld then.
    fn on_failure(
        &self,
        call: &PolicyCall<'_>,
        failure: &Failure,
    ) -> impl Future<Output = Result<FailureDecision, ToolError>> + Send {
        let _ = (call, failure);
        async { Ok(FailureDecision::accept()) }
    }
}

/// A policy over the results of one tool, with its types: what it puts in the place of a value is a value of that type.
///
/// It folds with the others, at its own place in the order, and abstains for other tools.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a policy for the tool `{T}`",
    label = "no `impl TypedPolicy<{T}> for {Self}`",
    note = "name the tool that it is for; a `PostPolicy` is added with `policy(…)`, a `PrePolicy` with `pre_policy(…)`"
)]
pub trait TypedPolicy<T: Tool>: Send + Sync + 'static {
    /// Its name, in traces and errors.
    fn name(&self) -> &str;

    /// Decides about a success of the tool.
    ///
    /// # Errors
    /// If it can't decide; the result is withheld then.
    fn on_success(
        &self,
        arguments: &T,
        value: &T::Output,
        success: &Success,
    ) -> impl Future<Output = Result<PostDecision<T::Output>, ToolError>> + Send;

    /// Decides about a failure of the tool; accepts it unless written otherwise. There are no arguments if they were
    /// refused.
    ///
    /// # Errors
    /// If it can't decide; the failure is withheld then.
    fn on_failure(
        &self,
        arguments: Option<&T>,
        failure: &Failure,
    ) -> impl Future<Output = Result<FailureDecision, ToolError>> + Send {
        let _ = (arguments, failure);
        async { Ok(FailureDecision::accept()) }
    }
}

/// A policy for the tool `T`: every type with an `impl TypedPolicy<T>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a policy for the tool `{T}`",
    label = "no `impl TypedPolicy<{T}> for {Self}`",
    note = "name the tool that it is for; a `PostPolicy` is added with `policy(…)`, a `PrePolicy` with `pre_policy(…)`"
)]
pub trait PolicyFor<T: Tool>: TypedPolicy<T> {}

#[diagnostic::do_not_recommend]
impl<T: Tool, P: TypedPolicy<T>> PolicyFor<T> for P {}
