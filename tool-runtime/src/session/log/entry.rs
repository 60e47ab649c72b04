//! One event with its envelope.

use std::fmt::Write as _;

use crate::json::{JsonValue, MAX_DEPTH};
use crate::session::error::SessionError;
use crate::session::event::{Event, SurfaceOp, UnknownEvent};
use crate::session::frame::Record;
use crate::session::wire;

/// The version of the events that this crate writes. It stands in an event only if it is another.
const EVENT_VERSION: u64 = 1;

/// How deep the data of an event may be nested, so that it can be read again within its envelope.
const DATA_DEPTH: usize = MAX_DEPTH - 4;

/// An event in a log: what happened, when, and what it follows from.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The payload, exactly as it was written.
    record: Record,
    line: usize,
    kind: String,
    seq: u64,
    time: u64,
    ignorable: bool,
    surface_op: Option<SurfaceOp>,
    sources: Vec<u64>,
    event: Event,
}

/// What an envelope holds.
pub(in crate::session) struct Parts {
    version: u64,
    kind: String,
    seq: u64,
    time: u64,
    ignorable: bool,
    surface_op: Result<Option<SurfaceOp>, String>,
    sources: Vec<u64>,
    data: JsonValue,
}

impl Parts {
    pub(in crate::session) fn take(json: &mut serde_json::Map<String, JsonValue>) -> Result<Self, String> {
        let number = |key: &str| json.get(key).and_then(JsonValue::as_u64).ok_or_else(|| format!("it has no {key:?}"));
        let (seq, time) = (number("seq")?, number("time")?);
        let kind = json.get("type").and_then(JsonValue::as_str).ok_or_else(|| "it has no \"type\"".to_owned())?;
        let sources = json.get("sourceEventSeqs").and_then(JsonValue::as_array);
        Ok(Self {
            version: json.get("v").map_or(Some(EVENT_VERSION), JsonValue::as_u64).unwrap_or(u64::MAX),
            kind: kind.to_owned(),
            seq,
            time,
            ignorable: json.get("ignorable").and_then(JsonValue::as_bool).unwrap_or(false),
            surface_op: match json.get("surfaceOp").map(JsonValue::as_str) {
                None => Ok(None),
                Some(Some("append")) => Ok(Some(SurfaceOp::Append)),
                Some(Some("replace")) => Ok(Some(SurfaceOp::Replace)),
                Some(_) => Err("has a \"surfaceOp\" that this version does not know".to_owned()),
            },
            sources: sources.into_iter().flatten().filter_map(JsonValue::as_u64).collect(),
            data: json.get_mut("data").map(JsonValue::take).unwrap_or_default(),
        })
    }

    fn event(self) -> Event {
        let Self { version, kind, surface_op, sources, data, .. } = self;
        let unknown = |data, why: &str| Event::Unknown(UnknownEvent { data, why: why.to_owned() });
        if version != EVENT_VERSION {
            return unknown(data, &format!("has version {version} of its kind, which this version does not know"));
        }
        let surface_op = match surface_op {
            Ok(surface_op) => surface_op,
            Err(why) => return unknown(data, &why),
        };
        match wire::event_of(&kind, data) {
            Err((data, why)) => unknown(data, &why),
            Ok(event) => match surface_op {
                Some(_) if !event.is_message() => unknown(take_data(&event), "may have no \"surfaceOp\""),
                Some(SurfaceOp::Replace) if !matches!((&event, &*sources), (Event::ToolResult(_), [_])) => {
                    unknown(take_data(&event), "may replace nothing: only a tool result replaces, and one other")
                }
                _ => event,
            },
        }
    }
}

