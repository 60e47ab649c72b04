//! The cards: three that a pending call can have, six that a result can have. A user interface switches on the card,
//! never on the tool's name.

use serde::{Deserialize, Serialize};

use crate::content::Block;
use crate::json::JsonValue;

/// A call as it is drawn while it runs.
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

/// A result as it is drawn; it replaces the call's card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "card", rename_all = "snake_case")]
pub enum ResultView {
    /// Any result.
    Generic(GenericResult),
    /// What a command printed.
    Terminal(TerminalResult),
    /// What was changed.
    Diff(DiffResult),
    /// A window of a file.
    Read(ReadResult),
    /// What a search found.
    Search(SearchResult),
    /// What the web answered.
    Web(WebResult),
}

/// The card that any call can have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GenericCall {
    /// One line: what is being done.
    pub title: String,
    /// Which icon fits.
    #[serde(default)]
    pub kind: ToolKind,
    /// The salient input: a string is shown as it is, an object laid out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_input: Option<JsonValue>,
    /// Content to show beneath.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<Block>>,
    /// The places that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
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
    /// The file.
    pub path: String,
    /// The line, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// A command that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalCall {
    /// The command.
    pub title: String,
    /// One line above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where it runs; the workspace if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

/// A change that is being made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffCall {
    /// One line: what is being changed.
    pub title: String,
    /// The changes.
    pub diffs: Vec<DiffHunk>,
    /// The places that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}

/// One change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DiffHunk {
    /// The file.
    pub path: String,
    /// What stood there; `None` for a new file, an insertion, or where the old text is not known.
    pub old_text: Option<String>,
    /// What stands there now.
    pub new_text: String,
}

/// The card that any result can have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenericResult {
    /// One line; the call's title stays if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Content to show; the result's own content if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<Block>>,
}

/// What a command printed, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TerminalResult {
    /// One line; the call's title stays if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// How it ended, if it has.
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
}

/// How a command ended: with a code or by a signal, never both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// Its exit code.
    #[serde(rename = "exitCode")]
    Code(i32),
    /// The signal that ended it.
    #[serde(rename = "signal")]
    Signal(String),
}

/// What was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffResult {
    /// One line; the call's title stays if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The changes as they were applied.
    pub diffs: Vec<DiffHunk>,
}

/// A window of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadResult {
    /// One line; the call's title stays if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The file.
    pub path: String,
    /// The first line that was asked for, counted from 1; kept when no line came back.
    pub offset: u32,
    /// The lines.
    pub lines: Vec<NumberedLine>,
    /// How many lines the file has.
    pub total_lines: u32,
    /// The language, for colours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The plain text, for a user interface that has no such card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

/// A line with its number, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberedLine {
    /// The number.
    pub number: u32,
    /// The text, without its line end.
    pub text: String,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "lowercase")]
pub enum SearchResult {
    /// Lines.
    Matches(SearchMatches),
    /// Paths.
    Paths(SearchPaths),
}

/// Lines that a search found, by file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchMatches {
    /// One line; the call's title stays if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The files, in the order in which they were first seen.
    pub files: Vec<FileMatches>,
    /// Whether some were left out.
    pub truncated: bool,
    /// How many there were before that.
    pub total: u64,
}

/// The lines of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMatches {
    /// The file.
    pub path: String,
    /// Its lines.
    pub matches: Vec<LineMatch>,
}

/// A line that matched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LineMatch {
    /// Its number, counted from 1.
    pub line_number: u64,
    /// Its text.
    pub line: String,
}

/// Paths that a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPaths {
    /// One line; the call's title stays if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The paths.
    pub paths: Vec<String>,
    /// Whether some were left out.
    pub truncated: bool,
    /// How many there were before that.
    pub total: u64,
}

/// What the web answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum WebResult {
    /// A search.
    Search(WebSearch),
    /// A page.
    Fetch(WebFetch),
}

/// What a web search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSearch {
    /// One line; the call's title stays if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The sources.
    pub sources: Vec<WebSource>,
    /// An answer, where the search engine gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Whether some were left out.
    pub truncated: bool,
}

/// One source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebSource {
    /// Where it is.
    pub url: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A few words of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// When it was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<String>,
}

/// A page that was fetched; its body is not in the card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebFetch {
    /// One line; the call's title stays if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it was found in the end.
    pub url: String,
    /// The HTTP status.
    pub status_code: u16,
    /// Whether the body was cut.
    pub truncated: bool,
}

impl CallView {
    /// The card of a call whose tool presents nothing: the tool's name, and the arguments as they are.
    pub fn fallback(tool_name: impl Into<String>, arguments: JsonValue) -> Self {
        Self::Generic(GenericCall {
            title: tool_name.into(),
            kind: ToolKind::Other,
            raw_input: Some(arguments),
            content: None,
            locations: Vec::new(),
        })
    }
}

impl ResultView {
    /// The card of a result whose tool presents nothing: the call's title stays, the content is shown.
    pub fn fallback() -> Self {
        Self::Generic(GenericResult::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_the_wire_form_that_user_interfaces_switch_on() {
        let views = [
            (ResultView::fallback(), r#"{"card":"generic"}"#),
            (
                ResultView::Terminal(TerminalResult {
                    title: None,
                    output: Some("ok".into()),
                    exit: Some(Exit::Code(0)),
                }),
                r#"{"card":"terminal","output":"ok","exitCode":0}"#,
            ),
            (
                ResultView::Search(SearchResult::Paths(SearchPaths {
                    title: None,
                    paths: vec!["a".into()],
                    truncated: false,
                    total: 1,
                })),
                r#"{"card":"search","shape":"paths","paths":["a"],"truncated":false,"total":1}"#,
            ),
            (
                ResultView::Web(WebResult::Fetch(WebFetch {
                    title: None,
                    url: "https://example.org".into(),
                    status_code: 404,
                    truncated: false,
                })),
                r#"{"card":"web","kind":"fetch","url":"https://example.org","statusCode":404,"truncated":false}"#,
            ),
        ];
        for (view, wire) in views {
            assert_eq!(serde_json::to_string(&view).unwrap(), wire);
            assert_eq!(serde_json::from_str::<ResultView>(wire).unwrap(), view);
        }
    }

    #[test]
    fn a_tool_that_presents_nothing_shows_its_name_and_arguments() {
        let view = CallView::fallback("add", serde_json::json!({"a": 1}));
        assert_eq!(
            serde_json::to_string(&view).unwrap(),
            r#"{"card":"generic","title":"add","kind":"other","rawInput":{"a":1}}"#
        );
    }
}
