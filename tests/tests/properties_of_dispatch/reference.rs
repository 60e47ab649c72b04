//! How a call ends, told in the simplest words.

use crate::plan::{After, ApprovalPlan, Before, Body, CallPlan, GuardPlan, LayerPlan, ToolPlan};

/// How a call ends that its caller does not abort.
pub(crate) struct Expected {
    pub(crate) code: &'static str,
    pub(crate) entered: bool,
    /// Whether everyone who is asked before lets it run.
    pub(crate) may_enter: bool,
    /// What it failed with before any policy saw the result.
    before_policies: &'static str,
    after: After,
}

pub(crate) fn of(call: &CallPlan) -> Expected {
    let (before_policies, entered) = match refused(call) {
        Some(code) => (code, false),
        None => executed(call),
    };
    let code = judged(before_policies, call.after);
    let may_enter = refused(call).is_none();
    Expected { code, entered, may_enter, before_policies, after: call.after }
}

/// Why the body is not entered, if it is not.
fn refused(call: &CallPlan) -> Option<&'static str> {
    if call.tool == ToolPlan::Unknown {
        return Some("UNKNOWN_TOOL");
    }
    if !call.arguments_are_good {
        return Some("INVALID_ARGS");
    }
    let policy = match call.before {
        Before::Allow | Before::AllowLate | Before::Rewrite => None,
        Before::Deny => Some("DENIED"),
        Before::Cancel => Some("ABORTED_BEFORE_DISPATCH"),
        Before::RewriteBadly | Before::Fail | Before::Panic => Some("POLICY_FAILED"),
        Before::Ask => match call.approval {
            ApprovalPlan::Grant | ApprovalPlan::GrantLate => None,
            ApprovalPlan::Reject => Some("APPROVAL_REJECTED"),
            ApprovalPlan::Cancelled | ApprovalPlan::Unavailable => Some("APPROVAL_UNAVAILABLE"),
            ApprovalPlan::Fail | ApprovalPlan::Panic => Some("POLICY_FAILED"),
        },
    };
    policy.or(match call.guard {
        GuardPlan::Abstain => None,
        GuardPlan::Deny => Some("DENIED"),
        GuardPlan::Panic => Some("POLICY_FAILED"),
    })
}

/// What layers and body make of it, and whether the body is entered.
fn executed(call: &CallPlan) -> (&'static str, bool) {
    let waits = !matches!(call.body, Body::Return | Body::Fail | Body::Panic);
    match call.layer {
        LayerPlan::OwnValue => ("OK", false),
        LayerPlan::OwnBadValue => ("INVALID_TOOL_OUTPUT", false),
        LayerPlan::Fail | LayerPlan::Panic => ("LAYER_FAILED", false),
        LayerPlan::Drop if waits => ("LAYER_FAILED", true),
        LayerPlan::Through | LayerPlan::Retry | LayerPlan::Drop => {
            let code = match call.body {
                Body::Return | Body::ReturnLate => "OK",
                Body::Fail | Body::FailLate => "OWN",
                Body::Panic => "PANICKED",
                Body::Obey | Body::Ignore => "TIMEOUT",
            };
            (code, true)
        }
    }
}

fn judged(code: &'static str, after: After) -> &'static str {
    match after {
        After::ReplaceValueBadly if code == "OK" => "INVALID_TOOL_OUTPUT",
        // A failure has no value to replace.
        After::Accept | After::AcceptLate | After::ReplaceContent | After::ReplaceValue | After::ReplaceValueBadly => {
            code
        }
        After::Block => "BLOCKED",
        After::Fail | After::Panic => "POLICY_FAILED",
    }
}

impl Expected {
    /// Whether a call may end with this code if its caller aborts at some time.
    pub(crate) fn allows_aborted(&self, code: &str, entered: bool) -> bool {
        let aborted = if entered { "ABORTED" } else { "ABORTED_BEFORE_DISPATCH" };
        [self.before_policies, aborted].into_iter().any(|before| {
            let late = if judged(before, self.after) == "OK" { aborted } else { "OK" };
            code == judged(before, self.after) || (late != "OK" && code == late)
        })
    }
}
