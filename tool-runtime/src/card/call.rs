//! The three cards of a call.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::DiffCall;
use crate::content::{Block, Content};
use crate::json::JsonValue;

/// A call as it is drawn while it runs.
///
/// A user interface switches on it, never on the tool's name. It serialises with the tag `card`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "card", rename_all = "snake_case")]
pub enum CallView {
    /// Any call.
    Generic(GenericCall),
    /// A command.
    Terminal(TerminalCall),
    /// A change of files.
    Diff(DiffCall),
}

/// The card that any call can have.
///
/// ```
/// use tool_runtime::present::{CallView, GenericCall, Location, ToolKind};
///
/// let read = GenericCall::new("Read Cargo.toml").with_kind(ToolKind::Read).with_location(Location::new("Cargo.toml"));
/// assert_eq!(CallView::from(read).title(), "Read Cargo.toml");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GenericCall {
    title: String,
    #[serde(default)]
    kind: ToolKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raw_input: Option<JsonValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<Vec<Block>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

/// What a call does, as far as an icon can say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ToolKind {
    Read,
    Edit,
    Delete,
    Move,
    Search,
    Execute,
    Fetch,
    #[default]
    Other,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<NonZeroU32>,
}

/// A command that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalCall {
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
}

impl CallView {
    /// The card of a call whose tool presents nothing: a name, and the arguments as they are.
    pub fn fallback(title: impl Into<String>, arguments: JsonValue) -> Self {
        GenericCall::new(title).with_raw_input(arguments).into()
    }

    /// One line: what is being done. Of a command, the command.
    pub fn title(&self) -> &str {
        match self {
            Self::Generic(card) => card.title(),
            Self::Terminal(card) => card.title(),
            Self::Diff(card) => card.title(),
        }
    }
}

impl GenericCall {
    /// A card with its title, one line: what is being done.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), kind: ToolKind::Other, raw_input: None, content: None, locations: Vec::new() }
    }

    /// The same card with the icon of this kind.
    #[must_use]
    pub fn with_kind(mut self, kind: ToolKind) -> Self {
        self.kind = kind;
        self
    }

    /// The same card with the salient input: a string is shown as it is, an object laid out.
    #[must_use]
    pub fn with_raw_input(mut self, input: impl Into<JsonValue>) -> Self {
        self.raw_input = Some(input.into());
        self
    }

    /// The same card with content beneath, its notice as a last text in brackets.
    #[must_use]
    pub fn with_content(mut self, content: &Content) -> Self {
        self.content = Some(content.shown());
        self
    }

    /// The same card with one more place that it is about.
    #[must_use]
    pub fn with_location(mut self, location: Location) -> Self {
        self.locations.push(location);
        self
    }

    /// One line: what is being done.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Which icon fits.
    pub fn kind(&self) -> ToolKind {
        self.kind
    }

    /// The salient input: a string is shown as it is, an object laid out.
    pub fn raw_input(&self) -> Option<&JsonValue> {
        self.raw_input.as_ref()
    }

    /// Content to show beneath.
    pub fn content(&self) -> Option<&[Block]> {
        self.content.as_deref()
    }

    /// The places that it is about.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }
}

impl Location {
    /// A file.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), line: None }
    }

    /// A line of it, counted from 1: `.at_line(NonZeroU32::new(line))` is the whole file if `line` is 0.
    #[must_use]
    pub fn at_line(mut self, line: impl Into<Option<NonZeroU32>>) -> Self {
        self.line = line.into();
        self
    }

    /// The file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The line, counted from 1.
    pub fn line(&self) -> Option<NonZeroU32> {
        self.line
    }
}

impl TerminalCall {
    /// A card with the command.
    pub fn new(command: impl Into<String>) -> Self {
        Self { title: command.into(), description: None, cwd: None }
    }

    /// The same card with one line above the command.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The same card with the directory that the command runs in: absolute, or relative to the workspace.
    #[must_use]
    pub fn with_cwd(mut self, directory: impl Into<String>) -> Self {
        self.cwd = Some(directory.into());
        self
    }

    /// The command.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// One line above it.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Where it runs; the workspace if not said.
    pub fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }
}

impl From<GenericCall> for CallView {
    fn from(card: GenericCall) -> Self {
        Self::Generic(card)
    }
}

impl From<TerminalCall> for CallView {
    fn from(card: TerminalCall) -> Self {
        Self::Terminal(card)
    }
}

impl From<DiffCall> for CallView {
    fn from(card: DiffCall) -> Self {
        Self::Diff(card)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_presents_nothing_shows_its_name_and_arguments() {
        let view = CallView::fallback("add", serde_json::json!({"a": 1}));
        assert_eq!(
            serde_json::to_string(&view).unwrap(),
            r#"{"card":"generic","title":"add","kind":"other","rawInput":{"a":1}}"#
        );
    }

    #[test]
    fn lines_are_counted_from_1() {
        assert!(serde_json::from_str::<Location>(r#"{"path":"a","line":0}"#).is_err());
        let location = Location::new("a").at_line(NonZeroU32::new(7));
        assert_eq!(serde_json::to_string(&location).unwrap(), r#"{"path":"a","line":7}"#);
        assert_eq!(location.at_line(NonZeroU32::new(0)).line(), None);
    }
}
