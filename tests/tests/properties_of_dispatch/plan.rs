//! What is to happen in one run.

use std::time::Duration;

use proptest::prelude::*;

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) calls: Vec<CallPlan>,
    /// When the caller cancels, if it does.
    pub(crate) abort_after: Option<Duration>,
}

#[derive(Clone, Debug)]
pub(crate) struct CallPlan {
    pub(crate) tool: ToolPlan,
    pub(crate) arguments_are_good: bool,
    pub(crate) before: Before,
    pub(crate) approval: ApprovalPlan,
    pub(crate) guard: GuardPlan,
    pub(crate) layer: LayerPlan,
    pub(crate) body: Body,
    pub(crate) after: After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolPlan {
    Parallel,
    Alone,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    Allow,
    AllowLate,
    Deny,
    Ask,
    Cancel,
    Rewrite,
    RewriteBadly,
    Fail,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApprovalPlan {
    Grant,
    GrantLate,
    Reject,
    Cancelled,
    Unavailable,
    Fail,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GuardPlan {
    Abstain,
    Deny,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerPlan {
    Through,
    /// Tries once more if the body fails.
    Retry,
    OwnValue,
    OwnBadValue,
    Fail,
    Panic,
    /// Drops the body at its first wait.
    Drop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Return,
    ReturnLate,
    Fail,
    FailLate,
    Panic,
    /// Ends when it is told to stop.
    Obey,
    /// Never ends.
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Accept,
    AcceptLate,
    ReplaceContent,
    ReplaceValue,
    ReplaceValueBadly,
    Block,
    Fail,
    Panic,
}

impl CallPlan {
    /// The call as a model sends it: id, name, arguments.
    pub(crate) fn as_sent(&self, index: usize) -> (String, String, String) {
        let name = match self.tool {
            ToolPlan::Parallel => "parallel",
            ToolPlan::Alone => "alone",
            ToolPlan::Unknown => "unknown",
        };
        let arguments = if self.arguments_are_good { format!(r#"{{"index":{index}}}"#) } else { "{".to_owned() };
        (format!("call-{index}"), name.to_owned(), arguments)
    }
}

macro_rules! one_of {
    ($($weight:literal $value:expr),* $(,)?) => { prop_oneof![$($weight => Just($value)),*] };
}

fn call() -> impl Strategy<Value = CallPlan> {
    let tool = one_of![6 ToolPlan::Parallel, 3 ToolPlan::Alone, 1 ToolPlan::Unknown];
    let before = one_of![
        6 Before::Allow, 2 Before::AllowLate, 1 Before::Deny, 3 Before::Ask, 1 Before::Cancel, 2 Before::Rewrite,
        1 Before::RewriteBadly, 1 Before::Fail, 1 Before::Panic,
    ];
    let approval = one_of![
        4 ApprovalPlan::Grant, 2 ApprovalPlan::GrantLate, 1 ApprovalPlan::Reject, 1 ApprovalPlan::Cancelled,
        1 ApprovalPlan::Unavailable, 1 ApprovalPlan::Fail, 1 ApprovalPlan::Panic,
    ];
    let guard = one_of![8 GuardPlan::Abstain, 1 GuardPlan::Deny, 1 GuardPlan::Panic];
    let layer = one_of![
        6 LayerPlan::Through, 1 LayerPlan::Retry, 1 LayerPlan::OwnValue, 1 LayerPlan::OwnBadValue, 1 LayerPlan::Fail,
        1 LayerPlan::Panic, 1 LayerPlan::Drop,
    ];
    let body = one_of![
        4 Body::Return, 4 Body::ReturnLate, 1 Body::Fail, 1 Body::FailLate, 1 Body::Panic, 1 Body::Obey, 1 Body::Ignore,
    ];
    let after = one_of![
        6 After::Accept, 2 After::AcceptLate, 1 After::ReplaceContent, 1 After::ReplaceValue,
        1 After::ReplaceValueBadly, 1 After::Block, 1 After::Fail, 1 After::Panic,
    ];
    let good = prop::bool::weighted(0.9);
    (tool, good, before, approval, guard, layer, body, after).prop_map(
        |(tool, arguments_are_good, before, approval, guard, layer, body, after)| CallPlan {
            tool,
            arguments_are_good,
            before,
            approval,
            guard,
            layer,
            body,
            after,
        },
    )
}

pub(crate) fn plans() -> impl Strategy<Value = Plan> {
    // Half of the runs are aborted, at a time at which something may be going on.
    let abort_after = prop::option::of((0_u64..80).prop_map(Duration::from_millis));
    (prop::collection::vec(call(), 1..6), abort_after).prop_map(|(calls, abort_after)| Plan { calls, abort_after })
}
