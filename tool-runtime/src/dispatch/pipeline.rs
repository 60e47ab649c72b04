//! The stages in their order: one way in, one way out.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use tracing::{Instrument, Span};

use super::call::{Caller, Incoming};
use super::project::Projected;
use super::schedule::{Turn, beside};
use super::under_way::Dispatch;
use super::{Dispatcher, admit, bound, decide, decode, execute, hide, nested, project, publish, span, spill};
use crate::content::Content;
use crate::definition::{BoxFuture, Definition};
use crate::error::ToolError;
use crate::policy::Repeated;
use crate::result::{Course, Failure, Stage, Success, ToolResult, Trace};
use crate::schema::Hides;
use crate::tool::{Call, CallHead, CanonicalValue, Deferred};

impl Dispatcher {
    /// Every stage after a call was admitted, or refused, in a span of its own if anybody wants one.
    pub(super) async fn dispatch(
        &self,
        incoming: Incoming<'_>,
        admitted: Result<Arc<Definition>, ToolError>,
        turn: Option<&Turn>,
    ) -> ToolResult {
        match span::open(self, &incoming, admitted.as_deref().ok()) {
            None => self.stages(incoming, admitted, turn).await,
            Some(span) => self.traced(span, incoming, admitted, turn).await,
        }
    }

