//! Where a session stands: what is open, and what closes it.

use super::error::SessionError;
use super::event::{EndReason, ErrorRecord, Event, ResultRecord};
use super::log::{Draft, Entry};
use crate::content::Content;
use crate::error::Code;

/// What the model reads of a call that a crash came before.
const NOT_STARTED: &str =
    "The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.";

/// What it reads of one that a crash came into.
const OUTCOME_UNKNOWN: &str = "The tool call was interrupted after it was recorded, but no result was durably recorded. Its outcome is \
    unknown. Decide whether to retry from the tool semantics: retry only if the operation is read-only or idempotent; if it may \
    have side effects, first verify external state or ask the user. Do not retry blindly.";

/// Where a session stands after some events.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    pub(super) next_seq: u64,
    last_time: u64,
    /// The number of the last turn.
    last_turn: u64,
    turn_is_open: bool,
    /// The number of the last step of the turn.
    last_step: u64,
    step_is_open: bool,
    /// The calls without a result, in the order of the transcript.
    open: Vec<OpenCall>,
    /// The ids of the calls of bodies that have started and have no result.
    dispatched: Vec<String>,
}

/// A call without a result.
#[derive(Clone, Debug)]
struct OpenCall {
    call_id: String,
    turn: u64,
    step: u64,
    /// The number of its `tool/call`, if there is one.
    recorded: Option<u64>,
}

