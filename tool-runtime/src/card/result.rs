//! The cards of a result, and the two that have no rules of their own.

use serde::{Deserialize, Serialize};

use super::{
    DiffResult, InvalidCard, ReadResult, SearchMatches, SearchPaths, SearchResult, WebFetch, WebResult, WebSearch,
};
use crate::content::{Block, Content};

/// A result as it is drawn; it replaces the call's card.
///
/// A user interface switches on it, never on the tool's name. It serialises with the tag `card`.
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

/// The card that any result can have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenericResult {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<Vec<Block>>,
}

/// What a command printed, and how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedTerminal")]
pub struct TerminalResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    exit: Option<Exit>,
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

/// The card as it comes from JSON.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UncheckedTerminal {
    title: Option<String>,
    output: Option<String>,
    exit_code: Option<i32>,
    signal: Option<String>,
}

impl TryFrom<UncheckedTerminal> for TerminalResult {
    type Error = InvalidCard;

    fn try_from(card: UncheckedTerminal) -> Result<Self, InvalidCard> {
        let UncheckedTerminal { title, output, exit_code, signal } = card;
        let exit = match (exit_code, signal) {
            (Some(_), Some(_)) => {
                return Err(InvalidCard::new("a command ends with an exit code or by a signal, and this has both"));
            }
            (Some(code), None) => Some(Exit::Code(code)),
            (None, signal) => signal.map(Exit::Signal),
        };
        Ok(Self { title, output, exit })
    }
}

impl ResultView {
    /// The card of a result whose tool presents nothing: the call's title stays, the content is shown.
    pub fn fallback() -> Self {
        Self::Generic(GenericResult::default())
    }

    /// One line; the call's title stays if there is none.
    pub fn title(&self) -> Option<&str> {
        match self {
            Self::Generic(card) => card.title(),
            Self::Terminal(card) => card.title(),
            Self::Diff(card) => card.title(),
            Self::Read(card) => card.title(),
            Self::Search(card) => card.title(),
            Self::Web(card) => card.title(),
        }
    }
}

impl GenericResult {
    /// A card that keeps the call's title, and shows the result's own content.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same card with a title in the place of the call's.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The same card with content in the place of the result's, its notice as a last text in brackets.
    #[must_use]
    pub fn with_content(mut self, content: &Content) -> Self {
        self.content = Some(content.shown());
        self
    }

    /// One line; the call's title stays if there is none.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Content to show; the result's own content if there is none.
    pub fn content(&self) -> Option<&[Block]> {
        self.content.as_deref()
    }
}

impl TerminalResult {
    /// A command of which nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same card with a title in the place of the call's.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The same card with what the command printed.
    #[must_use]
    pub fn with_output(mut self, output: impl Into<String>) -> Self {
        self.output = Some(output.into());
        self
    }

    /// The same card of a command that has ended.
    #[must_use]
    pub fn with_exit(mut self, exit: Exit) -> Self {
        self.exit = Some(exit);
        self
    }

    /// One line; the call's title stays if there is none.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What it printed.
    pub fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    /// How it ended, if it has.
    pub fn exit(&self) -> Option<&Exit> {
        self.exit.as_ref()
    }
}

macro_rules! views {
    ($($variant:ident($($card:ty),+));* $(;)?) => {$($(
        impl From<$card> for ResultView {
            fn from(card: $card) -> Self {
                Self::$variant(card.into())
            }
        }
    )+)*};
}

views! {
    Generic(GenericResult);
    Terminal(TerminalResult);
    Diff(DiffResult);
    Read(ReadResult);
    Search(SearchResult, SearchMatches, SearchPaths);
    Web(WebResult, WebSearch, WebFetch);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_the_wire_form_that_user_interfaces_switch_on() {
        let terminal = TerminalResult::new().with_output("ok").with_exit(Exit::Code(0));
        let views: [(ResultView, &str); 4] = [
            (ResultView::fallback(), r#"{"card":"generic"}"#),
            (terminal.into(), r#"{"card":"terminal","output":"ok","exitCode":0}"#),
            (
                SearchPaths::new(["a"], 1).unwrap().into(),
                r#"{"card":"search","shape":"paths","paths":["a"],"truncated":false,"total":1}"#,
            ),
            (
                WebFetch::new("https://example.org", 404, false).into(),
                r#"{"card":"web","kind":"fetch","url":"https://example.org","statusCode":404,"truncated":false}"#,
            ),
        ];
        for (view, wire) in views {
            assert_eq!(serde_json::to_string(&view).unwrap(), wire);
            assert_eq!(serde_json::from_str::<ResultView>(wire).unwrap(), view);
        }
    }

    #[test]
    fn a_command_has_an_exit_code_or_a_signal_and_never_both() {
        let both = r#"{"card":"terminal","exitCode":0,"signal":"SIGKILL"}"#;
        let error = serde_json::from_str::<ResultView>(both).unwrap_err();
        assert_eq!(error.to_string(), "a command ends with an exit code or by a signal, and this has both");
        for one in [r#"{"card":"terminal","exitCode":-1}"#, r#"{"card":"terminal","signal":"SIGKILL"}"#] {
            let view: ResultView = serde_json::from_str(one).unwrap();
            assert_eq!(serde_json::to_string(&view).unwrap(), one);
        }
    }
}