    /// The stages in a span. Boxed, so that a call that nobody traces has no place for it.
    pub(super) fn traced<'a>(
        &'a self,
        span: Span,
        incoming: Incoming<'a>,
        admitted: Result<Arc<Definition>, ToolError>,
        turn: Option<&'a Turn>,
    ) -> BoxFuture<'a, ToolResult> {
        let mut stages = Box::pin(self.stages(incoming, admitted, turn).instrument(span));
        Box::pin(async move {
            let result = stages.as_mut().await;
            span::ended(stages.span(), &result, self.0.recorded);
            result
        })
    }

    /// One way in, one way out.
    pub(super) async fn stages(
        &self,
        incoming: Incoming<'_>,
        admitted: Result<Arc<Definition>, ToolError>,
        turn: Option<&Turn>,
    ) -> ToolResult {
        let (note, stopped) = self.repeated(&incoming, admitted.as_deref().ok());
        let Incoming { id, name, arguments, options, by, parent } = incoming;
        // A program speaks the tool's own form.
        let dialect = self.0.dialect.as_deref().filter(|_| by == Caller::Model);
        let (definition, refused) = match admitted {
            Ok(definition) => (Some(definition), None),
            Err(error) => (None, Some(error)),
        };
        // The name of a registered tool is shared, and that of another is what was sent.
        let tool_name = definition.as_ref().map_or_else(|| name.into(), |definition| Arc::clone(&definition.name));
        let host = nested::host_of(&self.0, options.journal.as_ref());
        let scrub = parent.as_ref().and_then(|parent| parent.scrub());
        let cancellation = options.cancellation.for_call();
        let head = CallHead { id, tool_name, cancellation, host: Some(host), scrub, parent };
        let definition = definition.as_ref();
        let mut dispatch = Dispatch::new(head, definition, arguments, dialect, options, by);
        let outcome = match (definition, refused, stopped) {
            (_, _, Some(stopped)) if !dispatch.options.cancellation.is_cancelled() => Err(dispatch.stopped(stopped)),
            (Some(definition), None, _) => self.perform(definition, &mut dispatch, turn).await,
            (_, refused, _) => Err(refused.unwrap_or_else(|| admit::unknown(name, None))),
        };
        if dispatch.options.journal.is_some() {
            dispatch.keep_refused_call(self.registry().has_secrets()).await;
        }
        if let Some(turn) = turn {
            // What policies make of it later, it stays fatal.
            if outcome.as_ref().is_err_and(ToolError::is_fatal) {
                turn.end();
            }
            turn.pass();
            turn.to_commit().await;
        }
        let mut result = self.settle(&mut dispatch, outcome);
        let mut is_kept = true;
        if !self.0.policies.is_empty() || self.spills(&dispatch, &result, turn) {
            // Boxed, like whatever else not every call needs, so that the future of a call stays small: it holds a result
            // where it waits for this, and nowhere else.
            (result, is_kept) = Box::pin(self.follow(&mut dispatch, result, note, turn)).await;
        } else if let Some(note) = note {
            let left_by_body = result.contexts().len();
            decide::add_note(&mut result, *note, left_by_body);
        }
        dispatch.abort_late(&mut result, self.0.profile);
        hide::hide(&mut result, definition, self.0.profile);
        result.silence_fatal();
        let bounds = self.bounds_of(&dispatch, &result, turn);
        bound::bound(&mut result, bounds, is_kept, &self.0.limits, self.0.profile);
        if dispatch.options.journal.is_some() {
            dispatch.keep_result(&mut result, bounds.content).await;
        }
        nested::hand_up(&result);
        span::settled(&result);
        publish::publish(&self.0.observers, &result);
        if let Some(turn) = turn {
            turn.commit(spill::read_bytes(&result));
        }
        result
    }

    /// What the policies make of a result, what the model is told beside it, and what of it is kept elsewhere; `false`, if that
    /// was to be and could not.
    async fn follow(
        &self,
        dispatch: &mut Dispatch<'_>,
        mut result: ToolResult,
        note: Option<Box<Content>>,
        turn: Option<&Turn>,
    ) -> (ToolResult, bool) {
        let left_by_body = result.contexts().len();
        if !self.0.policies.is_empty() {
            if !dispatch.options.cancellation.is_cancelled() {
                dispatch.stage = Stage::Decide;
            }
            let (profile, time) = (self.0.profile, self.0.limits.policy_time);
            result = decide::decide(&self.0.policies, dispatch, result, profile, time).await;
        }
        if let Some(note) = note {
            decide::add_note(&mut result, *note, left_by_body);
        }
        // Before anything of it is kept elsewhere.
        hide::hide(&mut result, dispatch.definition, self.0.profile);
        if !self.spills(dispatch, &result, turn) {
            return (result, true);
        }
        dispatch.stage = Stage::Bound;
        Box::pin(self.spilled(dispatch, result, turn)).await
    }

    /// What the model is told of a call that it repeats, or why it is not run.
    fn repeated(
        &self,
        incoming: &Incoming<'_>,
        definition: Option<&Definition>,
    ) -> (Option<Box<Content>>, Option<ToolError>) {
        let chain = self.0.repeats.as_ref().filter(|_| incoming.by == Caller::Model);
        let logged = |sent: &str| match self.logged(incoming, definition, sent) {
            Cow::Owned(logged) => Some(logged),
            Cow::Borrowed(_) => None,
        };
        let limits = &self.0.limits.arguments;
        let counted = chain.and_then(|chain| chain.count(incoming.name, incoming.arguments, limits, &logged));
        match counted {
            None => (None, None),
            Some(Repeated::Noted(note)) => (Some(Box::new(note)), None),
            Some(Repeated::Stopped(error)) => (None, Some(error)),
        }
    }

    /// The stages that can end in a failure of their own.
    async fn perform(
        &self,
        definition: &Arc<Definition>,
        dispatch: &mut Dispatch<'_>,
        turn: Option<&Turn>,
    ) -> Result<CanonicalValue, ToolError> {
        dispatch.stage = Stage::Decode;
        let call = decode::decode(definition, dispatch, &self.0.limits, self.0.repairs)?;
        dispatch.call = Some(call);
        dispatch.stage = Stage::Authorise;
        if !self.0.authority.is_empty() {
            let judged = Box::pin(self.0.authority.authorise(definition, dispatch, &self.0.limits));
            match turn {
                Some(turn) => {
                    turn.unless_over(judged).await.unwrap_or_else(|| Err(admit::aborted_before_dispatch()))?;
                }
                None => judged.await?,
            }
        }
        let _running = match (turn, &dispatch.call) {
            (Some(turn), Some(call)) => Some(turn.to_run(beside(definition, call, &mut dispatch.trace)).await),
            _ => None,
        };
        if dispatch.options.journal.is_some() {
            dispatch.keep_call().await?;
        }
        let Some(call) = &dispatch.call else { return Err(admit::unknown(&dispatch.head.tool_name, None)) };
        if dispatch.options.cancellation.is_cancelled() || turn.is_some_and(Turn::is_over) {
            return Err(admit::aborted_before_dispatch());
        }
        if dispatch.deadline_has_passed() {
            return Err(execute::too_late());
        }
        call.set_progress(dispatch.options.progress.take());
        dispatch.stage = Stage::Execute;
        let grace = self.0.limits.grace;
        if let Some(stack) = &self.0.stack {
            let call = call.clone();
            return dispatch.through(&**stack, definition, &call, grace).await;
        }
        execute::execute(definition, call, dispatch.bounds(grace)).await
    }

    /// The result before any policy.
    fn settle(&self, dispatch: &mut Dispatch<'_>, outcome: Result<CanonicalValue, ToolError>) -> ToolResult {
        let call = dispatch.call.get_or_insert_with(|| Call::without_arguments(mem::take(&mut dispatch.head)));
        let Deferred { contexts, concludes_turn, warnings } = call.take_deferred();
        let mut trace = mem::take(&mut dispatch.trace);
        for warning in warnings {
            trace.warn(warning);
        }
        let call = call.clone();
        if let (Ok(value), Some(definition)) = (&outcome, dispatch.definition)
            && definition.output.secrets().is_some()
        {
            hide::learn_value(definition, &call, &value.to_json(), Hides::Declared);
        }
        let course = dispatch.course(&call);
        // Only a definition makes a value.
        let projected = match (outcome, dispatch.definition) {
            (Ok(value), Some(definition)) => match project::project(definition, &call, &value) {
                Ok(shown) => Ok((value, shown)),
                Err(error) => Err((error, Stage::Project)),
            },
            (Ok(_), None) => Err((admit::unknown(call.tool_name(), None), Stage::Admit)),
            (Err(error), _) => {
                let stage = dispatch.failed_at(&call, &error);
                Err((error, stage))
            }
        };
        let mut result = match projected {
            Ok((value, Projected { content, meta })) => {
                ToolResult::Success(Success { call, value, content, meta, contexts, concludes_turn, course, trace })
            }
            Err((error, stage)) => ToolResult::Failure(self.failure(call, error, contexts, trace, course, stage)),
        };
        // Policies are shown what everybody is, and told the whole value.
        hide::hide(&mut result, dispatch.definition, self.0.profile);
        result
    }

    pub(super) fn failure(
        &self,
        call: Call,
        error: ToolError,
        contexts: Vec<Content>,
        trace: Trace,
        course: Course,
        stage: Stage,
    ) -> Failure {
        let content = self.0.profile.content(&error);
        Failure { call, error, content, meta: None, contexts, course, stage, trace }
    }
}
