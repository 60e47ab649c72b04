//! Decide: the policies after execution, folded in order. The law of the fold is written at
//! [`PostPolicy`](crate::PostPolicy).

use std::sync::Arc;
use std::time::Duration;

use super::effects::{possible, told_of};
use super::execute::invalid_output;
use super::host_code::{NoAnswer, answer};
use super::project::{Projected, project};
use super::{Dispatch, TextProfile, hide, span};
use crate::content::{Block, Content};
use crate::definition::{BoxFuture, Definition};
use crate::error::{Code, Effects, ToolError};
use crate::panics::contain;
use crate::policy::{ErasedPolicy, FailureDecision, PolicyCall, PostDecision, Replacement};
use crate::result::{Course, Decision, Failure, Stage, Success, ToolResult, Trace, Verdict};
use crate::schema::Hides;
use crate::tool::{Call, CanonicalValue};

pub(super) async fn decide(
    policies: &[Arc<dyn ErasedPolicy>],
    dispatch: &Dispatch<'_>,
    mut result: ToolResult,
    profile: TextProfile,
    time: Duration,
) -> ToolResult {
    let tool = dispatch.definition.as_ref().and_then(|definition| definition.tool.type_id());
    let Some(call) = dispatch.policy_call() else { return result };
    for policy in policies.iter().filter(|policy| policy.concerns(tool)) {
        let fold = Fold { policy: &**policy, dispatch, profile, time };
        let (folded, verdict) = match result {
            ToolResult::Success(success) => fold.success(&call, success).await,
            ToolResult::Failure(failure) => fold.failure(&call, failure).await,
        };
        result = folded;
        let decision = Decision { policy: fold.name(), verdict };
        span::decided(&decision);
        result.trace_mut().decided(decision);
    }
    result
}

/// Puts a note of the framework's before the contexts of the policies. What the body left stands before both; of a result
/// that was withheld, nothing of it is left.
pub(super) fn add_note(result: &mut ToolResult, note: Content, left_by_body: usize) {
    let withheld = |decision: &Decision| matches!(decision.verdict(), Verdict::Blocked | Verdict::Failed);
    let place = if result.trace().decisions().iter().any(withheld) { 0 } else { left_by_body };
    let contexts = result.contexts_mut();
    contexts.insert(place.min(contexts.len()), note);
}

/// One policy's step.
struct Fold<'a> {
    policy: &'a dyn ErasedPolicy,
    dispatch: &'a Dispatch<'a>,
    profile: TextProfile,
    time: Duration,
}

