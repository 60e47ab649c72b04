//! Replay: what the model read and a person saw, made of the log alone.

use std::collections::HashMap;

use super::error::{LogError, SessionError};
use super::event::{AssistantMessage, CallRecord, Event, RequestedCall, ResultRecord, SurfaceOp, UserMessage};
use super::log::{Entry, SessionLog};
use crate::card::{CallView, DurableResult, ResultView};
use crate::registry::Cards;

/// A message of the conversation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// What the user said.
    User(UserMessage),
    /// What the model said and asked for.
    Assistant(AssistantMessage),
    /// The result of a call.
    ToolResult(ResultRecord),
}

/// A call of the model, and its result: what its cards are drawn from.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayedCall {
    call: CallRecord,
    result: Option<ResultRecord>,
}

impl ReplayedCall {
    /// The call.
    pub fn call(&self) -> &CallRecord {
        &self.call
    }

    /// Its result as it came; `None` while there is none. Pruning does not change it.
    pub fn result(&self) -> Option<&ResultRecord> {
        self.result.as_ref()
    }

    /// The card of the call, as it was drawn live.
    pub fn call_view(&self, cards: &Cards) -> CallView {
        cards.call(&self.call.name, &self.call.arguments)
    }

    /// The card of its result, as it was drawn live; `None` while there is none.
    pub fn result_view(&self, cards: &Cards) -> Option<ResultView> {
        let result = self.result.as_ref()?;
        Some(cards.result(&self.call.name, &self.call.arguments, &result.durable()))
    }
}

impl AssistantMessage {
    /// A call that it asks for, as if it had been recorded.
    fn record(&self, call: &RequestedCall) -> CallRecord {
        let RequestedCall { call_id, name, arguments } = call.clone();
        CallRecord { turn: self.turn, step: self.step, call_id, name, arguments }
    }
}

impl ResultRecord {
    /// What its card is drawn from.
    pub fn durable(&self) -> DurableResult<'_> {
        let durable =
            if self.is_error { DurableResult::failure(&self.content) } else { DurableResult::success(&self.content) };
        match &self.meta {
            Some(meta) => durable.with_meta(meta, self.meta_version),
            None => durable,
        }
    }
}

/// A session as its log tells it. Events that come later are [added](Self::add): the outcome is that of replaying all at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    messages: Vec<Message>,
    calls: Vec<ReplayedCall>,
    /// Where the messages of results are, by the numbers of their events.
    results: HashMap<u64, usize>,
    /// Where calls are, by the numbers of their events.
    called: HashMap<u64, usize>,
    /// What the model asked for in the open turn and no event has recorded yet.
    asked: Vec<CallRecord>,
}

/// Replays a log: the messages for the model, and the calls with their results for cards. No body is run.
///
/// # Errors
/// An event is not understood and may not be passed over, or an event replaces something else than the content of a result.
pub fn replay(log: &SessionLog) -> Result<Replay, SessionError> {
    let mut replay = Replay::default();
    for entry in log.entries() {
        replay.add(entry)?;
    }
    Ok(replay)
}

impl Replay {
    /// The messages, in their order.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The calls of the model that were recorded, or have a result, in their order. One that was answered without having been
    /// recorded (`TOOL_NOT_STARTED`) has the name and the arguments of the message that asked for it.
    pub fn calls(&self) -> &[ReplayedCall] {
        &self.calls
    }

    /// The next event of the log.
    ///
    /// # Errors
    /// It is not understood and may not be passed over, or replaces something else than the content of a result. What was
    /// replayed is as it was.
    pub fn add(&mut self, entry: &Entry) -> Result<(), SessionError> {
        match (entry.event(), entry.surface_op()) {
            (Event::UserMessage(message), _) => self.messages.push(Message::User(message.clone())),
            (Event::AssistantMessage(message), _) => {
                self.asked.extend(message.calls.iter().map(|call| message.record(call)));
                self.messages.push(Message::Assistant(message.clone()));
            }
            (Event::ToolCall(call), _) => {
                self.take_asked(&call.call_id);
                self.called.insert(entry.seq(), self.calls.len());
                self.calls.push(ReplayedCall { call: call.clone(), result: None });
            }
            (Event::ToolResult(result), Some(SurfaceOp::Replace)) => return self.replace(entry, result),
            (Event::ToolResult(result), _) => {
                self.answered(entry, result);
                self.results.insert(entry.seq(), self.messages.len());
                self.messages.push(Message::ToolResult(result.clone()));
            }
            // What a turn leaves unanswered is no call of the next one, in which ids may come again.
            (Event::TurnStart { .. } | Event::TurnEnd { .. }, _) => self.asked.clear(),
            (Event::Unknown(unknown), _) if !entry.is_ignorable() => {
                return Err(SessionError::Log(LogError::UnknownEvent {
                    kind: entry.kind().to_owned(),
                    seq: entry.seq(),
                    line: entry.line(),
                    why: unknown.why.clone(),
                }));
            }
            _ => {}
        }
        Ok(())
    }

    /// A call that the model asked for, and nothing has recorded.
    fn take_asked(&mut self, call_id: &str) -> Option<CallRecord> {
        let at = self.asked.iter().position(|asked| asked.call_id == call_id)?;
        Some(self.asked.remove(at))
    }

    /// A result goes to the call that it cites, or else to one that was asked for and never recorded.
    fn answered(&mut self, entry: &Entry, result: &ResultRecord) {
        let cited = entry.sources().iter().find_map(|seq| self.called.get(seq));
        if let Some(call) = cited.and_then(|at| self.calls.get_mut(*at)) {
            call.result = Some(result.clone());
        } else if let Some(call) = self.take_asked(&result.call_id) {
            self.calls.push(ReplayedCall { call, result: Some(result.clone()) });
        }
    }

    /// Other content for a result that the model has read.
    fn replace(&mut self, entry: &Entry, by: &ResultRecord) -> Result<(), SessionError> {
        let refused =
            |why: &str| Err(SessionError::OutOfOrder(format!("event {} on line {} {why}", entry.seq(), entry.line())));
        let replaced = entry.sources().first().and_then(|seq| self.results.get(seq));
        let Some(Message::ToolResult(result)) = replaced.and_then(|at| self.messages.get_mut(*at)) else {
            return refused("replaces no tool result that came before it");
        };
        let with_content = ResultRecord { content: by.content.clone(), ..result.clone() };
        if with_content != *by {
            return refused("replaces more of a tool result than its content");
        }
        *result = with_content;
        Ok(())
    }
}
