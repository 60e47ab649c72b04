//! The Model Context Protocol, on the side of a server: requests to call a tool, and what they get.

use serde_json::{Map, Value, json};

use super::super::McpRevision;
use super::UnreadResponse;
use super::ids::Calls;
use super::place::Place;
use super::said::{NOTHING, Part, linked, named};
use crate::content::{Block, Content};
use crate::dispatch::ToolCall;
use crate::json::JsonText;
use crate::result::{Failure, Success, ToolResult};

/// The revision whose structured content may be any value, and whose results say what they are.
const ANY_VALUE: McpRevision = McpRevision::V2026_07_28;

/// The calls among requests; others are passed over.
pub(super) fn calls(revision: McpRevision, request: &Place<'_>) -> Result<Vec<ToolCall<'static>>, UnreadResponse> {
    let mut calls = Calls::of(None);
    // One revision has lists of requests.
    if revision == McpRevision::V2025_03_26 && request.value().is_array() {
        for request in request.items()? {
            read(&request, &mut calls)?;
        }
    } else {
        read(request, &mut calls)?;
    }
    Ok(calls.all())
}

fn read(request: &Place<'_>, calls: &mut Calls<'_>) -> Result<(), UnreadResponse> {
    // A client's answers stand beside its requests, and have no method.
    if request.any_text_at("method")?.is_none_or(|method| method != "tools/call") {
        return Ok(());
    }
    let id = request.needed("id", "a string or an integer")?;
    let id = match id.value() {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return Err(id.is_no("a string or an integer")),
    };
    let params = request.needed("params", "an object")?;
    calls.push(request, &id, params.text_at("name")?, params.entry("arguments")?.as_ref())
}

/// A `CallToolResult`.
pub(super) fn result(revision: McpRevision, result: &ToolResult) -> Result<Value, &Failure> {
    let mut blocks = blocks(revision, result.for_model()?);
    let mut sent = Map::new();
    if revision >= ANY_VALUE {
        sent.insert("resultType".into(), "complete".into());
    }
    let value = result.success().filter(|_| revision >= McpRevision::V2025_06_18).map(Success::value);
    let structured = value.map(JsonText::to_value).filter(|value| revision >= ANY_VALUE || value.is_object());
    if let (Some(value), None) = (value, &structured) {
        begin_with(value, &mut blocks);
    }
    never_empty(&mut blocks);
    sent.insert("content".into(), blocks.into());
    if let Some(value) = structured {
        sent.insert("structuredContent".into(), value);
    }
    sent.insert("isError".into(), (!result.is_success()).into());
    Ok(Value::Object(sent))
}

/// The blocks as the revision knows them, the notice last; none if there is nothing to read.
pub(crate) fn blocks(revision: McpRevision, content: &Content) -> Vec<Value> {
    let mut blocks: Vec<Value> = content.blocks().iter().filter_map(|block| wire(revision, block)).collect();
    if let Some(notice) = content.notice() {
        blocks.push(text(&format!("[{notice}]")));
    }
    blocks
}

/// A client may drop a result without content, and some do.
pub(crate) fn never_empty(blocks: &mut Vec<Value>) {
    if blocks.is_empty() {
        blocks.push(text(NOTHING));
    }
}

/// For a value that can't be structured content.
pub(crate) fn begin_with(value: &JsonText, blocks: &mut Vec<Value>) {
    let json = text(value.as_str());
    if blocks.first() != Some(&json) {
        blocks.insert(0, json);
    }
}

/// A block as the revision knows it; `None` if there is nothing to read in it.
fn wire(revision: McpRevision, block: &Block) -> Option<Value> {
    let part = match block {
        Block::Text(block) if block.text.trim().is_empty() => return None,
        Block::Audio(audio) if revision < McpRevision::V2025_03_26 => {
            named(block.kind(), &audio.mime_type, &audio.data)
        }
        Block::ResourceLink(link) if revision < McpRevision::V2025_06_18 => linked(link),
        block => return Some(known(revision, serde_json::to_value(block).ok()?)),
    };
    match part {
        Part::Text(words) => Some(text(&words)),
        Part::Image(_) | Part::Pdf(_) => None,
    }
}

/// Hints had no dates before 2025-06-18.
fn known(revision: McpRevision, mut block: Value) -> Value {
    if revision < McpRevision::V2025_06_18
        && let Some(hints) = block.get_mut("annotations").and_then(Value::as_object_mut)
    {
        hints.shift_remove("lastModified");
    }
    block
}

pub(crate) fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}
