//! Providers: lowering tools, reading what comes back, and the table of what each provider takes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tool_runtime::dialect::{Dialect, GeminiForm, Kept, Lowered, McpRevision, Mode, Unsupported};
use tool_runtime::prelude::*;
use tool_runtime::{JsonValue, serde_json};

use crate::{assert_shown, pretty};

// ANCHOR: tool
/// Search the files of the workspace.
#[derive(Tool)]
#[tool(output = String, render = display, read_only)]
struct Search {
    /// A regular expression.
    pattern: String,
    /// Only files whose names end in one of these.
    #[serde(default)]
    endings: Vec<String>,
    /// How many results
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
}
// ANCHOR_END: tool

impl Execute for Search {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("{:?} in {:?}, at most {:?}", self.pattern, self.endings, self.limit))
    }
}

#[tokio::test]
async fn what_is_sent_and_what_comes_back() {
    // ANCHOR: lower
    let mut registry = Registry::new();
    registry.tool::<Search>().unwrap();
    let tools = Dialect::OpenAiChat(Mode::Strict).lower_all(&registry);
    // `tools.definitions()` is the list of tools of a request.
    let dispatcher = Dispatcher::new(registry).dialect(tools.clone());
    // ANCHOR_END: lower
    assert_shown("strict.json", &pretty(&tools.definitions()[0]));

    // ANCHOR: call
    let arguments = r#"{"pattern": "a+", "endings": null, "limit": 3}"#;
    let result = dispatcher.call(ToolCall::new("call-1", "search", arguments)).await;
    // ANCHOR_END: call
    assert_shown("decoded.txt", &result.content().to_text());
}

#[test]
fn losses_and_refusals_are_told() {
    let mut registry = Registry::new();
    registry.tool::<Search>().unwrap().tool::<probe::Recursive>().unwrap();
    // ANCHOR: losses
    let tools = Dialect::Anthropic(Mode::Strict).lower_all(&registry);
    let mut text = String::new();
    for (tool, losses) in tools.losses() {
        for loss in losses {
            writeln!(text, "{tool}: {loss}").unwrap();
        }
    }
    for left_out in tools.left_out() {
        writeln!(text, "{left_out}").unwrap();
    }
    // ANCHOR_END: losses
    assert_shown("losses.txt", &text);
}

/// One tool for each thing that providers take in different ways.
mod probe {
    use super::*;

