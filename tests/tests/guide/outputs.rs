//! Outputs: what a body may return, and the test of their contract.

use std::collections::BTreeMap;

use tool_runtime::prelude::*;

// ANCHOR: struct
/// A window of a file.
#[tool_output]
#[serde(rename_all = "camelCase")]
struct FileView {
    path: String,
    lines: Vec<Line>,
    total_lines: u32,
    /// The byte order mark, if the file has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
}

#[tool_output]
struct Line {
    number: u32,
    text: String,
}
// ANCHOR_END: struct

// ANCHOR: enum
/// What became of a file.
#[tool_output]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Outcome {
    Created { path: String },
    Changed { path: String, lines: u32 },
    Same,
}
// ANCHOR_END: enum

/// View a file.
#[derive(Tool)]
#[tool(output = FileView, render = json)]
struct View {}

impl Execute for View {
    async fn execute(&self, _: &Context) -> Result<FileView, ToolError> {
        let lines = vec![Line { number: 1, text: "first".into() }];
        Ok(FileView { path: "notes.txt".into(), lines, total_lines: 1, mark: None })
    }
}

// ANCHOR: test
#[test]
fn outputs_keep_their_contract() {
    let line = || Line { number: 1, text: "first".into() };
    tool_runtime::testing::assert_output_contract([
        FileView { path: "a".into(), lines: vec![], total_lines: 0, mark: None },
        FileView { path: "b".into(), lines: vec![line()], total_lines: 1, mark: Some("utf-8".into()) },
    ]);
    tool_runtime::testing::assert_output_contract([
        Outcome::Created { path: "a".into() },
        Outcome::Changed { path: "b".into(), lines: 2 },
        Outcome::Same,
    ]);
}
// ANCHOR_END: test

#[tokio::test]
async fn the_schema_and_the_value_are_what_the_guide_shows() {
    let dispatcher = Dispatcher::new(toolset! { () => [View] }.unwrap());
    super::assert_shown("file_view.json", &super::pretty(&dispatcher.registry().spec("view").unwrap().output_schema));
    let result = dispatcher.call(ToolCall::without_arguments("call", "view")).await;
    super::assert_shown("file_view_value.json", result.success().unwrap().value().as_str());
}

// ANCHOR: keys
#[tool_output]
#[derive(PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Green,
    Red,
}

#[tool_output]
struct Votes {
    by_colour: BTreeMap<Colour, u32>,
    by_year: BTreeMap<u16, u32>,
}
// ANCHOR_END: keys

/// Count votes.
#[derive(Tool)]
#[tool(output = Votes, render = json)]
struct CountVotes {}

impl Execute for CountVotes {
    async fn execute(&self, _: &Context) -> Result<Votes, ToolError> {
        Ok(Votes { by_colour: [(Colour::Red, 3), (Colour::Green, 5)].into(), by_year: [(2026, 8)].into() })
    }
}

#[tokio::test]
async fn keys_are_written_as_strings() {
    let dispatcher = Dispatcher::new(toolset! { () => [CountVotes] }.unwrap());
    let result = dispatcher.call(ToolCall::without_arguments("call", "count_votes")).await;
    super::assert_shown("map_keys.json", result.success().unwrap().value().as_str());
}

// ANCHOR: overlap
#[tool_output]
#[serde(untagged)]
enum Size {
    Known { bytes: u64 },
    Estimated { bytes: u64, error: Option<u64> },
}
// ANCHOR_END: overlap

/// Measure a file.
#[derive(Tool)]
#[tool(output = Size, render = json)]
struct Measure {
    exact: bool,
}

impl Execute for Measure {
    async fn execute(&self, _: &Context) -> Result<Size, ToolError> {
        Ok(if self.exact { Size::Known { bytes: 1 } } else { Size::Estimated { bytes: 1, error: None } })
    }
}

#[test]
fn variants_that_overlap_are_refused_at_registration() {
    let error = Registry::new().tool::<Measure>().unwrap_err();
    super::assert_shown("overlap.txt", &error.to_string());
}

// ANCHOR: lossy
/// Divide.
#[derive(Tool)]
#[tool(output = f64, render = display)]
struct Divide {
    dividend: f64,
    divisor: f64,
}

impl Execute for Divide {
    async fn execute(&self, _: &Context) -> Result<f64, ToolError> {
        Ok(self.dividend / self.divisor)
    }
}
// ANCHOR_END: lossy

#[tokio::test]
async fn a_lossy_value_is_no_output() {
    let dispatcher = Dispatcher::new(toolset! { () => [Divide] }.unwrap());
    let result = dispatcher.call(ToolCall::new("call", "divide", r#"{"dividend": 1, "divisor": 0}"#)).await;
    super::assert_shown("lossy.txt", &result.content().to_text());
}

// ANCHOR: constraint
/// Roll a die.
#[derive(Tool)]
#[tool(output = Roll, render = json)]
struct RollDie {}

#[tool_output]
struct Roll {
    #[schemars(range(min = 1, max = 6))]
    eyes: u8,
}

impl Execute for RollDie {
    async fn execute(&self, _: &Context) -> Result<Roll, ToolError> {
        Ok(Roll { eyes: 7 })
    }
}
// ANCHOR_END: constraint

#[tokio::test]
async fn a_value_that_breaks_its_schema_is_no_output() {
    let dispatcher = Dispatcher::new(toolset! { () => [RollDie] }.unwrap());
    let result = dispatcher.call(ToolCall::without_arguments("call", "roll_die")).await;
    super::assert_shown("constraint.txt", &result.content().to_text());
}
