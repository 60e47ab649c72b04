//! What a dispatcher tells the log.

use super::event::{CallRecord, DispatchRecord, DispatchResult, ErrorRecord, Event, ResultRecord};
use super::handle::Session;
use super::log::{Draft, depth};
use super::track::{Track, dropped_dispatch};
use crate::error::ToolError;
use crate::json::{JsonValue, MAX_DEPTH, ParseLimits, parse};
use crate::result::ToolResult;
use crate::seam::{Journal, JournalCall, JournalEnd, Recording};

/// How deep meta may be nested to be kept. Meta that is nested deeper draws no card of ours.
const META_DEPTH: usize = MAX_DEPTH - 8;

/// The journal of one step of a session.
pub(super) struct StepJournal {
    session: Session,
    turn: u64,
    step: u64,
}

impl StepJournal {
    pub(super) fn new(session: Session, (turn, step): (u64, u64)) -> Self {
        Self { session, turn, step }
    }

    /// The event that a call may run.
    fn call(&self, call: &JournalCall<'_>) -> Event {
        match dispatched(call) {
            Some(dispatch) => Event::DispatchStart(dispatch),
            None => Event::ToolCall(CallRecord {
                turn: self.turn,
                step: self.step,
                call_id: call.call_id().to_owned(),
                name: call.tool_name().to_owned(),
                arguments: call.arguments().to_owned(),
            }),
        }
    }

    /// The event that a call of the model has its result.
    fn result(&self, call: &JournalCall<'_>, end: &JournalEnd<'_>) -> Event {
        let result = end.result();
        Event::ToolResult(ResultRecord {
            turn: self.turn,
            step: self.step,
            message_id: None,
            call_id: call.call_id().to_owned(),
            content: end.content().clone(),
            is_error: !result.is_success(),
            error: error_of(result),
            meta: result.meta().filter(|meta| depth(meta) <= META_DEPTH).cloned(),
            meta_version: result.meta_version(),
        })
    }

    /// The result of a call of the model, citing the call; if the call itself is missing, it comes first.
    fn settled(&self, track: &Track, call: &JournalCall<'_>, result: Event) -> Vec<Draft> {
        match track.recorded(call.call_id()) {
            Some(seq) => vec![Draft::new(result).citing(Some(seq))],
            None => vec![Draft::new(self.call(call)), Draft::new(result).citing(Some(track.next_seq))],
        }
    }
}

impl Journal for StepJournal {
    fn called<'a>(&'a self, call: &'a JournalCall<'a>) -> Recording<'a> {
        let event = self.call(call);
        Box::pin(async move { Ok(self.session.append(|_| vec![Draft::new(event)]).await?) })
    }

    fn ended<'a>(&'a self, call: &'a JournalCall<'a>, end: &'a JournalEnd<'a>) -> Recording<'a> {
        let written = async move {
            if let Some(dispatch) = dispatched(call) {
                let (result, content) = (end.result(), end.content().clone());
                let (is_error, error) = (!result.is_success(), error_of(result));
                let result = DispatchResult { call: dispatch, content, is_error, error };
                self.session.append(|track| returned(track, result)).await
            } else {
                let result = self.result(call, end);
                self.session.append(|track| self.settled(track, call, result)).await
            }
        };
        Box::pin(async move { written.await.map_err(ToolError::from) })
    }

    fn dropped(&self, call: &JournalCall<'_>) {
        self.session.append_now(|track| match dispatched(call) {
            Some(dispatch) if !track.is_dispatched(&dispatch.sub_call_id) => Vec::new(),
            Some(dispatch) => {
                let (content, error) = dropped_dispatch();
                let event = DispatchResult { call: dispatch, content, is_error: true, error: Some(error) };
                vec![Draft::new(Event::Dispatch(event))]
            }
            None => track.dropped(call.call_id()).into_iter().collect(),
        });
    }
}

/// The result of a call that a body made; if its start is missing, it comes first.
fn returned(track: &Track, result: DispatchResult) -> Vec<Draft> {
    let start = (!track.is_dispatched(&result.call.sub_call_id)).then(|| Event::DispatchStart(result.call.clone()));
    start.into_iter().chain([Event::Dispatch(result)]).map(Draft::new).collect()
}

/// A call that a body makes.
fn dispatched(call: &JournalCall<'_>) -> Option<DispatchRecord> {
    let (root, parent) = (call.root_call_id()?, call.parent_call_id()?);
    let limits = ParseLimits { max_bytes: usize::MAX, max_depth: META_DEPTH };
    let arguments = parse(call.arguments(), &limits).unwrap_or_else(|_| JsonValue::from(call.arguments()));
    Some(DispatchRecord {
        root_call_id: root.to_owned(),
        parent_call_id: parent.to_owned(),
        sub_call_id: call.call_id().to_owned(),
        name: call.tool_name().to_owned(),
        arguments,
    })
}

fn error_of(result: &ToolResult) -> Option<ErrorRecord> {
    let failure = result.failure()?;
    Some(ErrorRecord { name: None, code: failure.code().to_string(), is_fatal: failure.is_fatal() })
}