    macro_rules! probes {
        ($($(#[$attribute:meta])* $kind:ident $name:ident { $($body:tt)* })*) => {$(
            /// Try something.
            #[derive(Tool)]
            #[tool(output = Done, render = json)]
            #[allow(dead_code, reason = "only its schema is looked at")]
            $(#[$attribute])*
            pub(super) $kind $name { $($body)* }

            impl Execute for $name {
                async fn execute(&self, _: &Context) -> Result<Done, ToolError> {
                    Ok(Done {})
                }
            }
        )*};
    }

    #[tool_output]
    pub(super) struct Done {}

    probes! {
        struct Optional { a: Option<String>, }
        struct Defaulted { #[serde(default)] a: bool, }
        struct Enum { a: Mood, }
        struct Tagged { a: Kind, }
        struct Map { a: BTreeMap<String, u8>, }
        struct Tuple { a: (bool, String), }
        struct Any { a: JsonValue, }
        struct Recursive { a: Node, }
        struct Range { #[schemars(range(min = 1, max = 9))] a: i32, }
        struct Length { #[schemars(length(min = 1, max = 9))] a: String, }
        struct Count { #[schemars(length(min = 2, max = 9))] a: Vec<bool>, }
        struct Pattern { #[schemars(regex(pattern = "^a+$"))] a: String, }
        struct Unique { a: std::collections::BTreeSet<bool>, }
        struct Date { #[schemars(extend("format" = "date-time"))] a: String, }
        struct Address { #[schemars(url)] a: String, }
        struct Named { #[serde(rename = "with space")] a: bool, }
        struct Nothing {}
        #[serde(tag = "action")]
        enum Union { One { a: bool }, Two, }
        #[tool(open)]
        struct Open { a: bool, }
    }

    #[tool_input]
    pub(super) enum Mood {
        Good,
        Bad,
    }

    #[tool_input]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    pub(super) enum Kind {
        One { a: bool },
        Two,
    }

    #[tool_input]
    #[expect(dead_code, reason = "only its schema is looked at")]
    pub(super) struct Node {
        next: Option<Box<Node>>,
    }
}

const COLUMNS: [(&str, Dialect); 11] = [
    ("OpenAI, strict", Dialect::OpenAiChat(Mode::Strict)),
    ("OpenAI", Dialect::OpenAiChat(Mode::Lenient)),
    ("Anthropic, strict", Dialect::Anthropic(Mode::Strict)),
    ("Anthropic", Dialect::Anthropic(Mode::Lenient)),
    ("Gemini `parameters`", Dialect::Gemini(GeminiForm::OpenApi)),
    ("Gemini JSON Schema", Dialect::Gemini(GeminiForm::JsonSchema)),
    ("DeepSeek, strict", Dialect::DeepSeek(Mode::Strict)),
    ("xAI", Dialect::Xai),
    ("Mistral", Dialect::Mistral),
    ("Ollama", Dialect::Ollama),
    ("MCP", Dialect::Mcp(McpRevision::V2025_11_25)),
];

#[test]
fn the_table_says_what_each_provider_takes() {
    use probe::*;
    macro_rules! rows {
        ($($what:literal: $probe:ident $sample:tt;)*) => {
            [$(($what, lower::<$probe> as fn(Dialect) -> _, serde_json::json!($sample))),*]
        };
    }
    // Each with arguments as the tool itself takes them.
    let rows = rows! {
        "`Option` field": Optional {};
        "field with `#[serde(default)]`": Defaulted {};
        "enum of names": Enum {"a": "Good"};
        "tagged enum": Tagged {"a": {"kind": "One", "a": true}};
        "enum as the arguments": Union {"action": "Two"};
        "no arguments": Nothing {};
        "map": Map {"a": {"b": 1}};
        "tuple": Tuple {"a": [true, "b"]};
        "any JSON": Any {"a": [1]};
        "type that holds itself": Recursive {"a": {"next": {"next": null}}};
        "`open`": Open {"a": true};
        "range of a number": Range {"a": 1};
        "length of a text": Length {"a": "b"};
        "length of a list": Count {"a": [true, true]};
        "set (no item twice)": Unique {"a": [true]};
        "regular expression": Pattern {"a": "aa"};
        "format `date-time`": Date {"a": "2026-01-01T00:00:00Z"};
        "format `uri`": Address {"a": "https://example.org"};
        "name with a space": Named {"with space": true};
    };
    let mut table = String::from("| |");
    for (name, _) in COLUMNS {
        write!(table, " {name} |").unwrap();
    }
    write!(table, "\n| --- |{}\n", " --- |".repeat(COLUMNS.len())).unwrap();
    for (what, lower, sample) in rows {
        write!(table, "| {what} |").unwrap();
        for (_, dialect) in COLUMNS {
            write!(table, " {} |", verdict(&lower(dialect), &sample)).unwrap();
        }
        table.push('\n');
    }
    assert_shown("providers.md", &table);
}

fn lower<T: Execute>(dialect: Dialect) -> Result<Lowered, Vec<Unsupported>> {
    let mut registry = Registry::new();
    registry.tool::<T>().unwrap();
    dialect.lower(registry.spec(T::NAME).unwrap())
}

fn verdict(lowered: &Result<Lowered, Vec<Unsupported>>, sample: &JsonValue) -> &'static str {
    let Ok(lowered) = lowered else { return "refused" };
    let has = |kept: Kept| lowered.losses().iter().any(|loss| loss.kept() == kept);
    match () {
        () if lowered.decoder().encode(sample) != *sample => "rewritten",
        () if has(Kept::Nowhere) => "narrowed",
        () if has(Kept::InDescription) => "described",
        () if has(Kept::OnlyChecked) => "checked",
        () => "as it is",
    }
}

#[test]
fn a_strict_tool_needs_no_rewriting() {
    // ANCHOR: strict
    /// Delete a file.
    #[derive(Tool)]
    #[tool(output = bool, render = display, destructive, strict)]
    struct Delete {
        /// Its path.
        path: String,
        /// Whether folders are deleted with all that is in them.
        recursive: Option<bool>,
    }
    // ANCHOR_END: strict

    impl Execute for Delete {
        async fn execute(&self, _: &Context) -> Result<bool, ToolError> {
            Ok(self.path.is_empty() && self.recursive == Some(true))
        }
    }
    let sent = lower::<Delete>(Dialect::OpenAiChat(Mode::Strict)).unwrap();
    assert_eq!(sent.definition()["function"]["parameters"]["required"], serde_json::json!(["path", "recursive"]));
}
