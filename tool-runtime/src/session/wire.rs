//! The data of the events as JSON: what stands in the log, field by field and in this order.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::event::{
    AssistantMessage, CallRecord, DispatchRecord, DispatchResult, EndReason, ErrorRecord, Event, HostEvent,
    RequestedCall, ResultRecord, UserMessage, kinds,
};
use crate::content::{Block, Content};
use crate::json::JsonValue;

/// The data of an event that this version writes.
pub(super) fn data_of(event: &Event) -> serde_json::Result<String> {
    match event {
        Event::TurnStart { turn } => serde_json::to_string(&Turn { turn: *turn }),
        Event::TurnEnd { turn, reason } => {
            let reason = Reason { kind: Cow::Borrowed(reason.kind()) };
            serde_json::to_string(&TurnEnd { turn: *turn, reason })
        }
        Event::StepStart { turn, step } | Event::StepEnd { turn, step } => {
            serde_json::to_string(&Step { turn: *turn, step: *step })
        }
        Event::UserMessage(message) => serde_json::to_string(&User::of(message)),
        Event::AssistantMessage(message) => serde_json::to_string(&Assistant::of(message)),
        Event::ToolCall(call) => serde_json::to_string(&CallData::of(call)),
        Event::ToolResult(result) => serde_json::to_string(&ResultData::of(result)),
        Event::DispatchStart(call) => serde_json::to_string(&Dispatch::of(call)),
        Event::Dispatch(result) => serde_json::to_string(&Dispatched::of(result)),
        Event::Host(event) => serde_json::to_string(&event.data),
        Event::Unknown(event) => serde_json::to_string(&event.data),
    }
}

/// The event of a type with this data.
///
/// # Errors
/// Why it is not understood, and the data.
pub(super) fn event_of(kind: &str, data: JsonValue) -> Result<Event, (JsonValue, String)> {
    if kind.starts_with(kinds::HOST) {
        return Ok(Event::Host(HostEvent { kind: kind.to_owned(), data }));
    }
    let read = match kind {
        kinds::TURN_START => Turn::deserialize(&data).map(|turn| Event::TurnStart { turn: turn.turn }),
        kinds::TURN_END => TurnEnd::deserialize(&data)
            .map(|end| Event::TurnEnd { turn: end.turn, reason: EndReason::new(end.reason.kind.into_owned()) }),
        kinds::STEP_START => Step::deserialize(&data).map(|step| Event::StepStart { turn: step.turn, step: step.step }),
        kinds::STEP_END => Step::deserialize(&data).map(|step| Event::StepEnd { turn: step.turn, step: step.step }),
        kinds::USER_MESSAGE => User::deserialize(&data).map(|user| Event::UserMessage(user.into_message())),
        kinds::ASSISTANT_MESSAGE => {
            Assistant::deserialize(&data).map(|said| Event::AssistantMessage(said.into_message()))
        }
        kinds::TOOL_CALL => CallData::deserialize(&data).map(|call| Event::ToolCall(call.into_record())),
        kinds::TOOL_RESULT => match ResultData::deserialize(&data) {
            Ok(result) => match result.into_record() {
                Some(record) => Ok(Event::ToolResult(record)),
                None => return Err((data, "has a message without exactly one tool result".to_owned())),
            },
            Err(error) => Err(error),
        },
        kinds::DISPATCH_START | kinds::OLD_DISPATCH_START => {
            Dispatch::deserialize(&data).map(|call| Event::DispatchStart(call.into_record()))
        }
        kinds::DISPATCH | kinds::OLD_DISPATCH => {
            Dispatched::deserialize(&data).map(|result| Event::Dispatch(result.into_result()))
        }
        _ => return Err((data, "this version does not know".to_owned())),
    };
    read.map_err(|error| (data, format!("this version can't read: {error}")))
}

#[derive(Serialize, Deserialize)]
struct Turn {
    turn: u64,
}

#[derive(Serialize, Deserialize)]
struct TurnEnd<'a> {
    turn: u64,
    reason: Reason<'a>,
}

