//! Anthropic's Messages.

use serde_json::{Value, json};

use super::ids::Calls;
use super::place::Place;
use super::said::{Part, Said, Takes};
use super::{Answer, UnreadResponse};
use crate::dispatch::ToolCall;
use crate::result::Failure;

const TAKES: Takes =
    Takes { images: &["image/png", "image/jpeg", "image/webp", "image/gif"], pdf: true, failures: true };

pub(super) fn calls(response: &Place<'_>) -> Result<Vec<ToolCall<'static>>, UnreadResponse> {
    let content = response.needed("content", "a list")?;
    let blocks = content.items()?;
    response.ended("stop_reason", &["tool_use", "end_turn", "stop_sequence"])?;
    let mut calls = Calls::of(None);
    for block in blocks {
        if block.text_at("type")? == "tool_use" {
            let input = block.entry("input")?;
            calls.push(&block, block.text_at("id")?, block.text_at("name")?, input.as_ref())?;
        }
    }
    Ok(calls.all())
}

/// One user message: the results of one turn have to stand together.
pub(super) fn results<'r>(answers: &[Answer<'_, 'r>]) -> Result<Vec<Value>, &'r Failure> {
    let block = |&Answer { call, result }: &Answer<'_, 'r>| {
        let content: Value = Said::of(result, &TAKES)?.parts().map(part).collect();
        let failed = !result.is_success();
        Ok(json!({"type": "tool_result", "tool_use_id": call.id(), "content": content, "is_error": failed}))
    };
    let blocks: Vec<Value> = answers.iter().map(block).collect::<Result<_, _>>()?;
    Ok(if blocks.is_empty() { Vec::new() } else { vec![json!({"role": "user", "content": blocks})] })
}

fn part(part: Part<'_>) -> Value {
    let (kind, file) = match part {
        Part::Text(text) => return json!({"type": "text", "text": text}),
        Part::Image(file) => ("image", file),
        Part::Pdf(file) => ("document", file),
    };
    json!({"type": kind, "source": {"type": "base64", "media_type": file.mime, "data": file.data}})
}
