//! What a client gets of a result.

use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Map, Value};

use super::{Exposure, ServerOptions};
use crate::dialect::McpRevision;
use crate::dialect::messages::mcp as wire;
use crate::error::Code;
use crate::json::JsonText;
use crate::result::{Failure, Success, ToolResult, Verdict};

/// What a user interface draws from, in a result's `_meta`: whole, whatever its keys are, so that none of them is taken for
/// a key of the protocol or of a client.
const PRESENTATION: &str = "tool-runtime/presentation";

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// What a client gets of a result: the one thing that is written as text, or in rmcp's types.
pub(super) struct Answer<'a> {
    revision: McpRevision,
    blocks: Vec<Value>,
    value: Option<&'a JsonText>,
    is_error: bool,
    presentation: Option<&'a Value>,
    server_info: &'a str,
}

impl<'a> Answer<'a> {
    /// # Errors
    /// The failure, if it is fatal: of it the model reads nothing.
    pub(super) fn of(
        result: &'a ToolResult,
        revision: McpRevision,
        options: &ServerOptions,
        server_info: &'a str,
    ) -> Result<Self, &'a Failure> {
        let content = result.for_model()?;
        let exposed = result.success().and_then(|success| exposed(success, options.exposure));
        let value = exposed.filter(|value| value.len_bytes() <= options.value_bytes);
        let mut answer = Self {
            revision,
            blocks: wire::blocks(revision, content),
            value,
            is_error: !result.is_success(),
            presentation: result.meta(),
            server_info,
        };
        if let Some(failure) = result.failure().filter(|failure| failure.code() == &Code::PANICKED) {
            answer.silence(failure);
        }
        match (exposed, value) {
            (Some(exposed), None) => answer.withhold(exposed, result.tool_name(), options),
            (Some(_), Some(value)) => answer.place(value, options.exposure),
            (None, _) => {}
        }
        wire::never_empty(&mut answer.blocks);
        Ok(answer)
    }

    /// Puts the value where its revision has a place for it.
    fn place(&mut self, value: &JsonText, exposure: Exposure) {
        let is_object = value.as_str().starts_with('{');
        let is_structured =
            self.revision >= McpRevision::V2026_07_28 || (self.revision >= McpRevision::V2025_06_18 && is_object);
        if !exposure.shows_rendering() {
            self.blocks = vec![wire::text(value.as_str())];
        } else if !is_structured && self.revision >= McpRevision::V2025_06_18 {
            wire::begin_with(value, &mut self.blocks);
        }
        if !is_structured {
            self.value = None;
        }
    }

    /// A value can't be cut, and a result that should have one can't be without it: so it is told, and what was rendered.
    fn withhold(&mut self, value: &JsonText, tool: &str, options: &ServerOptions) {
        let (bytes, most) = (value.len_bytes(), options.value_bytes);
        let told = format!(
            "Error [INVALID_TOOL_OUTPUT]: the tool {tool:?} ran, but its value is {bytes} bytes of JSON and this server \
             sends {most} at most; ask for less of it"
        );
        tracing::warn!(tool, bytes, most, "a value was too long to be sent");
        self.is_error = true;
        self.blocks.insert(0, wire::text(&told));
    }

    /// What a panic said is for whoever runs the server, and may hold anything; a policy's words in its place are its own.
    fn silence(&mut self, failure: &Failure) {
        if failure.trace().decisions().iter().any(|decision| decision.verdict() == Verdict::ReplacedContent) {
            return;
        }
        tracing::error!(tool = failure.tool_name(), call = failure.call_id(), "{}", failure.error().message());
        let told = format!(
            "Error [PANICKED]: tool {:?} panicked; it may have changed something: check before you call it again",
            failure.tool_name()
        );
        self.blocks = vec![wire::text(&told)];
    }

    /// As JSON. Its keys stand in rmcp's order, so that both ways to write it give the same bytes.
    pub(super) fn text(&self) -> String {
        let value = self.value.map_or(0, JsonText::len_bytes);
        let mut text = String::with_capacity(value + 256 + self.server_info.len());
        text.push('{');
        if self.revision >= McpRevision::V2026_07_28 {
            text.push_str("\"resultType\":\"complete\",");
        }
        text.push_str("\"content\":[");
        for (place, block) in self.blocks.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            // A tree can always be written.
            text.push_str(&serde_json::to_string(block).unwrap_or_default());
        }
        text.push(']');
        if let Some(value) = self.value {
            text.extend([",\"structuredContent\":", value.as_str()]);
        }
        text.extend([",\"isError\":", if self.is_error { "true" } else { "false" }]);
        if self.revision >= McpRevision::V2026_07_28 {
            text.push_str(",\"_meta\":");
            write_meta(&mut text, self.server_info, self.presentation);
        } else if let Some(presentation) = self.presentation {
            text.extend([",\"_meta\":{\"", PRESENTATION, "\":", &presentation.to_string(), "}"]);
        }
        text.push('}');
        text
    }

    /// In rmcp's types.
    pub(super) fn typed(self) -> CallToolResult {
        let mut result = CallToolResult::default();
        result.content = self.blocks.into_iter().filter_map(block).collect();
        result.structured_content = self.value.map(JsonText::to_value);
        result.is_error = Some(self.is_error);
        result.meta = if self.revision >= McpRevision::V2026_07_28 {
            meta(self.server_info, self.presentation).map(MetaObject)
        } else {
            self.presentation
                .map(|presentation| MetaObject(Map::from_iter([(PRESENTATION.to_owned(), presentation.clone())])))
        };
        result
    }
}

/// The value as a client may see it. Whatever is not for clients is taken out here, and nowhere else.
fn exposed(success: &Success, exposure: Exposure) -> Option<&JsonText> {
    exposure.shows_value().then(|| success.shown_value())
}

fn block(mut block: Value) -> Option<ContentBlock> {
    let is_plain_text = block.as_object().is_some_and(|block| block.len() == 2 && block["type"] == "text");
    if !is_plain_text {
        return serde_json::from_value(block).ok();
    }
    match block.get_mut("text").map(Value::take) {
        Some(Value::String(text)) => Some(ContentBlock::text(text)),
        _ => None,
    }
}

/// The `_meta` of a result from 2026-07-28 on.
pub(super) fn meta(server_info: &str, presentation: Option<&Value>) -> Option<Map<String, Value>> {
    let mut text = String::new();
    write_meta(&mut text, server_info, presentation);
    serde_json::from_str(&text).ok()
}

pub(super) fn write_meta(text: &mut String, server_info: &str, presentation: Option<&Value>) {
    text.extend(["{\"", SERVER_INFO, "\":", server_info]);
    if let Some(presentation) = presentation {
        text.extend([",\"", PRESENTATION, "\":", &presentation.to_string()]);
    }
    text.push('}');
}