impl Track {
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut track = Self::default();
        for entry in entries {
            track.see(entry);
        }
        track
    }

    /// The turn and the step that are open; 0 for none.
    pub(super) fn place(&self) -> (u64, u64) {
        let turn = if self.turn_is_open { self.last_turn } else { 0 };
        (turn, if self.step_is_open { self.last_step } else { 0 })
    }

    pub(super) fn next_turn(&self) -> u64 {
        self.last_turn + 1
    }

    pub(super) fn next_step(&self) -> u64 {
        self.last_step + 1
    }

    /// The number of the `tool/call` of a call that has no result.
    pub(super) fn recorded(&self, call_id: &str) -> Option<u64> {
        self.open.iter().filter(|call| call.call_id == call_id).find_map(|call| call.recorded)
    }

    /// The next event was logged.
    pub(super) fn see(&mut self, entry: &Entry) {
        self.next_seq = self.next_seq.max(entry.seq().saturating_add(1));
        self.last_time = entry.time();
        match entry.event() {
            Event::TurnStart { turn } => {
                (self.last_turn, self.turn_is_open) = (*turn, true);
                (self.last_step, self.step_is_open) = (0, false);
                self.open.clear();
                self.dispatched.clear();
            }
            Event::TurnEnd { .. } => {
                self.turn_is_open = false;
                self.step_is_open = false;
                self.open.clear();
                self.dispatched.clear();
            }
            Event::StepStart { step, .. } => (self.last_step, self.step_is_open) = (*step, true),
            Event::StepEnd { .. } => self.step_is_open = false,
            Event::AssistantMessage(message) => {
                self.open.extend(message.calls.iter().map(|call| OpenCall {
                    call_id: call.call_id.clone(),
                    turn: message.turn,
                    step: message.step,
                    recorded: None,
                }));
            }
            Event::ToolCall(call) => self.called(&call.call_id, (call.turn, call.step), entry.seq()),
            Event::ToolResult(result) if entry.surface_op() == Some(super::event::SurfaceOp::Append) => {
                self.answered(&result.call_id, entry.sources());
            }
            Event::DispatchStart(call) => self.dispatched.push(call.sub_call_id.clone()),
            Event::Dispatch(result) => self.dispatched.retain(|open| *open != result.call.sub_call_id),
            _ => {}
        }
    }

    /// Whether a call that a body makes has started and has no result.
    pub(super) fn is_dispatched(&self, call_id: &str) -> bool {
        self.dispatched.iter().any(|open| open == call_id)
    }

    fn called(&mut self, call_id: &str, (turn, step): (u64, u64), seq: u64) {
        let requested = self.open.iter_mut().find(|open| open.call_id == call_id && open.recorded.is_none());
        match requested {
            Some(open) => open.recorded = Some(seq),
            None => self.open.push(OpenCall { call_id: call_id.to_owned(), turn, step, recorded: Some(seq) }),
        }
    }

    fn answered(&mut self, call_id: &str, sources: &[u64]) {
        let cited = self.open.iter().position(|open| open.recorded.is_some_and(|seq| sources.contains(&seq)));
        if let Some(at) = cited.or_else(|| self.open.iter().position(|open| open.call_id == call_id)) {
            self.open.remove(at);
        }
    }

    /// Whether an event may come next.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn allows(&self, event: &Event) -> Result<(), SessionError> {
        let refuse = |why: String| Err(SessionError::OutOfOrder(why));
        match event {
            Event::TurnStart { .. } if self.turn_is_open => refuse(format!("turn {} is open", self.last_turn)),
            Event::TurnEnd { .. } | Event::StepStart { .. } | Event::UserMessage(_) if !self.turn_is_open => {
                refuse("no turn is open".to_owned())
            }
            Event::StepStart { .. } | Event::TurnEnd { .. } if self.step_is_open => {
                refuse(format!("step {} is open", self.last_step))
            }
            Event::StepEnd { .. } | Event::AssistantMessage(_) if !self.step_is_open => {
                refuse("no step is open".to_owned())
            }
            Event::StepEnd { .. } | Event::TurnEnd { .. } => match self.open.first() {
                Some(open) => refuse(format!("call {:?} has no result; run it, or interrupt the turn", open.call_id)),
                None => Ok(()),
            },
            Event::AssistantMessage(message) => match message.repeated_id() {
                Some(call_id) => refuse(format!(
                    "its message asks for two calls with the id {call_id:?}, so their results could not be told apart; give each \
                     call an id of its own"
                )),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// What closes the open turn: a result for each call without one, the end of the step, the end of the turn. Nothing, if no
    /// turn is open.
    pub(super) fn closing(&self) -> Vec<Draft> {
        if !self.turn_is_open {
            return Vec::new();
        }
        let calls = self.open.iter().enumerate();
        let mut drafts: Vec<Draft> = calls.map(|(nth, open)| open.closing(self.next_seq + nth as u64)).collect();
        let turn = self.last_turn;
        if self.step_is_open {
            drafts.push(Draft::new(Event::StepEnd { turn, step: self.last_step }));
        }
        drafts.push(Draft::new(Event::TurnEnd { turn, reason: EndReason::interrupted() }));
        drafts
    }

    /// The same as entries, at the time of the last event.
    pub(super) fn repairs(&self) -> Result<Vec<Entry>, SessionError> {
        let drafts = self.closing().into_iter().enumerate();
        drafts.map(|(nth, draft)| draft.entry(self.next_seq + nth as u64, self.last_time)).collect()
    }

    /// The result of a call whose future was dropped, if it has none.
    pub(super) fn dropped(&self, call_id: &str) -> Option<Draft> {
        let open = self.open.iter().find(|open| open.call_id == call_id && open.recorded.is_some())?;
        Some(open.closing(self.next_seq))
    }
}

impl OpenCall {
    /// The result of a call that has none, under this number.
    fn closing(&self, seq: u64) -> Draft {
        let (name, code, text) = match self.recorded {
            Some(_) => ("ToolOutcomeUnknownError", Code::TOOL_OUTCOME_UNKNOWN, OUTCOME_UNKNOWN),
            None => ("ToolNotStartedError", Code::TOOL_NOT_STARTED, NOT_STARTED),
        };
        let error = interrupted(name, &code);
        let result = ResultRecord {
            turn: self.turn,
            step: self.step,
            message_id: Some(format!("interrupted-tool-result-{}-{seq}", self.call_id)),
            call_id: self.call_id.clone(),
            content: Content::text(format!("Error [{code}]: {text}")),
            is_error: true,
            error: Some(error),
            meta: None,
            meta_version: 1,
        };
        Draft::new(Event::ToolResult(result)).citing(self.recorded)
    }
}

fn interrupted(name: &str, code: &Code) -> ErrorRecord {
    ErrorRecord { name: Some(name.to_owned()), code: code.to_string(), is_fatal: false }
}

/// What a call that a body made has for a result, if its future was dropped.
pub(super) fn dropped_dispatch() -> (Content, ErrorRecord) {
    let code = Code::TOOL_OUTCOME_UNKNOWN;
    (Content::text(format!("Error [{code}]: {OUTCOME_UNKNOWN}")), interrupted("ToolOutcomeUnknownError", &code))
}
