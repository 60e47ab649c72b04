//! Arguments: their shapes, their attributes, and what a bad call tells the model.

use std::fmt::Write as _;

use tool_runtime::prelude::*;
use tool_runtime::{Repair, Repairs};

// ANCHOR: struct
/// Search the notes.
#[derive(Tool)]
#[tool(output = Vec<String>, render = json, read_only)]
#[serde(rename_all = "camelCase")]
struct SearchNotes {
    /// What to look for.
    #[schemars(length(min = 1))]
    query: String,
    /// Where to look.
    #[serde(default)]
    scope: Scope,
    /// How many notes to name at most.
    #[schemars(range(min = 1, max = 100))]
    max_hits: Option<u32>,
}

/// A part of a note.
#[tool_input]
#[derive(Default)]
#[serde(rename_all = "lowercase")]
enum Scope {
    #[default]
    Everywhere,
    Title,
    Body,
}
// ANCHOR_END: struct

impl Execute for SearchNotes {
    async fn execute(&self, _: &Context) -> Result<Vec<String>, ToolError> {
        let places: &[&str] = match self.scope {
            Scope::Everywhere => &["title", "body"],
            Scope::Title => &["title"],
            Scope::Body => &["body"],
        };
        let hits = places.iter().map(|place| format!("{} in a {place}", self.query));
        Ok(hits.take(self.max_hits.unwrap_or(10) as usize).collect())
    }
}

// ANCHOR: enum
/// Change the notes.
#[derive(Tool)]
#[tool(output = String, render = display)]
#[serde(tag = "action", rename_all = "lowercase")]
enum ChangeNotes {
    /// Write a new note.
    Add { title: String, text: String },
    /// Throw a note away.
    Remove { title: String },
}
// ANCHOR_END: enum

impl Execute for ChangeNotes {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(match self {
            Self::Add { title, text } => format!("added {title:?} of {} bytes", text.len()),
            Self::Remove { title } => format!("removed {title:?}"),
        })
    }
}

// ANCHOR: unit
/// Count the notes.
#[derive(Tool)]
#[tool(output = u32, render = display, read_only)]
struct CountNotes;
// ANCHOR_END: unit

impl Execute for CountNotes {
    async fn execute(&self, _: &Context) -> Result<u32, ToolError> {
        Ok(7)
    }
}

// ANCHOR: numbers
/// Ring the bell.
#[derive(Tool)]
#[tool(output = u8, render = display)]
struct Ring {
    times: u8,
}
// ANCHOR_END: numbers

impl Execute for Ring {
    async fn execute(&self, _: &Context) -> Result<u8, ToolError> {
        Ok(self.times)
    }
}

fn dispatcher() -> Dispatcher {
    Dispatcher::new(toolset! { () => [SearchNotes, ChangeNotes, CountNotes, Ring] }.unwrap())
}

/// What each call gives: what was sent, and what the model reads.
async fn told(tool: &str, sent: &[&str]) -> String {
    let dispatcher = dispatcher();
    let mut text = String::new();
    for arguments in sent {
        let result = dispatcher.call(ToolCall::new("call", tool, *arguments)).await;
        let shown = if arguments.is_empty() { "(nothing)" } else { arguments };
        writeln!(text, "{shown}\n    {}", result.content().to_text()).unwrap();
    }
    text
}

#[test]
fn the_schema_is_what_the_guide_shows() {
    let registry = dispatcher().registry();
    super::assert_shown("search_notes.json", &super::pretty(&registry.spec("search_notes").unwrap().input_schema));
    super::assert_shown("change_notes.json", &super::pretty(&registry.spec("change_notes").unwrap().input_schema));
    super::assert_shown("count_notes.json", &super::pretty(&registry.spec("count_notes").unwrap().input_schema));
}

