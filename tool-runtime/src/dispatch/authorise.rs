//! Authorise: the policies before execution, a person if one of them asks, and the guards.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::host_code::{NoAnswer, answer};
use super::{Dispatch, Limits, admit, decode, execute, span};
use crate::definition::Definition;
use crate::error::{Code, Effects, Retry, ToolError};
use crate::json::JsonValue;
use crate::panics::contain;
use crate::policy::{ErasedPrePolicy, Guard, PolicyCall, PreDecision};
use crate::result::{Decision, Rewritten, Verdict};
use crate::seam::{Approval, ApprovalRequest, ErasedApprover};

/// Who decides before a body is entered.
#[derive(Clone, Default)]
pub(super) struct Authority {
    pub(super) policies: Vec<Arc<dyn ErasedPrePolicy>>,
    pub(super) approver: Option<Arc<dyn ErasedApprover>>,
    pub(super) guards: Vec<Arc<dyn Guard>>,
}

impl Authority {
    pub(super) fn is_empty(&self) -> bool {
        self.policies.is_empty() && self.guards.is_empty()
    }

    /// Lets a call run, or says why it may not.
    pub(super) async fn authorise(
        &self,
        definition: &Definition,
        dispatch: &mut Dispatch<'_>,
        limits: &Limits,
    ) -> Result<(), ToolError> {
        let mut reasons = None;
        for policy in &self.policies {
            self.judge(&**policy, definition, dispatch, limits, &mut reasons).await?;
        }
        if let Some(reasons) = reasons {
            self.approve(&reasons, dispatch, limits).await?;
        }
        self.guard(dispatch)?;
        if dispatch.options.cancellation.is_cancelled() { Err(admit::aborted_before_dispatch()) } else { Ok(()) }
    }

    async fn judge(
        &self,
        policy: &dyn ErasedPrePolicy,
        definition: &Definition,
        dispatch: &mut Dispatch<'_>,
        limits: &Limits,
        reasons: &mut Option<Vec<String>>,
    ) -> Result<(), ToolError> {
        let name = named(|| policy.name().to_owned());
        let decision = {
            let call = dispatch.judged_call()?;
            answer(|| policy.before(&call), dispatch.patience(limits.policy_time), Some(&dispatch.options.cancellation))
                .await
        };
        let (verdict, outcome) = match decision {
            Ok(PreDecision::Allow) => (Verdict::Allowed, Ok(())),
            Ok(PreDecision::Deny { reason }) => (Verdict::Denied, Err(denied(reason))),
            Ok(PreDecision::Cancel) => (Verdict::Cancelled, Err(admit::aborted_before_dispatch())),
            Ok(PreDecision::Ask { reason }) => {
                reasons.get_or_insert_default().extend(reason);
                (Verdict::Asked, Ok(()))
            }
            Ok(PreDecision::Rewrite { arguments }) => match rewrite(definition, dispatch, &name, arguments) {
                Ok(()) => (Verdict::Rewrote, Ok(())),
                Err(error) => (Verdict::Failed, Err(error)),
            },
            Err(NoAnswer::Cancelled) => return Err(admit::aborted_before_dispatch()),
            Err(NoAnswer::Failed(why)) => (Verdict::Failed, Err(dispatch.policy_failed(&name, &why))),
            Err(NoAnswer::TimeUp) if dispatch.deadline_has_passed() => return Err(execute::too_late()),
            Err(NoAnswer::TimeUp) => {
                let why = format!("it gave no answer within {}ms", limits.policy_time.as_millis());
                (Verdict::Failed, Err(dispatch.policy_at_fault(&name, &why)))
            }
        };
        dispatch.decided(Decision { policy: name, verdict });
        outcome
    }

    async fn approve(&self, reasons: &[String], dispatch: &mut Dispatch<'_>, limits: &Limits) -> Result<(), ToolError> {
        if dispatch.options.cancellation.is_cancelled() {
            return Err(admit::aborted_before_dispatch());
        }
        let tool = dispatch.tool_name().to_owned();
        let Some(approver) = &self.approver else {
            let why = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
            return Err(unavailable(format!("tool {tool:?} requires approval, and there is nobody to ask{why}")));
        };
        let name = named(|| approver.name().to_owned());
        span::asks(&name);
        let approval = {
            let call = dispatch.judged_call()?;
            // Only checked calls are shown.
            let shown = call.shown_arguments().unwrap_or_default();
            let reasons: Vec<String> = reasons.iter().map(|reason| dispatch.scrubbed(reason).into_owned()).collect();
            let request = ApprovalRequest { call, shown: &shown, reasons: &reasons };
            answer(
                || approver.approve(&request),
                dispatch.patience(limits.approval_time),
                Some(&dispatch.options.cancellation),
            )
            .await
        };
        let (verdict, outcome) = match approval {
            Ok(Approval::Granted) => (Verdict::Granted, Ok(())),
            Ok(Approval::Rejected { reason }) => (Verdict::Rejected, Err(rejected(&tool, reason))),
            Ok(Approval::Cancelled) if dispatch.options.cancellation.is_cancelled() => {
                (Verdict::Unanswered, Err(admit::aborted_before_dispatch()))
            }
            Ok(Approval::Cancelled) => {
                (Verdict::Unanswered, Err(unavailable(format!("approval for tool {tool:?} was cancelled"))))
            }
            Ok(Approval::Unavailable) => {
                let message = format!("tool {tool:?} requires approval, but no approval channel is available");
                (Verdict::Unanswered, Err(unavailable(message)))
            }
            Err(NoAnswer::TimeUp) if dispatch.deadline_has_passed() => return Err(execute::too_late()),
            Err(NoAnswer::TimeUp) => {
                let time = limits.approval_time.as_millis();
                let message = format!("tool {tool:?} requires approval, and nobody answered within {time}ms");
                (Verdict::Unanswered, Err(unavailable(message)))
            }
            Err(NoAnswer::Cancelled) => return Err(admit::aborted_before_dispatch()),
            Err(NoAnswer::Failed(why)) => (Verdict::Failed, Err(dispatch.policy_failed(&name, &why))),
        };
        dispatch.decided(Decision { policy: name, verdict });
        outcome
    }

