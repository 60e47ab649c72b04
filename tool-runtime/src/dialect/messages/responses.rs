//! `OpenAI`'s Responses.

use serde_json::{Value, json};

use super::ids::Calls;
use super::place::Place;
use super::said::{Part, Said, Takes};
use super::{Answer, UnreadResponse};
use crate::dispatch::ToolCall;
use crate::result::Failure;

const TAKES: Takes =
    Takes { images: &["image/png", "image/jpeg", "image/webp", "image/gif"], pdf: true, failures: false };

pub(super) fn calls(response: &Place<'_>) -> Result<Vec<ToolCall<'static>>, UnreadResponse> {
    let output = response.needed("output", "a list")?;
    let status = response.text_at("status")?;
    if status != "completed" {
        let details = response.entry("incomplete_details")?;
        let reason = details.as_ref().map(|details| details.any_text_at("reason")).transpose()?.flatten();
        return Err(UnreadResponse::unfinished(reason.unwrap_or(status)));
    }
    let mut calls = Calls::of(None);
    for item in output.items()? {
        if item.text_at("type")? == "function_call" {
            if let Some(status) = item.any_text_at("status")?.filter(|status| *status != "completed") {
                return Err(UnreadResponse::unfinished(status));
            }
            let arguments = item.entry("arguments")?;
            calls.push(&item, item.text_at("call_id")?, item.text_at("name")?, arguments.as_ref())?;
        }
    }
    Ok(calls.all())
}

pub(super) fn results<'r>(answers: &[Answer<'_, 'r>]) -> Result<Vec<Value>, &'r Failure> {
    let item = |&Answer { call, result }: &Answer<'_, 'r>| {
        let said = Said::of(result, &TAKES)?;
        let output = match said.files().next() {
            None => Value::from(said.text("")),
            Some(_) => said.parts().map(part).collect(),
        };
        Ok(json!({"type": "function_call_output", "call_id": call.id(), "output": output}))
    };
    answers.iter().map(item).collect()
}

fn part(part: Part<'_>) -> Value {
    match part {
        Part::Text(text) => json!({"type": "input_text", "text": text}),
        Part::Image(file) => json!({"type": "input_image", "image_url": file.data_url(), "detail": "auto"}),
        Part::Pdf(file) => json!({"type": "input_file", "filename": file.name(), "file_data": file.data_url()}),
    }
}
