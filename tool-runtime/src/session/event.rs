//! What a log holds: the events of a session, typed.

use std::collections::HashSet;

use crate::content::Content;
use crate::dispatch::{Dispatcher, ToolCall};
use crate::json::JsonValue;

/// Something that happened in a session. There will be more of them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A turn began: `turn/start`.
    TurnStart {
        /// Its number, counted from 1.
        turn: u64,
    },
    /// It ended: `turn/end`.
    TurnEnd {
        /// Its number.
        turn: u64,
        /// Why.
        reason: EndReason,
    },
    /// A request to the model began: `step/start`.
    StepStart {
        /// Its turn.
        turn: u64,
        /// Its number within the turn, counted from 1.
        step: u64,
    },
    /// What the model asked for in it is answered: `step/end`.
    StepEnd {
        /// Its turn.
        turn: u64,
        /// Its number within the turn.
        step: u64,
    },
    /// The user, or the host for the user, said something: `user/message`.
    UserMessage(UserMessage),
    /// The model said something, or asked for calls: `assistant/message`.
    AssistantMessage(AssistantMessage),
    /// A call may run from here on: `tool/call`. The model never reads it.
    ToolCall(CallRecord),
    /// A call has its result: `tool/result`.
    ToolResult(ResultRecord),
    /// A call that a body makes may run from here on: `tool/ptc-dispatch-start`. The model never reads it.
    DispatchStart(DispatchRecord),
    /// It has its result: `tool/ptc-dispatch`. The model never reads it.
    Dispatch(DispatchResult),
    /// The host's own event, whose type begins with `host/`.
    Host(HostEvent),
    /// An event that this version does not understand. The log keeps it as it stands.
    Unknown(UnknownEvent),
}

/// Why a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndReason {
    kind: String,
}

impl EndReason {
    /// The host's own word for it.
    pub fn new(kind: impl Into<String>) -> Self {
        Self { kind: kind.into() }
    }

    /// The model had nothing more to do: `completed`.
    pub fn completed() -> Self {
        Self::new("completed")
    }

    /// The user stopped it: `cancelled`.
    pub fn cancelled() -> Self {
        Self::new("cancelled")
    }

    /// It could not go on: `failed`.
    pub fn failed() -> Self {
        Self::new("failed")
    }

    /// The process ended within it, or left it: `interrupted`.
    pub fn interrupted() -> Self {
        Self::new("interrupted")
    }

    /// The word.
    pub fn kind(&self) -> &str {
        &self.kind
    }
}

/// What the user said.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UserMessage {
    /// The turn.
    pub turn: u64,
    /// The words.
    pub content: Content,
}

/// What the model said.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AssistantMessage {
    /// The turn.
    pub turn: u64,
    /// The step within it.
    pub step: u64,
    /// The words.
    pub content: Content,
    /// The calls that it asks for, in its order.
    pub calls: Vec<RequestedCall>,
    /// The provider's own message, for a host that sends it back as it came: signatures of thoughts, for one.
    pub provider: Option<JsonValue>,
}

/// A call that the model asks for, as it said it but for secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedCall {
    /// The provider's id.
    pub call_id: String,
    /// The name, as the model knows it.
    pub name: String,
    /// The arguments, exactly as they were sent, unless there may be a secret in them.
    pub arguments: String,
}

/// A call of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallRecord {
    /// The turn; 0 outside of one.
    pub turn: u64,
    /// The step within it; 0 outside of one.
    pub step: u64,
    /// The provider's id.
    pub call_id: String,
    /// The tool's own name, or the model's, if the call was never recorded.
    pub name: String,
    /// The arguments, exactly as they were sent, unless there may be a secret in them.
    pub arguments: String,
}

/// The result of a call, as the model, a person and a program are told of it: never the value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResultRecord {
    /// The turn; 0 outside of one.
    pub turn: u64,
    /// The step within it; 0 outside of one.
    pub step: u64,
    /// The message's id, if it has one.
    pub message_id: Option<String>,
    /// The provider's id of the call.
    pub call_id: String,
    /// What the model reads.
    pub content: Content,
    /// Whether the call failed.
    pub is_error: bool,
    /// How, for programs.
    pub error: Option<ErrorRecord>,
    /// What a card is drawn from.
    pub meta: Option<JsonValue>,
    /// The version of the meta's type.
    pub meta_version: u32,
}

/// How a call failed. Its sentence is the content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorRecord {
    /// The name of a kind of error, where there is one beside the code.
    pub name: Option<String>,
    /// The stable code.
    pub code: String,
    /// Whether the run could not go on, so that the model reads nothing.
    pub is_fatal: bool,
}

/// A call that a body makes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DispatchRecord {
    /// The call of the model that it is part of.
    pub root_call_id: String,
    /// The call whose body makes it.
    pub parent_call_id: String,
    /// Its own id.
    pub sub_call_id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as they were checked; what is no JSON is its text.
    pub arguments: JsonValue,
}