    fn guard(&self, dispatch: &mut Dispatch<'_>) -> Result<(), ToolError> {
        for guard in &self.guards {
            let call = dispatch.judged_call()?;
            let denial = contain(|| guard.denies(&call));
            let name = named(|| guard.name().to_owned());
            let (verdict, outcome) = match denial {
                Ok(None) => (Verdict::Allowed, Ok(())),
                Ok(Some(reason)) => (Verdict::Denied, Err(denied(reason))),
                Err(panic) => (Verdict::Failed, Err(dispatch.policy_failed(&name, &panic))),
            };
            dispatch.decided(Decision { policy: name, verdict });
            outcome?;
        }
        Ok(())
    }
}

/// Puts other arguments in the place of those that were decoded; both stay in the trace.
fn rewrite(
    definition: &Definition,
    dispatch: &mut Dispatch<'_>,
    policy: &str,
    arguments: JsonValue,
) -> Result<(), ToolError> {
    let before = dispatch.arguments.as_ref().map(|arguments| (**arguments.tree()).clone()).unwrap_or_default();
    let after = arguments.clone();
    if let Err(violations) = decode::redecode(definition, dispatch, arguments) {
        let why = format!("it rewrote the arguments into some that are refused: {}", violations.join("; "));
        return Err(dispatch.policy_at_fault(policy, &why));
    }
    dispatch.trace.rewrote(Rewritten { policy: policy.to_owned(), before, after });
    Ok(())
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policies: Vec<_> = self.policies.iter().map(|policy| policy.name()).collect();
        let guards: Vec<_> = self.guards.iter().map(|guard| guard.name()).collect();
        f.debug_struct("Authority")
            .field("policies", &policies)
            .field("approver", &self.approver.as_ref().map(|approver| approver.name()))
            .field("guards", &guards)
            .finish()
    }
}

fn named(name: impl FnOnce() -> String) -> String {
    contain(name).unwrap_or_else(|_| "(a policy whose name panics)".to_owned())
}

fn denied(reason: String) -> ToolError {
    let reason = if reason.is_empty() { "the call was denied".to_owned() } else { reason };
    ToolError::new(Code::DENIED, reason).effects(Effects::None).retry(Retry::Never)
}

fn rejected(tool: &str, reason: Option<String>) -> ToolError {
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    ToolError::new(Code::APPROVAL_REJECTED, format!("the user rejected tool {tool:?}{reason}"))
        .effects(Effects::None)
        .retry(Retry::Never)
}

fn unavailable(message: String) -> ToolError {
    ToolError::new(Code::APPROVAL_UNAVAILABLE, message).effects(Effects::None)
}

impl Dispatch<'_> {
    /// The call to judge. Without one, nothing is let through.
    fn judged_call(&self) -> Result<PolicyCall<'_>, ToolError> {
        self.policy_call().ok_or_else(|| admit::unknown(self.tool_name(), None))
    }

    /// The error names the policy and not what it said: that may quote what nobody is to know.
    fn policy_failed(&self, policy: &str, why: &str) -> ToolError {
        tracing::warn!(policy, why = &*self.scrubbed(why), "a policy failed; the call is denied");
        let message = format!("the policy {policy:?} failed, so the call was denied; the tool has not run");
        ToolError::new(Code::POLICY_FAILED, message).effects(Effects::None)
    }

    /// The same where the words are ours, which the host finds in the trace.
    fn policy_at_fault(&mut self, policy: &str, why: &str) -> ToolError {
        self.trace.warn(format!("the policy {policy:?} failed: {why}"));
        self.policy_failed(policy, why)
    }

    /// How long to wait for an answer: no longer than the caller would.
    pub(super) fn patience(&self, time: Duration) -> Duration {
        match self.options.deadline {
            Some(deadline) => time.min(deadline.saturating_duration_since(Instant::now().into_std())),
            None => time,
        }
    }

    pub(super) fn deadline_has_passed(&self) -> bool {
        execute::has_passed(self.options.deadline)
    }
}
