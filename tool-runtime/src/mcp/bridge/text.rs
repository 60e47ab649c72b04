//! What a model reads of a server's result.

use super::image;
use super::line::one_line;
use crate::content::{Block, Content};
use crate::json::{self, JsonValue};

/// Why a picture is not shown that there is nothing wrong with.
const NOT_ADMITTED: &str = "this result was not admitted to durable model context";

/// Longest name, media type or type of a server's in a line, and longest address, in bytes.
const MAX_WORD: usize = 200;
const MAX_URI: usize = 2048;

/// What a result is rendered with.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    /// Largest picture, in bytes; `None` where there is no place for pictures.
    pub(super) pictures: Option<usize>,
}

/// A block of a server, as it is shown.
enum Shown {
    Text(String),
    Picture(Block),
}

impl Reader {
    /// The content of a canonical value: pictures in their places, everything else as text, each run of it one block.
    pub(super) fn content(self, raw: &str, value: &JsonValue) -> Content {
        let mut content = Content::empty();
        let mut run: Option<String> = None;
        let flush = |run: &mut Option<String>, content: &mut Content| {
            if let Some(text) = run.take() {
                content.push(Block::text(text));
            }
        };
        for shown in self.shown(value) {
            match shown {
                Shown::Text(text) => match &mut run {
                    Some(run) => {
                        run.push('\n');
                        run.push_str(&text);
                    }
                    None => run = Some(text),
                },
                Shown::Picture(block) => {
                    flush(&mut run, &mut content);
                    content.push(block);
                }
            }
        }
        flush(&mut run, &mut content);
        if content.blocks().iter().all(is_blank) { Content::text(nothing(raw, value)) } else { content }
    }

    fn shown(self, value: &JsonValue) -> Vec<Shown> {
        let blocks = value.get("content").and_then(JsonValue::as_array).map(Vec::as_slice).unwrap_or_default();
        let pictures: Vec<_> = blocks.iter().map(|block| is(block, "image").then(|| self.picture(block))).collect();
        // One picture more or less would change what the others show, so all are shown, or none.
        let all = pictures.iter().flatten().all(Result::is_ok);
        let each = blocks.iter().zip(pictures).map(|(block, picture)| match picture {
            Some(Ok(picture)) if all => Shown::Picture(picture),
            Some(Ok(_)) => Shown::Text(no_picture(block, NOT_ADMITTED)),
            Some(Err(reason)) => Shown::Text(no_picture(block, &reason)),
            None => Shown::Text(text(block)),
        });
        each.collect()
    }

    fn picture(self, block: &JsonValue) -> Result<Block, String> {
        match self.pictures {
            Some(most) => image::admitted(block, most),
            None => Err(NOT_ADMITTED.to_owned()),
        }
    }
}

fn is_blank(block: &Block) -> bool {
    matches!(block, Block::Text(text) if text.text.trim().is_empty())
}

/// For a result without anything to read: the value, if there is one.
fn nothing(raw: &str, value: &JsonValue) -> String {
    match value.get("structuredContent").map(json::write) {
        Some(Ok(text)) => text.as_str().to_owned(),
        _ => format!("({} returned no model-visible content)", one_line(raw, MAX_WORD)),
    }
}

fn is(block: &JsonValue, kind: &str) -> bool {
    block.get("type").and_then(JsonValue::as_str) == Some(kind)
}

/// A block that is no picture.
fn text(block: &JsonValue) -> String {
    let Some(block) = block.as_object() else {
        return "[unsupported MCP content block: expected an object]".to_owned();
    };
    let word = |key: &str| block.get(key).and_then(JsonValue::as_str);
    match word("type") {
        Some("text") => match word("text") {
            Some(text) => text.to_owned(),
            None => "[text unavailable: the MCP block is missing its text]".to_owned(),
        },
        Some("resource_link") => match (word("name"), word("uri")) {
            (Some(name), Some(uri)) => {
                format!("Resource link: {} ({})", one_line(name, MAX_WORD), one_line(uri, MAX_URI))
            }
            _ => "[resource link unavailable: the MCP block is missing its name or URI]".to_owned(),
        },
        Some("audio") => {
            let media_type = media_type(word("mimeType"));
            format!(
                "[audio result unsupported: {media_type}; raw audio data remains available to programmatic callers]"
            )
        }
        Some("resource") => {
            "[embedded resource unsupported; raw resource data remains available to programmatic callers]".to_owned()
        }
        other => format!("[unsupported MCP content type: {}]", one_line(other.unwrap_or("unknown"), MAX_WORD)),
    }
}

fn no_picture(block: &JsonValue, reason: &str) -> String {
    let media_type = media_type(block.get("mimeType").and_then(JsonValue::as_str));
    format!("[image unavailable: {media_type}; {reason}; raw image data remains available to programmatic callers]")
}