/// The result of a call that a body makes, bounded for the log.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DispatchResult {
    /// The call.
    pub call: DispatchRecord,
    /// The log's copy of its content.
    pub content: Content,
    /// Whether it failed.
    pub is_error: bool,
    /// How.
    pub error: Option<ErrorRecord>,
}

/// An event of the host's own. Replay passes over it.
#[derive(Clone, Debug, PartialEq)]
pub struct HostEvent {
    pub(super) kind: String,
    pub(super) data: JsonValue,
}

impl HostEvent {
    /// The type: `host/` and a name.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What the host keeps in it.
    pub fn data(&self) -> &JsonValue {
        &self.data
    }
}

/// An event that is not understood.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UnknownEvent {
    /// What it holds.
    pub data: JsonValue,
    /// Why it is not understood.
    pub why: String,
}

/// What an event does to what the model reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SurfaceOp {
    /// It adds a message.
    Append,
    /// It puts other content in the place of that of an earlier tool result.
    Replace,
}

impl AssistantMessage {
    /// What the model said, and what it asks for.
    pub fn new(content: Content, calls: Vec<RequestedCall>) -> Self {
        Self { turn: 0, step: 0, content, calls, provider: None }
    }

    /// An id that two of its calls have.
    pub(super) fn repeated_id(&self) -> Option<&str> {
        let mut seen = HashSet::new();
        self.calls.iter().map(|call| &*call.call_id).find(|call_id| !seen.insert(*call_id))
    }

    /// The same message with the provider's own beside it, which is logged as it is: arguments in it keep their secrets.
    #[must_use]
    pub fn with_provider(mut self, message: JsonValue) -> Self {
        self.provider = Some(message);
        self
    }
}

impl RequestedCall {
    /// A call that the model asks for, as a log may keep it: its arguments are what
    /// [`Dispatcher::logged_arguments`] makes of them, so that no secret of a tool of this dispatcher is in them.
    pub fn of(call: &ToolCall<'_>, dispatcher: &Dispatcher) -> Self {
        let sent = call.arguments().unwrap_or_default();
        Self::new(call.id(), call.name(), dispatcher.logged_arguments(call.name(), sent))
    }

    /// A call with these very arguments. It masks no secret in them: use [`of`](Self::of) for what a model sent.
    pub fn new(call_id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { call_id: call_id.into(), name: name.into(), arguments: arguments.into() }
    }
}

/// The names of the events.
pub(super) mod kinds {
    pub(in crate::session) const TURN_START: &str = "turn/start";
    pub(in crate::session) const TURN_END: &str = "turn/end";
    pub(in crate::session) const STEP_START: &str = "step/start";
    pub(in crate::session) const STEP_END: &str = "step/end";
    pub(in crate::session) const USER_MESSAGE: &str = "user/message";
    pub(in crate::session) const ASSISTANT_MESSAGE: &str = "assistant/message";
    pub(in crate::session) const TOOL_CALL: &str = "tool/call";
    pub(in crate::session) const TOOL_RESULT: &str = "tool/result";
    pub(in crate::session) const DISPATCH_START: &str = "tool/ptc-dispatch-start";
    pub(in crate::session) const DISPATCH: &str = "tool/ptc-dispatch";
    /// As logs of before 1 named them.
    pub(in crate::session) const OLD_DISPATCH_START: &str = "tool/code-dispatch-start";
    pub(in crate::session) const OLD_DISPATCH: &str = "tool/code-dispatch";
    /// What the types of a host's own events begin with.
    pub(in crate::session) const HOST: &str = "host/";
}

impl Event {
    /// Its type; `None` of an unknown event, whose type the log keeps.
    pub(super) fn kind(&self) -> Option<&str> {
        Some(match self {
            Self::TurnStart { .. } => kinds::TURN_START,
            Self::TurnEnd { .. } => kinds::TURN_END,
            Self::StepStart { .. } => kinds::STEP_START,
            Self::StepEnd { .. } => kinds::STEP_END,
            Self::UserMessage(_) => kinds::USER_MESSAGE,
            Self::AssistantMessage(_) => kinds::ASSISTANT_MESSAGE,
            Self::ToolCall(_) => kinds::TOOL_CALL,
            Self::ToolResult(_) => kinds::TOOL_RESULT,
            Self::DispatchStart(_) => kinds::DISPATCH_START,
            Self::Dispatch(_) => kinds::DISPATCH,
            Self::Host(event) => &event.kind,
            Self::Unknown(_) => return None,
        })
    }

    /// Whether it adds a message that the model reads.
    pub(super) fn is_message(&self) -> bool {
        matches!(self, Self::UserMessage(_) | Self::AssistantMessage(_) | Self::ToolResult(_))
    }
}
