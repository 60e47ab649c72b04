//! Gemini's `generateContent`.

use serde_json::{Map, Value, json};

use super::ids::{self, Calls};
use super::place::Place;
use super::said::{Said, Takes};
use super::{Answer, UnreadResponse};
use crate::dispatch::ToolCall;
use crate::result::Failure;

/// What the parts of a response hold, from Gemini 3 on. Earlier ones refuse them, and parts beside the responses too, since
/// they count as many parts as there were calls.
const TAKES: Takes = Takes { images: &["image/png", "image/jpeg", "image/webp"], pdf: true, failures: true };

pub(super) fn calls(response: &Place<'_>) -> Result<Vec<ToolCall<'static>>, UnreadResponse> {
    if let Some(feedback) = response.entry("promptFeedback")?
        && let Some(reason) = feedback.any_text_at("blockReason")?
    {
        return Err(UnreadResponse::unfinished(reason));
    }
    let candidate = response.only_at("candidates")?;
    candidate.ended("finishReason", &["STOP"])?;
    let mut calls = Calls::of(response.any_text_at("responseId")?);
    let Some(content) = candidate.entry("content")? else { return Ok(Vec::new()) };
    for part in content.items_at("parts")? {
        if let Some(call) = part.entry("functionCall")? {
            let (id, name) = (call.any_text_at("id")?, call.text_at("name")?);
            calls.push_perhaps_without_id(&part, id, name, call.entry("args")?.as_ref())?;
        }
    }
    Ok(calls.all())
}

/// One content: Gemini counts as many responses as there were calls.
pub(super) fn results<'r>(answers: &[Answer<'_, 'r>]) -> Result<Vec<Value>, &'r Failure> {
    let parts: Vec<Value> = answers.iter().map(part).collect::<Result<_, _>>()?;
    Ok(if parts.is_empty() { Vec::new() } else { vec![json!({"role": "user", "parts": parts})] })
}

/// The name is that of the call, as the model was told it.
fn part<'r>(&Answer { call, result }: &Answer<'_, 'r>) -> Result<Value, &'r Failure> {
    let said = Said::of(result, &TAKES)?;
    let mut response = Map::new();
    if let Some(id) = ids::of_provider(call) {
        response.insert("id".into(), id.into());
    }
    let key = if result.is_success() { "output" } else { "error" };
    response.insert("name".into(), call.name().into());
    response.insert("response".into(), json!({key: said.text("beside this text")}));
    let files: Vec<Value> =
        said.files().map(|file| json!({"inlineData": {"mimeType": file.mime, "data": file.data}})).collect();
    if !files.is_empty() {
        response.insert("parts".into(), files.into());
    }
    Ok(json!({"functionResponse": response}))
}