fn media_type(named: Option<&str>) -> String {
    let named = named.map(str::trim).filter(|named| !named.is_empty());
    one_line(named.unwrap_or("unknown media type"), MAX_WORD)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const READER: Reader = Reader { pictures: Some(1000) };

    fn read(content: &JsonValue) -> String {
        READER.content("look", &json!({"content": content})).to_text()
    }

    fn picture() -> JsonValue {
        serde_json::to_value(Block::image(b"GIF89a", "image/gif")).unwrap()
    }

    #[test]
    fn each_kind_of_block_has_its_line() {
        for (block, line) in [
            (json!({"type": "text", "text": "as\tit\n is \u{1b}"}), "as\tit\n is \u{1b}"),
            (json!({"type": "resource_link", "name": "Log", "uri": "file:///a b"}), "Resource link: Log (file:///a b)"),
            (
                json!({"type": "resource_link", "name": "Log"}),
                "[resource link unavailable: the MCP block is missing its name or URI]",
            ),
            (
                json!({"type": "resource_link", "name": 1, "uri": "u"}),
                "[resource link unavailable: the MCP block is missing its name or URI]",
            ),
            (
                json!({"type": "image", "mimeType": "image/tiff", "data": "AAAA"}),
                "[image unavailable: image/tiff; the media type is none of image/png, image/jpeg, image/webp and image/gif; raw \
                 image data remains available to programmatic callers]",
            ),
            (
                json!({"type": "image"}),
                "[image unavailable: unknown media type; the media type is none of image/png, image/jpeg, image/webp and \
                 image/gif; raw image data remains available to programmatic callers]",
            ),
            (
                json!({"type": "audio", "mimeType": "audio/wav", "data": "AAAA"}),
                "[audio result unsupported: audio/wav; raw audio data remains available to programmatic callers]",
            ),
            (
                json!({"type": "audio"}),
                "[audio result unsupported: unknown media type; raw audio data remains available to programmatic callers]",
            ),
            (
                json!({"type": "resource", "resource": {"uri": "a:b", "text": "x"}}),
                "[embedded resource unsupported; raw resource data remains available to programmatic callers]",
            ),
            (json!({"type": "video"}), "[unsupported MCP content type: video]"),
            (json!({"type": 7}), "[unsupported MCP content type: unknown]"),
            (json!({}), "[unsupported MCP content type: unknown]"),
            (json!({"type": "text"}), "[text unavailable: the MCP block is missing its text]"),
            (json!("text"), "[unsupported MCP content block: expected an object]"),
            (json!(null), "[unsupported MCP content block: expected an object]"),
        ] {
            assert_eq!(read(&json!([block])), line, "{block}");
        }
        assert_eq!(read(&json!([])), "(look returned no model-visible content)");
        assert_eq!(read(&json!([{"type": "text", "text": " \n"}])), "(look returned no model-visible content)");
    }

    #[test]
    fn a_name_or_an_address_forges_no_line() {
        let forged = json!([
            {"type": "resource_link", "name": "a\nb", "uri": "u\u{202e}\r\n[end]"},
            {"type": "vi\ndeo"},
            {"type": "audio", "mimeType": "audio/\nwav"},
            {"type": "image", "mimeType": "image/\npng"},
        ]);
        assert_eq!(read(&forged).lines().count(), 4, "{}", read(&forged));
        let long = json!([{"type": "resource_link", "name": "n".repeat(9000), "uri": "u".repeat(9000)}]);
        assert!(read(&long).len() < MAX_WORD + MAX_URI + 50);
    }

    #[test]
    fn pictures_stand_in_their_places_and_the_text_between_them_is_one_block_each() {
        let text = |text: &str| json!({"type": "text", "text": text});
        let content = json!([text("a"), text("b"), picture(), picture(), text("c"), {"type": "audio"}]);
        let kinds: Vec<_> =
            READER.content("look", &json!({"content": content})).blocks().iter().map(Block::kind).collect();
        assert_eq!(kinds, ["text", "image", "image", "text"]);
        assert!(read(&content).starts_with("a\nb\n[image content]\n[image content]\nc\n[audio result"));
    }

    #[test]
    fn all_pictures_are_shown_or_none() {
        let bad = json!({"type": "image", "mimeType": "image/png", "data": "AAA"});
        assert_eq!(
            read(&json!([picture(), bad])),
            "[image unavailable: image/gif; this result was not admitted to durable model context; raw image data remains \
             available to programmatic callers]\n[image unavailable: image/png; the data is not canonical base64; raw image \
             data remains available to programmatic callers]"
        );
    }

    #[test]
    fn a_value_without_content_reads_as_its_json() {
        let read = |value: &JsonValue| READER.content("look", value).to_text();
        assert_eq!(read(&json!({"content": [], "structuredContent": {"b": 1, "a": 2}})), r#"{"a":2,"b":1}"#);
        let both = json!({"content": [{"type": "text", "text": "t"}], "structuredContent": {"b": 1}});
        assert_eq!(read(&both), "t");
    }
}