#[derive(Serialize, Deserialize)]
struct Reason<'a> {
    kind: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
struct Step {
    turn: u64,
    step: u64,
}

/// Content as the log has it: its blocks, and its notice beside them.
#[derive(Serialize, Deserialize)]
struct Said<'a> {
    content: Cow<'a, [Block]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<Cow<'a, str>>,
}

impl<'a> Said<'a> {
    fn of(content: &'a Content) -> Self {
        Self { content: Cow::Borrowed(content.blocks()), notice: content.notice().map(Cow::Borrowed) }
    }

    fn into_content(self) -> Content {
        let content: Content = self.content.into_owned().into_iter().collect();
        match self.notice {
            Some(notice) => content.with_notice(notice),
            None => content,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct User<'a> {
    turn: u64,
    message: UserSaid<'a>,
}

#[derive(Serialize, Deserialize)]
struct UserSaid<'a> {
    role: Cow<'a, str>,
    #[serde(flatten)]
    said: Said<'a>,
}

impl<'a> User<'a> {
    fn of(message: &'a UserMessage) -> Self {
        let said = Said::of(&message.content);
        Self { turn: message.turn, message: UserSaid { role: "user".into(), said } }
    }

    fn into_message(self) -> UserMessage {
        UserMessage { turn: self.turn, content: self.message.said.into_content() }
    }
}

#[derive(Serialize, Deserialize)]
struct Assistant<'a> {
    turn: u64,
    step: u64,
    message: AssistantSaid<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<Cow<'a, JsonValue>>,
}