impl Fold<'_> {
    async fn success(&self, call: &PolicyCall<'_>, mut success: Success) -> (ToolResult, Verdict) {
        // There is a success only where a definition ran.
        let Some(definition) = &self.dispatch.definition else {
            return (ToolResult::Success(success), Verdict::Accepted);
        };
        let decision = self.asked(|| self.policy.on_success(call, &success)).await;
        match decision {
            Err(why) => (self.policy_failed(Remains::of_success(success, definition), &why), Verdict::Failed),
            Ok(PostDecision::Accept { contexts }) => {
                success.contexts.extend(contexts);
                (ToolResult::Success(success), Verdict::Accepted)
            }
            Ok(PostDecision::ReplaceContent { content, contexts }) => {
                success.content = content;
                success.contexts.extend(contexts);
                (ToolResult::Success(success), Verdict::ReplacedContent)
            }
            Ok(PostDecision::Block { feedback, contexts }) => {
                (blocked(Remains::of_success(success, definition), feedback, contexts), Verdict::Blocked)
            }
            Ok(PostDecision::ReplaceValue { value, contexts }) => {
                success.contexts.extend(contexts);
                match reproject(definition, call.call, value) {
                    Ok((value, Projected { content, meta })) => {
                        success.value = value;
                        success.content = content;
                        success.meta = meta;
                        (ToolResult::Success(success), Verdict::ReplacedValue)
                    }
                    Err(error) => {
                        let Success { call, contexts, course, trace, .. } = success;
                        let content = self.profile.content(&error);
                        let stage = Stage::Decide;
                        let failure = Failure { call, error, content, meta: None, contexts, course, stage, trace };
                        (ToolResult::Failure(failure), Verdict::RefusedReplacement)
                    }
                }
            }
        }
    }

    async fn failure(&self, call: &PolicyCall<'_>, mut failure: Failure) -> (ToolResult, Verdict) {
        let decision = self.asked(|| self.policy.on_failure(call, &failure)).await;
        match decision {
            Err(why) => (self.policy_failed(Remains::of_failure(failure), &why), Verdict::Failed),
            Ok(FailureDecision::Accept { contexts }) => {
                failure.contexts.extend(contexts);
                (ToolResult::Failure(failure), Verdict::Accepted)
            }
            Ok(FailureDecision::ReplaceContent { content, contexts }) => {
                failure.content = content;
                failure.contexts.extend(contexts);
                (ToolResult::Failure(failure), Verdict::ReplacedContent)
            }
            Ok(FailureDecision::Block { feedback, contexts }) => {
                (blocked(Remains::of_failure(failure), feedback, contexts), Verdict::Blocked)
            }
        }
    }

    /// The policy's answer, or why there is none, in words for the host. It judges a cancelled call too.
    async fn asked<'a, T>(&self, ask: impl FnOnce() -> BoxFuture<'a, Result<T, ToolError>>) -> Result<T, String> {
        answer(ask, self.time, None).await.map_err(|none| match none {
            NoAnswer::Failed(why) => why,
            NoAnswer::TimeUp => format!("it gave no answer within {}ms", self.time.as_millis()),
            NoAnswer::Cancelled => "it was cancelled".to_owned(),
        })
    }

    /// The error names the policy and not what it said: that may quote what it was to hide.
    fn policy_failed(&self, remains: Remains, why: &str) -> ToolResult {
        let name = self.name();
        tracing::warn!(policy = name, why = &*self.dispatch.scrubbed(why), "a policy failed; the result is withheld");
        let entered = remains.call.body().was_entered();
        let end = match (entered, remains.effects) {
            (false, _) => "; the tool has not run",
            (true, Effects::None) => "; the tool has run",
            (true, _) => "",
        };
        let message = format!("the policy {name:?} failed, so the result is withheld{end}");
        let message = if entered { told_of(message, remains.effects) } else { message };
        let error = remains.error(Code::POLICY_FAILED, message);
        let content = self.profile.content(&error);
        let Remains { call, course, trace, .. } = remains;
        let (contexts, stage) = (Vec::new(), Stage::Decide);
        ToolResult::Failure(Failure { call, error, content, meta: None, contexts, course, stage, trace })
    }

    fn name(&self) -> String {
        contain(|| self.policy.name().to_owned()).unwrap_or_else(|_| "(a policy whose name panics)".to_owned())
    }
}

/// What of a result outlives its being withheld.
struct Remains {
    call: Call,
    course: Course,
    trace: Trace,
    effects: Effects,
    /// What ended the run ends it all the same.
    is_fatal: bool,
}

impl Remains {
    fn of_success(Success { call, course, trace, .. }: Success, definition: &Definition) -> Self {
        Self { call, course, trace, effects: possible(definition), is_fatal: false }
    }

    fn of_failure(Failure { call, error, course, trace, .. }: Failure) -> Self {
        Self { call, course, trace, effects: error.known_effects(), is_fatal: error.is_fatal() }
    }

    /// The error in the place of what is withheld.
    fn error(&self, code: Code, message: String) -> ToolError {
        let error = ToolError::new(code, message).effects(self.effects);
        if self.is_fatal { error.fatal() } else { error }
    }
}

/// A withheld result: the feedback verbatim, and only the decision's own contexts.
fn blocked(remains: Remains, feedback: Content, contexts: Vec<Content>) -> ToolResult {
    let text = feedback_text(&feedback);
    let message = if text.is_empty() { "tool result blocked by post-execute policy".to_owned() } else { text };
    let error = remains.error(Code::BLOCKED, message);
    let (Remains { call, course, trace, .. }, stage) = (remains, Stage::Decide);
    ToolResult::Failure(Failure { call, error, content: feedback, meta: None, contexts, course, stage, trace })
}

fn feedback_text(feedback: &Content) -> String {
    let blank = feedback.blocks().iter().all(|block| matches!(block, Block::Text(block) if block.text.is_empty()));
    if blank && feedback.notice().is_none() { String::new() } else { feedback.to_text() }
}

/// A value that comes back is accepted and projected like any other.
fn reproject(
    definition: &Definition,
    call: &Call,
    value: Replacement,
) -> Result<(CanonicalValue, Projected), ToolError> {
    let accepted = match value {
        Replacement::Json(value) => {
            if definition.output.secrets().is_some() {
                hide::learn_value(definition, call, &value, Hides::Everything);
            }
            definition.tool.accept_json(&value, &definition.output)
        }
        Replacement::Typed(value) => definition.tool.accept_typed(value, &definition.output),
    };
    let accepted = accepted.map_err(|refused| invalid_output(definition, &refused))?;
    if definition.output.secrets().is_some() {
        hide::learn_value(definition, call, &accepted.to_json(), Hides::Declared);
    }
    let shown = project(definition, call, &accepted)?;
    Ok((accepted, shown))
}