#[tokio::test]
async fn optional_means_absent_or_null() {
    let sent = [r#"{"query": "tea"}"#, r#"{"query": "tea", "maxHits": null}"#, r#"{"query": "tea", "scope": null}"#];
    super::assert_shown("optional.txt", &told("search_notes", &sent).await);
}

#[tokio::test]
async fn no_arguments_are_an_empty_object() {
    super::assert_shown("no_arguments.txt", &told("count_notes", &["{}", "", "null", r#"{"all": true}"#]).await);
}

#[tokio::test]
async fn a_whole_float_is_an_integer_and_nothing_else_is_converted() {
    let sent = [
        r#"{"times": 3}"#,
        r#"{"times": 3.0}"#,
        r#"{"times": -0.0}"#,
        r#"{"times": 2.5}"#,
        r#"{"times": 300}"#,
        r#"{"times": "3"}"#,
        r#"{"times": null}"#,
        r"[3]",
    ];
    super::assert_shown("numbers.txt", &told("ring", &sent).await);
}

#[tokio::test]
async fn text_that_is_no_json_is_not_repaired() {
    let sent = [r#"{"times": 3"#, r#"{"times": 3,}"#, r#"{"times": 3, "times": 4}"#, r#"{"times": 3} please"#];
    super::assert_shown("no_json.txt", &told("ring", &sent).await);
}

#[tokio::test]
async fn every_violation_is_told_at_once() {
    let sent = [r#"{"query": "", "scope": "titel", "max_hits": 1000}"#, r#"{"query": "tea", "maxHits": 0}"#];
    super::assert_shown("violations.txt", &told("search_notes", &sent).await);
    let sent = [r#"{"action": "remove"}"#, r#"{"action": "rename", "title": "Tea"}"#, r#"{"title": "Tea"}"#];
    super::assert_shown("variants.txt", &told("change_notes", &sent).await);
}

// ANCHOR: open
/// Log an event.
#[derive(Tool)]
#[tool(output = String, render = display, open)]
struct Log {
    event: String,
}
// ANCHOR_END: open

impl Execute for Log {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("logged {}", self.event))
    }
}

#[tokio::test]
async fn an_open_tool_ignores_unknown_keys() {
    let dispatcher = Dispatcher::new(toolset! { () => [Log] }.unwrap());
    let result = dispatcher.call(ToolCall::new("call", "log", r#"{"event": "start", "evnt": 1}"#)).await;
    assert_eq!(result.content().to_text(), "logged start");
}

#[tokio::test]
async fn nearly_right_arguments_are_repaired_if_the_host_asks() {
    let mut registry = Registry::new();
    registry.tool::<SearchNotes>().unwrap();
    // ANCHOR: repairs
    let dispatcher =
        Dispatcher::new(registry).repairs(Repairs::none().with(Repair::CodeFence).with(Repair::ScalarInString));
    let fenced = "```json\n{\"query\": \"rust\", \"maxHits\": \"1\"}\n```";
    let result = dispatcher.call(ToolCall::new("call-1", "search_notes", fenced)).await;
    assert!(result.is_success());
    assert_eq!(result.trace().repairs().len(), 2);
    // ANCHOR_END: repairs
}

// ANCHOR: generic
use tool_runtime::Parameter;

/// Count the items of a list.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct CountItems<X> {
    items: Vec<X>,
}

impl<X: Parameter> Execute for CountItems<X> {
    async fn execute(&self, _: &Context) -> Result<usize, ToolError> {
        Ok(self.items.len())
    }
}

fn counters() -> Result<Registry, RegistrationError> {
    let mut registry = Registry::new();
    registry.tool_as::<CountItems<u32>>(Overrides::new().name("count_numbers"))?;
    registry.tool_as::<CountItems<String>>(Overrides::new().name("count_words"))?;
    Ok(registry)
}
// ANCHOR_END: generic

#[tokio::test]
async fn a_generic_tool_is_registered_once_a_type() {
    let dispatcher = Dispatcher::new(counters().unwrap());
    let counted = dispatcher.call(ToolCall::new("call", "count_numbers", r#"{"items": [1, 2]}"#)).await;
    assert_eq!(counted.content().to_text(), "2");
    let refused = dispatcher.call(ToolCall::new("call", "count_words", r#"{"items": [1, 2]}"#)).await;
    assert_eq!(refused.failure().unwrap().code(), &Code::INVALID_ARGS);
}

/// Tag a page.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct TagPage {
    #[schemars(inner(length(min = 1)))]
    tags: Vec<String>,
    #[schemars(inner(range(max = 9)))]
    numbers: Vec<u8>,
    #[schemars(inner(regex(pattern = "^[a-z]+$")))]
    words: Vec<String>,
}

impl Execute for TagPage {
    async fn execute(&self, _: &Context) -> Result<usize, ToolError> {
        Ok(self.tags.len() + self.numbers.len() + self.words.len())
    }
}

#[tokio::test]
async fn constraints_reach_the_elements_of_a_list() {
    let dispatcher = Dispatcher::new(toolset! { () => [TagPage] }.unwrap());
    let arguments = r#"{"tags": ["", "a"], "numbers": [10], "words": ["A"]}"#;
    let result = dispatcher.call(ToolCall::new("call", "tag_page", arguments)).await;
    let text = result.content().to_text();
    assert!(["\"/tags/0\"", "\"/numbers/0\"", "\"/words/0\""].iter().all(|place| text.contains(place)), "{text}");
}
