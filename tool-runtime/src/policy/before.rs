//! A host's code before a call, and what it decides.

use std::future::Future;

use super::PolicyCall;
use crate::definition::BoxFuture;
use crate::error::ToolError;
use crate::json::JsonValue;

/// What a policy decides about a call whose arguments are right, before its body is entered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PreDecision {
    /// This policy has nothing against it.
    Allow,
    /// The call fails, and the model reads why.
    Deny {
        /// Why, for the model.
        reason: String,
    },
    /// A person decides, once no policy denies it.
    Ask {
        /// What the person should know.
        reason: Option<String>,
    },
    /// The call ends as if its caller had cancelled it.
    Cancel,
    /// The call goes on with other arguments, which are checked and decoded again. Policies after this one judge those.
    Rewrite {
        /// The arguments.
        arguments: JsonValue,
    },
}

impl PreDecision {
    /// This policy has nothing against it.
    pub const fn allow() -> Self {
        Self::Allow
    }

    /// The call fails, and the model reads this.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny { reason: reason.into() }
    }

    /// A person decides, and should know this.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask { reason: Some(reason.into()) }
    }

    /// The call ends as if its caller had cancelled it.
    pub const fn cancel() -> Self {
        Self::Cancel
    }

    /// The call goes on with these arguments.
    pub const fn rewrite(arguments: JsonValue) -> Self {
        Self::Rewrite { arguments }
    }
}

/// A policy over the calls of all tools, before their bodies are entered.
///
/// It sees only calls that can run: the tool is known, and the arguments are checked. Policies run in the order in which
/// they were added, on the arguments that the ones before left. The first that denies or cancels ends the call; one that
/// fails, panics or takes longer than [`Limits::policy_time`](crate::Limits) denies it, with `POLICY_FAILED`. If any asked,
/// the [`Approver`](crate::Approver) does, once, with the arguments that are going to run. [`Guard`]s have the last word.
///
/// ```
/// use tool_runtime::prelude::*;
///
/// struct AskBeforeChanges;
///
/// impl PrePolicy for AskBeforeChanges {
///     fn name(&self) -> &str {
///         "ask-before-changes"
///     }
///
///     async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
///         Ok(match call.behaviour().is_read_only() {
///             Some(true) => PreDecision::allow(),
///             _ => PreDecision::ask("it may change something"),
///         })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a policy that judges calls",
    label = "no `impl PrePolicy for {Self}`",
    note = "a `PostPolicy` is added with `policy(…)`, a `TypedPolicy` with `policy_for::<Tool>(…)`, a `Guard` with `guard(…)`"
)]
pub trait PrePolicy: Send + Sync + 'static {
    /// Its name, in traces and errors.
    fn name(&self) -> &str;

    /// Decides about a call.
    ///
    /// # Errors
    /// If it can't decide; the call is denied then.
    fn before(&self, call: &PolicyCall<'_>) -> impl Future<Output = Result<PreDecision, ToolError>> + Send;
}

/// The last word on a call: it can deny, and can't allow, so that no order of policies and no approval undoes it.
///
/// Guards run after all policies and the approval, each on what is about to run. One that panics denies, with
/// `POLICY_FAILED`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a guard",
    label = "no `impl Guard for {Self}`",
    note = "a guard may only deny; what may also ask or rewrite implements `PrePolicy` and is added with `pre_policy(…)`"
)]
pub trait Guard: Send + Sync + 'static {
    /// Its name, in traces and errors.
    fn name(&self) -> &str;

    /// Why the call is denied, for the model; `None` says nothing about it.
    fn denies(&self, call: &PolicyCall<'_>) -> Option<String>;
}

/// A policy of any type.
pub(crate) trait ErasedPrePolicy: Send + Sync {
    fn name(&self) -> &str;
    fn before<'a>(&'a self, call: &'a PolicyCall<'a>) -> BoxFuture<'a, Result<PreDecision, ToolError>>;
}

impl<P: PrePolicy> ErasedPrePolicy for P {
    fn name(&self) -> &str {
        PrePolicy::name(self)
    }

    fn before<'a>(&'a self, call: &'a PolicyCall<'a>) -> BoxFuture<'a, Result<PreDecision, ToolError>> {
        Box::pin(PrePolicy::before(self, call))
    }
}
