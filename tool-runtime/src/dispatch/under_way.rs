//! One call under way.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use super::call::Caller;
use super::execute::Bounds;
use super::journaled::Kept;
use super::{CallOptions, TextProfile, admit, execute, span};
use crate::definition::{CheckedArguments, Definition};
use crate::error::{Code, ToolError};
use crate::policy::PolicyCall;
use crate::result::{Course, Decision, Failure, Stage, ToolResult, Trace, Verdict};
use crate::seam::ArgumentDecoder;
use crate::tool::{Body, Call, CallHead};

/// One call while it is dispatched: what the stages after a failure still need to know of it.
pub(super) struct Dispatch<'a> {
    /// Moves into the call once there is one.
    pub(super) head: CallHead,
    pub(super) definition: Option<&'a Arc<Definition>>,
    /// The arguments as they were sent.
    pub(super) text: Option<&'a str>,
    /// What reads them, if they are not in the tool's own form.
    pub(super) dialect: Option<&'a dyn ArgumentDecoder>,
    pub(super) arguments: Option<CheckedArguments<'a>>,
    /// The call with its typed arguments.
    pub(super) call: Option<Call>,
    pub(super) trace: Trace,
    /// Where it is.
    pub(super) stage: Stage,
    pub(super) by: Caller,
    pub(super) options: CallOptions,
    /// What its journal was told, if it has one and was told anything.
    pub(super) kept: Option<Box<Kept>>,
}

impl<'a> Dispatch<'a> {
    pub(super) fn new(
        head: CallHead,
        definition: Option<&'a Arc<Definition>>,
        text: Option<&'a str>,
        dialect: Option<&'a dyn ArgumentDecoder>,
        options: CallOptions,
        by: Caller,
    ) -> Self {
        Self {
            head,
            definition,
            text,
            dialect,
            arguments: None,
            call: None,
            trace: Trace::default(),
            stage: Stage::Admit,
            by,
            options,
            kept: None,
        }
    }

    pub(super) fn tool_name(&self) -> &str {
        self.call.as_ref().map_or(&self.head.tool_name, Call::tool_name)
    }

    /// What policies see of the call, once there is one.
    pub(super) fn policy_call(&self) -> Option<PolicyCall<'_>> {
        let definition = self.definition.map(|definition| &**definition);
        let arguments = self.arguments.as_ref();
        self.call.as_ref().map(|call| PolicyCall { call, definition, arguments })
    }

    /// What ends the body of this call.
    pub(super) fn bounds(&self, grace: Duration) -> Bounds<'_> {
        Bounds { cancellation: &self.options.cancellation, deadline: self.options.deadline, grace }
    }

    /// Keeps a decision that was made before execution.
    pub(super) fn decided(&mut self, decision: Decision) {
        span::decided(&decision);
        self.trace.decided(decision);
    }

    /// The failure of a call that is not run because it was made too often.
    pub(super) fn stopped(&mut self, error: ToolError) -> ToolError {
        self.stage = Stage::Authorise;
        self.decided(Decision { policy: "repeats".to_owned(), verdict: Verdict::Denied });
        error
    }

    /// What its result keeps of its way.
    pub(super) fn course(&self, call: &Call) -> Course {
        let behaviour = self.definition.map(|definition| definition.spec.behaviour).unwrap_or_default();
        Course::new(call.body(), behaviour, self.by == Caller::Program)
    }

    /// Where it failed, with this error, before anything was projected. An invalid output is the framework's word of a
    /// value, unless the body itself said so.
    pub(super) fn failed_at(&self, call: &Call, error: &ToolError) -> Stage {
        match (self.stage, call.body()) {
            (Stage::Execute, Body::Returned | Body::NotEntered) if *error.code() == Code::INVALID_TOOL_OUTPUT => {
                Stage::Accept
            }
            (stage, _) => stage,
        }
    }

    /// A caller that cancelled after the value was accepted gets no success.
    pub(super) fn abort_late(&self, result: &mut ToolResult, profile: TextProfile) {
        if let (ToolResult::Success(success), Some(definition)) = (&mut *result, self.definition)
            && self.options.cancellation.is_cancelled()
        {
            let (call, course) = (success.call.clone(), success.course);
            let (contexts, trace) = (mem::take(&mut success.contexts), mem::take(&mut success.trace));
            let entered = call.body().was_entered();
            let error = if entered { execute::aborted(definition) } else { admit::aborted_before_dispatch() };
            let content = profile.content(&error);
            *result = ToolResult::Failure(Failure {
                call,
                error,
                content,
                meta: None,
                contexts,
                course,
                // While the body ran, unless the policies were at it.
                stage: self.stage,
                trace,
            });
        }
    }
}
