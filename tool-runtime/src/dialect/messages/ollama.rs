//! Ollama's chat.

use serde_json::{Map, Value, json};

use super::ids::{self, Calls};
use super::place::Place;
use super::said::{Said, Takes};
use super::{Answer, UnreadResponse};
use crate::dispatch::ToolCall;
use crate::result::Failure;

const TAKES: Takes = Takes { images: &["image/png", "image/jpeg"], pdf: false, failures: false };

pub(super) fn calls(response: &Place<'_>) -> Result<Vec<ToolCall<'static>>, UnreadResponse> {
    let message = response.needed("message", "an object")?;
    let asked = message.items_at("tool_calls")?;
    if response.entry("done")?.is_none_or(|done| done.value() != true) {
        return Err(UnreadResponse::unfinished("done is not true"));
    }
    // Older versions give no reason.
    if response.any_text_at("done_reason")?.is_some() {
        response.ended("done_reason", &["stop", "tool_calls"])?;
    }
    let mut calls = Calls::of(response.any_text_at("created_at")?);
    for call in asked {
        let function = call.needed("function", "an object")?;
        let (id, name) = (call.any_text_at("id")?, function.text_at("name")?);
        calls.push_perhaps_without_id(&call, id, name, function.entry("arguments")?.as_ref())?;
    }
    Ok(calls.all())
}

/// Results are told apart by the names of their tools, and by ids where there were any.
pub(super) fn results<'r>(answers: &[Answer<'_, 'r>]) -> Result<Vec<Value>, &'r Failure> {
    let (mut messages, mut names, mut images) = (Vec::with_capacity(answers.len()), Vec::new(), Vec::new());
    for &Answer { call, result } in answers {
        let said = Said::of(result, &TAKES)?;
        let mut message = Map::new();
        message.insert("role".into(), "tool".into());
        message.insert("tool_name".into(), call.name().into());
        if let Some(id) = ids::of_provider(call) {
            message.insert("tool_call_id".into(), id.into());
        }
        message.insert("content".into(), said.text("in the message after the results").into());
        messages.push(Value::Object(message));
        names.extend(said.files().map(|_| call.name()));
        images.extend(said.files().map(|file| file.data));
    }
    if !images.is_empty() {
        let content = format!("Images of the results, in their order: {}", names.join(", "));
        messages.push(json!({"role": "user", "content": content, "images": images}));
    }
    Ok(messages)
}
