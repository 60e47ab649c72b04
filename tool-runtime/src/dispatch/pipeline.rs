//! The stages in their order: one way in, one way out.

use std::mem;
use std::sync::Arc;

use super::project::Projected;
use super::schedule::Turn;
use super::under_way::{Dispatch, Sent};
use super::{CallOptions, Dispatcher, admit, bound, decide, decode, execute, project, publish};
use crate::content::Content;
use crate::definition::Definition;
use crate::error::ToolError;
use crate::result::{Failure, Success, ToolResult, Trace};
use crate::tool::{Call, CallHead, CanonicalValue, Deferred};

impl Dispatcher {
    /// Every stage after a call was admitted, or refused: one way out.
    pub(super) async fn dispatch(
        &self,
        id: String,
        name: &str,
        sent: Sent<'_>,
        admitted: Result<Arc<Definition>, ToolError>,
        options: CallOptions,
        turn: Option<&Turn>,
    ) -> ToolResult {
        let (definition, refused) = match admitted {
            Ok(definition) => (Some(definition), None),
            Err(error) => (None, Some(error)),
        };
        // The name of a registered tool is shared, and that of another is what was sent.
        let tool_name = definition.as_ref().map_or_else(|| name.into(), |definition| Arc::clone(&definition.name));
        let head = CallHead { id, tool_name, cancellation: options.cancellation.for_call() };
        let definition = definition.as_deref();
        let mut dispatch = Dispatch::new(head, definition, sent, options);
        let outcome = match (definition, refused) {
            (Some(definition), None) => self.perform(definition, &mut dispatch, turn).await,
            (_, refused) => Err(refused.unwrap_or_else(|| admit::unknown(name, None))),
        };
        if let Some(turn) = turn {
            turn.pass();
            turn.to_commit().await;
        }
        let mut result = self.settle(&mut dispatch, outcome);
        if !self.0.policies.is_empty() {
            // Boxed, like whatever else not every call needs, so that the future of a call stays small.
            let decide = decide::decide(&self.0.policies, &dispatch, result, self.0.profile, self.0.limits.policy_time);
            result = Box::pin(decide).await;
        }
        dispatch.abort_late(&mut result, self.0.profile);
        bound::bound(&mut result, &self.0.limits, self.0.profile);
        publish::publish(&self.0.observers, &result);
        if let Some(turn) = turn {
            turn.commit();
        }
        result
    }

    /// The stages that can end in a failure of their own.
    async fn perform(
        &self,
        definition: &Definition,
        dispatch: &mut Dispatch<'_>,
        turn: Option<&Turn>,
    ) -> Result<CanonicalValue, ToolError> {
        let call = decode::decode(definition, dispatch, &self.0.limits, self.0.repairs)?;
        dispatch.call = Some(call);
        if !self.0.authority.is_empty() {
            Box::pin(self.0.authority.authorise(definition, dispatch, &self.0.limits)).await?;
        }
        let Some(call) = &dispatch.call else { return Err(admit::unknown(&dispatch.head.tool_name, None)) };
        let _running = match turn {
            Some(turn) => Some(turn.to_run(definition.spec.behaviour.is_parallel()).await),
            None => None,
        };
        if dispatch.options.cancellation.is_cancelled() {
            return Err(admit::aborted_before_dispatch());
        }
        if dispatch.deadline_has_passed() {
            return Err(execute::too_late());
        }
        call.set_progress(dispatch.options.progress.take());
        dispatch.started = true;
        execute::execute(definition, call, &dispatch.options, &self.0.limits).await
    }

    /// The result before any policy.
    fn settle(&self, dispatch: &mut Dispatch<'_>, outcome: Result<CanonicalValue, ToolError>) -> ToolResult {
        let call = dispatch.call.get_or_insert_with(|| Call::without_arguments(mem::take(&mut dispatch.head)));
        let Deferred { contexts, concludes_turn } = call.take_deferred();
        let trace = Trace {
            repairs: mem::take(&mut dispatch.repaired),
            decisions: mem::take(&mut dispatch.decisions),
            rewritten: mem::take(&mut dispatch.rewritten),
            warnings: mem::take(&mut dispatch.warnings),
        };
        let call = call.clone();
        // Only a definition makes a value.
        let projected = match (outcome, dispatch.definition) {
            (Ok(value), Some(definition)) => project::project(definition, &call, &value).map(|shown| (value, shown)),
            (Ok(_), None) => Err(admit::unknown(call.tool_name(), None)),
            (Err(error), _) => Err(error),
        };
        match projected {
            Ok((value, Projected { content, meta })) => {
                ToolResult::Success(Success { call, value, content, meta, contexts, concludes_turn, trace })
            }
            Err(error) => ToolResult::Failure(self.failure(call, error, contexts, trace)),
        }
    }

    pub(super) fn failure(&self, call: Call, error: ToolError, contexts: Vec<Content>, trace: Trace) -> Failure {
        let content = self.0.profile.content(&error);
        Failure { call, error, content, meta: None, contexts, trace }
    }
}
