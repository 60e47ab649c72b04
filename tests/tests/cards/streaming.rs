//! Arguments that stream in, at every length of their text.

use proptest::prelude::*;
use serde_json::json;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, DiffCall, DiffHunk, Partial};

/// Write a file.
#[derive(Tool)]
#[tool(output = String, render = display, present)]
struct Write {
    path: String,
    content: String,
    mode: Option<u32>,
}

impl Execute for Write {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("done".into())
    }
}

impl Present for Write {
    type Meta = Option<u32>;

    fn meta(&self, _: &String) -> Option<u32> {
        self.mode
    }

    fn call_view(&self) -> Option<CallView> {
        Some(card(&self.path, &self.content))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        Some(card(partial.text("path")?, partial.so_far("content").unwrap_or_default()))
    }
}

fn card(path: &str, content: &str) -> CallView {
    DiffCall::new(format!("Write {path}"), DiffHunk::whole(path, content)).into()
}

/// The same JSON in ASCII.
fn ascii(text: &str) -> String {
    let mut units = [0; 2];
    text.chars()
        .map(|character| match character {
            ' '..='~' => character.to_string(),
            _ => character
                .encode_utf16(&mut units)
                .iter()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect::<Vec<_>>()
                .concat(),
        })
        .collect()
}

fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    (0..=text.len()).filter(|&end| text.is_char_boundary(end)).map(|end| &text[..end])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_half_value_passes_for_a_whole_one(path: String, content: String, mode: u32, last: bool) {
        let cards = tests::dispatcher_of::<Write>().cards();
        let arguments = if last {
            json!({"content": content, "path": path, "mode": mode}).to_string()
        } else {
            json!({"mode": mode, "path": path, "content": content}).to_string()
        };
        for text in [arguments.clone(), ascii(&arguments)] {
            for prefix in prefixes(&text) {
                let partial = Partial::of(prefix);
                for (property, whole) in [("path", &path), ("content", &content)] {
                    prop_assert!(partial.text(property).is_none_or(|told| told == whole), "{prefix}");
                    prop_assert!(partial.so_far(property).is_none_or(|told| whole.starts_with(told)), "{prefix}");
                }
                prop_assert!(partial.get::<u32>("mode").is_none_or(|told| told == mode), "{prefix}");
                match cards.pending("write", prefix) {
                    CallView::Diff(card) => prop_assert_eq!(card.diffs()[0].path(), path.as_str()),
                    view => prop_assert_eq!(view.title(), "write"),
                }
            }
            prop_assert_eq!(cards.pending("write", &text), card(&path, &content));
            prop_assert_eq!(cards.pending("write", &text), cards.call("write", &text));
        }
    }

    #[test]
    fn what_is_known_only_grows(path: String, content: String) {
        let text = json!({"path": path, "content": content}).to_string();
        let mut known = 0;
        for prefix in prefixes(&text) {
            let partial = Partial::of(prefix);
            let now = partial.so_far("path").map_or(0, |told| told.len() + 1)
                + partial.so_far("content").map_or(0, |told| told.len() + 1);
            prop_assert!(now >= known, "{prefix}");
            known = now;
        }
        prop_assert_eq!(known, path.len() + content.len() + 2);
    }

    #[test]
    fn any_text_has_a_card(text: String, json in r#"[{}\[\]":,\\u0-9a-f tnl.eE-]{0,60}"#) {
        let cards = tests::dispatcher_of::<Write>().cards();
        for text in [&text, &json] {
            let view = cards.pending("write", text);
            prop_assert_eq!(view, cards.pending("write", text));
        }
    }
}
