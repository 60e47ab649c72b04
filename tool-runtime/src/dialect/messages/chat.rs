//! `OpenAI`'s Chat Completions, and who speaks like it: `DeepSeek`, xAI, Mistral.

use serde_json::{Value, json};

use super::ids::Calls;
use super::place::Place;
use super::said::{Part, Said, Takes};
use super::{Answer, UnreadResponse};
use crate::dispatch::ToolCall;
use crate::result::Failure;

/// How one of them takes results.
pub(super) struct Chat {
    takes: Takes,
    images: Images,
}

/// Where an image stands.
enum Images {
    /// In the tool's message.
    Beside,
    /// In a user message after those of the tools, which have to follow the calls.
    Later,
}

const NO_FILES: Takes = Takes { images: &[], pdf: false, failures: false };

// A message of role tool holds text alone; user messages hold images of these types.
pub(super) const OPENAI: Chat = Chat {
    takes: Takes { images: &["image/png", "image/jpeg", "image/webp", "image/gif"], ..NO_FILES },
    images: Images::Later,
};
pub(super) const XAI: Chat =
    Chat { takes: Takes { images: &["image/png", "image/jpeg"], ..NO_FILES }, images: Images::Later };
// Its models read text alone.
pub(super) const DEEPSEEK: Chat = Chat { takes: NO_FILES, images: Images::Later };
// A message of role tool holds chunks, as any other; one of a user may not follow it.
pub(super) const MISTRAL: Chat = Chat {
    takes: Takes { images: &["image/png", "image/jpeg", "image/webp", "image/gif"], ..NO_FILES },
    images: Images::Beside,
};

pub(super) fn calls(response: &Place<'_>) -> Result<Vec<ToolCall<'static>>, UnreadResponse> {
    let choice = response.only_at("choices")?;
    let message = choice.needed("message", "an object")?;
    let asked = message.items_at("tool_calls")?;
    choice.ended("finish_reason", &["stop", "tool_calls"])?;
    let mut calls = Calls::of(None);
    for call in asked {
        // Mistral may leave out the type.
        if call.any_text_at("type")?.is_none_or(|kind| kind == "function") {
            let function = call.needed("function", "an object")?;
            let arguments = function.entry("arguments")?;
            calls.push(&call, call.text_at("id")?, function.text_at("name")?, arguments.as_ref())?;
        }
    }
    Ok(calls.all())
}

pub(super) fn results<'r>(chat: &Chat, answers: &[Answer<'_, 'r>]) -> Result<Vec<Value>, &'r Failure> {
    let (mut messages, mut later) = (Vec::with_capacity(answers.len()), Vec::new());
    for &Answer { call, result } in answers {
        let said = Said::of(result, &chat.takes)?;
        let content = match chat.images {
            Images::Beside if said.files().next().is_some() => said.parts().map(chunk).collect(),
            Images::Beside | Images::Later => Value::from(said.text("in the message after the results")),
        };
        messages.push(json!({"role": "tool", "tool_call_id": call.id(), "content": content}));
        if matches!(chat.images, Images::Later) && said.files().next().is_some() {
            later.push(text(&format!("Images of the result of call {:?}:", call.id())));
            later.extend(said.files().map(|file| image(&file.data_url())));
        }
    }
    if !later.is_empty() {
        messages.push(json!({"role": "user", "content": later}));
    }
    Ok(messages)
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image(url: &str) -> Value {
    json!({"type": "image_url", "image_url": {"url": url}})
}

fn chunk(part: Part<'_>) -> Value {
    match part {
        Part::Text(words) => text(&words),
        Part::Image(file) | Part::Pdf(file) => image(&file.data_url()),
    }
}
