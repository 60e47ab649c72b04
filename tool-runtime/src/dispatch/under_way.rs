//! One call under way.

use std::mem;

use super::{CallOptions, TextProfile, execute};
use crate::definition::{CheckedArguments, Definition};
use crate::policy::PolicyCall;
use crate::repair::Repaired;
use crate::result::{Decision, Failure, Rewritten, ToolResult};
use crate::seam::ArgumentDecoder;
use crate::tool::{Call, CallHead};

/// What a caller sends.
#[derive(Clone, Copy)]
pub(super) struct Sent<'a> {
    /// The arguments as text.
    pub(super) text: Option<&'a str>,
    /// What reads them, if they are not in the tool's own form.
    pub(super) dialect: Option<&'a dyn ArgumentDecoder>,
}

/// One call while it is dispatched: what the stages after a failure still need to know of it.
pub(super) struct Dispatch<'a> {
    /// Moves into the call once there is one.
    pub(super) head: CallHead,
    pub(super) definition: Option<&'a Definition>,
    /// The arguments as they were sent.
    pub(super) sent: Sent<'a>,
    pub(super) arguments: Option<CheckedArguments<'a>>,
    /// The call with its typed arguments.
    pub(super) call: Option<Call>,
    pub(super) repaired: Vec<Repaired>,
    /// What was decided before execution.
    pub(super) decisions: Vec<Decision>,
    pub(super) rewritten: Vec<Rewritten>,
    /// What went wrong before execution, in words for the host.
    pub(super) warnings: Vec<String>,
    /// Whether the body was entered.
    pub(super) started: bool,
    pub(super) options: CallOptions,
}

impl<'a> Dispatch<'a> {
    pub(super) fn new(
        head: CallHead,
        definition: Option<&'a Definition>,
        sent: Sent<'a>,
        options: CallOptions,
    ) -> Self {
        Self {
            head,
            definition,
            sent,
            arguments: None,
            call: None,
            repaired: Vec::new(),
            decisions: Vec::new(),
            rewritten: Vec::new(),
            warnings: Vec::new(),
            started: false,
            options,
        }
    }

    pub(super) fn tool_name(&self) -> &str {
        self.call.as_ref().map_or(&self.head.tool_name, Call::tool_name)
    }

    /// What policies see of the call, once there is one.
    pub(super) fn policy_call(&self) -> Option<PolicyCall<'_>> {
        let behaviour = self.definition.map(|definition| definition.spec.behaviour).unwrap_or_default();
        let arguments = self.arguments.as_ref();
        self.call.as_ref().map(|call| PolicyCall { call, behaviour, arguments })
    }

    /// A caller that cancelled after the value was accepted gets no success.
    pub(super) fn abort_late(&self, result: &mut ToolResult, profile: TextProfile) {
        if let (ToolResult::Success(success), Some(definition)) = (&mut *result, self.definition)
            && self.options.cancellation.is_cancelled()
        {
            let (call, contexts, trace) =
                (success.call.clone(), mem::take(&mut success.contexts), mem::take(&mut success.trace));
            let error = execute::aborted(definition);
            let content = profile.content(&error);
            *result = ToolResult::Failure(Failure { call, error, content, meta: None, contexts, trace });
        }
    }
}