#[derive(Serialize, Deserialize)]
struct AssistantSaid<'a> {
    role: Cow<'a, str>,
    #[serde(flatten)]
    said: Said<'a>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Requested<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Requested<'a> {
    call_id: Cow<'a, str>,
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

impl<'a> Assistant<'a> {
    fn of(message: &'a AssistantMessage) -> Self {
        let calls = message.calls.iter().map(|call| Requested {
            call_id: Cow::Borrowed(&call.call_id),
            name: Cow::Borrowed(&call.name),
            arguments: Cow::Borrowed(&call.arguments),
        });
        let said = Said::of(&message.content);
        Self {
            turn: message.turn,
            step: message.step,
            message: AssistantSaid { role: "assistant".into(), said, calls: calls.collect() },
            provider: message.provider.as_ref().map(Cow::Borrowed),
        }
    }

    fn into_message(self) -> AssistantMessage {
        let calls = self.message.calls.into_iter().map(|call| RequestedCall {
            call_id: call.call_id.into_owned(),
            name: call.name.into_owned(),
            arguments: call.arguments.into_owned(),
        });
        AssistantMessage {
            turn: self.turn,
            step: self.step,
            calls: calls.collect(),
            content: self.message.said.into_content(),
            provider: self.provider.map(Cow::into_owned),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallData<'a> {
    turn: u64,
    step: u64,
    call_id: Cow<'a, str>,
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

impl<'a> CallData<'a> {
    fn of(call: &'a CallRecord) -> Self {
        Self {
            turn: call.turn,
            step: call.step,
            call_id: Cow::Borrowed(&call.call_id),
            name: Cow::Borrowed(&call.name),
            arguments: Cow::Borrowed(&call.arguments),
        }
    }

    fn into_record(self) -> CallRecord {
        CallRecord {
            turn: self.turn,
            step: self.step,
            call_id: self.call_id.into_owned(),
            name: self.name.into_owned(),
            arguments: self.arguments.into_owned(),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResultData<'a> {
    turn: u64,
    step: u64,
    message: ResultMessage<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<ErrorData<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    meta: Option<Cow<'a, JsonValue>>,
    #[serde(default = "first_version", skip_serializing_if = "is_first_version")]
    meta_version: u32,
}

/// A message of the user's role that holds one tool result.
#[derive(Serialize, Deserialize)]
struct ResultMessage<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<Cow<'a, str>>,
    role: Cow<'a, str>,
    source: Source<'a>,
    content: Vec<ResultBlock<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Source<'a> {
    kind: Cow<'a, str>,
    call_id: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResultBlock<'a> {
    r#type: Cow<'a, str>,
    tool_call_id: Cow<'a, str>,
    #[serde(flatten)]
    said: Said<'a>,
    #[serde(default)]
    is_error: bool,
}

#[derive(Serialize, Deserialize)]
struct ErrorData<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
    code: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    fatal: bool,
}

fn first_version() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_first_version(version: &u32) -> bool {
    *version == first_version()
}

impl<'a> ErrorData<'a> {
    fn of(error: &'a ErrorRecord) -> Self {
        Self { name: error.name.as_deref().map(Cow::Borrowed), code: Cow::Borrowed(&error.code), fatal: error.is_fatal }
    }

    fn into_record(self) -> ErrorRecord {
        ErrorRecord { name: self.name.map(Cow::into_owned), code: self.code.into_owned(), is_fatal: self.fatal }
    }
}

impl<'a> ResultData<'a> {
    fn of(result: &'a ResultRecord) -> Self {
        let block = ResultBlock {
            r#type: "tool-result".into(),
            tool_call_id: Cow::Borrowed(&result.call_id),
            said: Said::of(&result.content),
            is_error: result.is_error,
        };
        let message = ResultMessage {
            id: result.message_id.as_deref().map(Cow::Borrowed),
            role: "user".into(),
            source: Source { kind: "tool".into(), call_id: Cow::Borrowed(&result.call_id) },
            content: vec![block],
        };
        Self {
            turn: result.turn,
            step: result.step,
            message,
            error: result.error.as_ref().map(ErrorData::of),
            meta: result.meta.as_ref().map(Cow::Borrowed),
            meta_version: result.meta_version,
        }
    }

    fn into_record(self) -> Option<ResultRecord> {
        let Ok([block]) = <[_; 1]>::try_from(self.message.content) else { return None };
        Some(ResultRecord {
            turn: self.turn,
            step: self.step,
            message_id: self.message.id.map(Cow::into_owned),
            call_id: block.tool_call_id.into_owned(),
            content: block.said.into_content(),
            is_error: block.is_error,
            error: self.error.map(ErrorData::into_record),
            meta: self.meta.map(Cow::into_owned),
            meta_version: self.meta_version,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dispatch<'a> {
    root_call_id: Cow<'a, str>,
    parent_call_id: Cow<'a, str>,
    sub_call_id: Cow<'a, str>,
    name: Cow<'a, str>,
    #[serde(default)]
    arguments: Cow<'a, JsonValue>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dispatched<'a> {
    #[serde(flatten)]
    call: Dispatch<'a>,
    #[serde(default)]
    is_error: bool,
    #[serde(flatten)]
    said: Said<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<ErrorData<'a>>,
}

impl<'a> Dispatch<'a> {
    fn of(call: &'a DispatchRecord) -> Self {
        Self {
            root_call_id: Cow::Borrowed(&call.root_call_id),
            parent_call_id: Cow::Borrowed(&call.parent_call_id),
            sub_call_id: Cow::Borrowed(&call.sub_call_id),
            name: Cow::Borrowed(&call.name),
            arguments: Cow::Borrowed(&call.arguments),
        }
    }

    fn into_record(self) -> DispatchRecord {
        DispatchRecord {
            root_call_id: self.root_call_id.into_owned(),
            parent_call_id: self.parent_call_id.into_owned(),
            sub_call_id: self.sub_call_id.into_owned(),
            name: self.name.into_owned(),
            arguments: self.arguments.into_owned(),
        }
    }
}

impl<'a> Dispatched<'a> {
    fn of(result: &'a DispatchResult) -> Self {
        Self {
            call: Dispatch::of(&result.call),
            is_error: result.is_error,
            said: Said::of(&result.content),
            error: result.error.as_ref().map(ErrorData::of),
        }
    }

    fn into_result(self) -> DispatchResult {
        DispatchResult {
            call: self.call.into_record(),
            content: self.said.into_content(),
            is_error: self.is_error,
            error: self.error.map(ErrorData::into_record),
        }
    }
}