/// What stood in an event that is not taken.
fn take_data(event: &Event) -> JsonValue {
    wire::data_of(event).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

impl Entry {
    /// What was read from this payload.
    pub(in crate::session) fn read(payload: &str, line: usize, parts: Parts) -> Self {
        let surface_op = parts.surface_op.clone().unwrap_or_default();
        let (kind, sources) = (parts.kind.clone(), parts.sources.clone());
        let (seq, time, ignorable) = (parts.seq, parts.time, parts.ignorable);
        // What was read is no longer than a record may be.
        let record = Record::new(payload).unwrap_or_else(|_| unreachable!("it was a record"));
        Self { record, line, kind, seq, time, ignorable, surface_op, sources, event: parts.event() }
    }

    /// What happened.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// The type of the event: `tool/call`, for one.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Its number in the session, counted from 0.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// When it happened, in milliseconds since 1970-01-01 UTC.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Whether a reader that does not understand it may pass over it.
    pub fn is_ignorable(&self) -> bool {
        self.ignorable
    }

    /// What it does to what the model reads; nothing, if it is no message.
    pub fn surface_op(&self) -> Option<SurfaceOp> {
        self.surface_op.or_else(|| self.event.is_message().then_some(SurfaceOp::Append))
    }

    /// The numbers of the events that it follows from: of a result, that of its call.
    pub fn sources(&self) -> &[u64] {
        &self.sources
    }

    /// The line of the log, counted from 1; 0 if it was not read from one.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Its JSON, exactly as it was written.
    pub fn payload(&self) -> &str {
        self.record.payload()
    }

    /// The line that holds it.
    pub fn record(&self) -> &Record {
        &self.record
    }
}

/// An event that is to be logged.
pub(in crate::session) struct Draft {
    pub(in crate::session) event: Event,
    pub(in crate::session) surface_op: Option<SurfaceOp>,
    pub(in crate::session) sources: Vec<u64>,
    pub(in crate::session) ignorable: bool,
}

impl Draft {
    pub(in crate::session) fn new(event: Event) -> Self {
        let surface_op = event.is_message().then_some(SurfaceOp::Append);
        Self { event, surface_op, sources: Vec::new(), ignorable: false }
    }

    pub(in crate::session) fn citing(mut self, seq: Option<u64>) -> Self {
        self.sources.extend(seq);
        self
    }

    /// The entry under this number.
    pub(in crate::session) fn entry(self, seq: u64, time: u64) -> Result<Entry, SessionError> {
        let Self { event, surface_op, sources, ignorable } = self;
        let unwritable = |why: &str| SessionError::Unwritable(why.to_owned());
        if depth(deepest(&event)) > DATA_DEPTH {
            return Err(unwritable("its data is nested too deeply"));
        }
        let kind = event.kind().ok_or_else(|| unwritable("this version does not understand it"))?.to_owned();
        let data = wire::data_of(&event).map_err(|error| unwritable(&error.to_string()))?;
        let mut payload = String::with_capacity(data.len() + 128);
        let quoted = JsonValue::from(kind.as_str());
        // Writing into a string can't fail.
        let _ = write!(payload, r#"{{"type":{quoted},"seq":{seq},"time":{time},"data":{data}"#);
        if ignorable {
            payload.push_str(r#","ignorable":true"#);
        }
        match surface_op {
            None => {}
            Some(SurfaceOp::Append) => payload.push_str(r#","surfaceOp":"append""#),
            Some(SurfaceOp::Replace) => payload.push_str(r#","surfaceOp":"replace""#),
        }
        if !sources.is_empty() {
            let _ = write!(payload, r#","sourceEventSeqs":{}"#, JsonValue::from(sources.clone()));
        }
        payload.push('}');
        let record = Record::new(&payload)?;
        Ok(Entry { record, line: 0, kind, seq, time, ignorable, surface_op, sources, event })
    }
}

/// The part of an event that somebody else nested.
fn deepest(event: &Event) -> &JsonValue {
    match event {
        Event::Host(event) => &event.data,
        Event::ToolResult(result) => result.meta.as_ref().unwrap_or(&JsonValue::Null),
        Event::AssistantMessage(message) => message.provider.as_ref().unwrap_or(&JsonValue::Null),
        Event::DispatchStart(call) => &call.arguments,
        Event::Dispatch(result) => &result.call.arguments,
        _ => &JsonValue::Null,
    }
}

/// How many containers are nested in it.
pub(in crate::session) fn depth(json: &JsonValue) -> usize {
    match json {
        JsonValue::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        JsonValue::Object(entries) => 1 + entries.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
