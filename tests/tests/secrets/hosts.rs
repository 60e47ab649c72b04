//! Hosts' code that tells what it sees.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tool_runtime::prelude::*;
use tool_runtime::seam::Observer;

use super::channels::assert_clean;
use super::tools::{CANARY, LogIn, Mode, TOKEN, arguments};

/// A policy before execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    Allow,
    Deny,
    Ask,
    Rewrite,
    RewriteBadly,
    Fail,
    Panic,
}

impl Before {
    pub(crate) const ALL: [Self; 7] =
        [Self::Allow, Self::Deny, Self::Ask, Self::Rewrite, Self::RewriteBadly, Self::Fail, Self::Panic];

    pub(crate) fn lets_run(self) -> bool {
        matches!(self, Self::Allow | Self::Ask | Self::Rewrite)
    }
}

/// What it says, if the call is not one that a body made.
fn said(call: &PolicyCall<'_>) -> Option<String> {
    assert_clean("a policy's own log", &format!("{call:?} {:?}", call.shown_arguments()));
    let typed = call.arguments_as::<LogIn>()?;
    assert_eq!(typed.password, CANARY, "a policy is told the truth");
    assert!(call.arguments()?.to_string().contains("c4nary"));
    Some(format!("{typed:?} {}", call.arguments()?))
}

impl PrePolicy for Before {
    fn name(&self) -> &'static str {
        "before"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let Some(said) = said(call) else { return Ok(PreDecision::allow()) };
        let mode = call.arguments_as::<LogIn>().map_or(Mode::Succeed, |arguments| arguments.mode);
        Ok(match self {
            Self::Allow => PreDecision::allow(),
            Self::Deny => PreDecision::deny(said),
            Self::Ask => PreDecision::ask(said),
            Self::Rewrite => PreDecision::rewrite(arguments(mode)),
            Self::RewriteBadly => PreDecision::rewrite(json!({"user": [CANARY], "pasword": CANARY, "pin": said})),
            Self::Fail => return Err(ToolError::msg(said)),
            Self::Panic => panic!("on purpose: {said}"),
        })
    }
}

impl Guard for Before {
    fn name(&self) -> &'static str {
        "guard"
    }

    fn denies(&self, call: &PolicyCall<'_>) -> Option<String> {
        said(call)
    }
}

/// A person, who is shown what a screen shows.
pub(crate) struct Person;

impl Approver for Person {
    fn name(&self) -> &'static str {
        "person"
    }

    async fn approve(&self, request: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        let screen = format!("{} {:?} {request:?}", request.arguments(), request.reasons());
        assert_clean("the screen", &screen);
        assert_eq!(
            (&request.arguments()["user"], &request.arguments()["password"]),
            (&json!("ann"), &json!("[secret]"))
        );
        Ok(Approval::Granted)
    }
}

/// A policy after execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Accept,
    ReplaceContent,
    ReplaceValue,
    ReplaceValueBadly,
    Block,
    Fail,
    Panic,
}

impl After {
    pub(crate) const ALL: [Self; 7] = [
        Self::Accept,
        Self::ReplaceContent,
        Self::ReplaceValue,
        Self::ReplaceValueBadly,
        Self::Block,
        Self::Fail,
        Self::Panic,
    ];
}

impl PostPolicy for After {
    fn name(&self) -> &'static str {
        "after"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
        assert_clean("a policy's own log", &format!("{success:?} {}", success.shown_value()));
        let Some(said) = said(call) else { return Ok(PostDecision::accept()) };
        assert!(success.value().as_str().contains(TOKEN), "a policy is told the truth");
        let other = format!("{TOKEN}-{CANARY}");
        Ok(match self {
            Self::Accept => PostDecision::accept().with_context(said),
            Self::ReplaceContent => PostDecision::replace_content(format!("{said} {}", success.value())),
            Self::ReplaceValue => PostDecision::replace_value(
                json!({"user": "ann", "token": other, "digits": 7, "forgotten": [said, other]}),
            ),
            Self::ReplaceValueBadly => PostDecision::replace_value(
                json!({"user": [said], "token": [other], "tokn": other, "forgotten": other}),
            ),
            Self::Block => PostDecision::block(said.as_str()).with_context(said),
            Self::Fail => return Err(ToolError::msg(said)),
            Self::Panic => panic!("on purpose: {said}"),
        })
    }

    async fn on_failure(&self, call: &PolicyCall<'_>, failure: &Failure) -> Result<FailureDecision, ToolError> {
        assert_clean("a policy's own log", &format!("{failure:?}"));
        let Some(said) = said(call) else { return Ok(FailureDecision::accept()) };
        Ok(match self {
            Self::Accept | Self::ReplaceValue | Self::ReplaceValueBadly => FailureDecision::accept().with_context(said),
            Self::ReplaceContent => FailureDecision::replace_content(said),
            Self::Block => FailureDecision::block(said),
            Self::Fail => return Err(ToolError::msg(said)),
            Self::Panic => panic!("on purpose: {said}"),
        })
    }
}

/// An observer that logs what it is shown, and panics with the rest.
#[derive(Clone, Default)]
pub(crate) struct Keeps(Arc<Mutex<String>>);

impl Keeps {
    pub(crate) fn told(&self) -> String {
        self.0.lock().unwrap().clone()
    }
}

impl Observer for Keeps {
    fn name(&self) -> &'static str {
        "keeps"
    }

    fn on_result(&self, result: &ToolResult) {
        *self.0.lock().unwrap() += format!("{result:?}").as_str();
        if let Some(success) = result.success() {
            panic!("on purpose: {}", success.value());
        }
    }
}
