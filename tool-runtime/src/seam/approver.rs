//! Who asks a person.

use std::future::Future;

use crate::definition::BoxFuture;
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::policy::PolicyCall;
use crate::tool::Behaviour;

/// Asks a person whether a call may run, when a policy decided so.
///
/// It is asked once for a call, with the arguments that are going to run: nothing changes them afterwards. A call that can't
/// run (an unknown tool, wrong arguments, denied by a policy) is never shown. An approver that fails or panics denies the
/// call with `POLICY_FAILED`; one that takes longer than [`Limits::approval_time`](crate::Limits), with
/// `APPROVAL_UNAVAILABLE`. If the caller cancels first, the approver's future is dropped.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an approver",
    label = "no `impl Approver for {Self}`",
    note = "an approver asks a person; what decides by itself implements `PrePolicy` and is added with `pre_policy(…)`"
)]
pub trait Approver: Send + Sync + 'static {
    /// Its name, in traces and errors.
    fn name(&self) -> &str;

    /// Asks.
    ///
    /// # Errors
    /// If it can't ask; the call is denied then.
    fn approve(&self, request: &ApprovalRequest<'_>) -> impl Future<Output = Result<Approval, ToolError>> + Send;
}

/// What a person said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// This call may run; the next one is asked for again.
    Granted,
    /// It may not.
    Rejected {
        /// What the model should know of why.
        reason: Option<String>,
    },
    /// The question was closed without an answer. If the caller has cancelled, that is why.
    Cancelled,
    /// There is nobody to ask.
    Unavailable,
}

/// What a person is asked.
#[derive(Clone, Copy, Debug)]
pub struct ApprovalRequest<'a> {
    pub(crate) call: PolicyCall<'a>,
    /// What is shown of the arguments.
    pub(crate) shown: &'a JsonValue,
    pub(crate) reasons: &'a [String],
}

impl<'a> ApprovalRequest<'a> {
    /// The caller's id of the call.
    pub fn call_id(&self) -> &'a str {
        self.call.call_id()
    }

    /// The id of the call whose body made this one; none if a model or a host made it.
    pub fn parent_call_id(&self) -> Option<&'a str> {
        self.call.parent_call_id()
    }

    /// The name under which the tool was called.
    pub fn tool_name(&self) -> &'a str {
        self.call.tool_name()
    }

    /// What is known of the tool's behaviour.
    pub fn behaviour(&self) -> Behaviour {
        self.call.behaviour()
    }

    /// The arguments that run if it is granted, and no others; in the place of each secret stands `[secret]`, since a screen is
    /// no place for it.
    pub fn arguments(&self) -> &'a JsonValue {
        self.shown
    }

    /// What the policies that asked would have the person know, in their order.
    pub fn reasons(&self) -> &'a [String] {
        self.reasons
    }
}

/// An approver of any type.
pub(crate) trait ErasedApprover: Send + Sync {
    fn name(&self) -> &str;
    fn approve<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Result<Approval, ToolError>>;
}

impl<A: Approver> ErasedApprover for A {
    fn name(&self) -> &str {
        Approver::name(self)
    }

    fn approve<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Result<Approval, ToolError>> {
        Box::pin(Approver::approve(self, request))
    }
}
