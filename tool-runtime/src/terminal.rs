//! Cards in a terminal, or in a pipe: the cargo feature `terminal`.
//!
//! What a tool or a model says is foreign text, so nothing of it reaches the terminal as a command: control characters,
//! escape sequences, marks that turn the direction of text and characters that can't be seen are shown as what they are. No
//! line is wider than the width, as columns are counted, and a card has no more lines than it may.

mod call;
mod diff;
mod page;
mod result;
mod text;

use std::ffi::OsStr;
use std::io::IsTerminal;

use crate::card::{CallView, DurableResult, ResultView};
use page::Page;

/// The least width, in columns; less is taken as this.
pub const MIN_WIDTH: usize = 20;

/// How cards are drawn: how wide, how long, and whether in colours.
///
/// ```
/// use tool_runtime::present::{DurableResult, GenericCall, SearchPaths};
/// use tool_runtime::{Content, terminal::Terminal};
///
/// let terminal = Terminal::plain(40);
/// let call = GenericCall::new("Glob *.rs").into();
/// let found = SearchPaths::new(["a.rs", "b.rs"], 1200)?.into();
/// let content = Content::text("a.rs\nb.rs");
/// assert_eq!(terminal.call(&call), "• Glob *.rs\n");
/// assert_eq!(
///     terminal.result(&call, &found, &DurableResult::success(&content)),
///     "✓ Glob *.rs\n  a.rs\n  b.rs\n  2 of 1200 paths\n"
/// );
/// # Ok::<(), tool_runtime::present::InvalidCard>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    width: usize,
    lines: usize,
    colours: bool,
}

impl Terminal {
    /// Lines of so many columns, without colours, and 40 of them for one card.
    pub const fn plain(width: usize) -> Self {
        Self { width, lines: 40, colours: false }
    }

    /// The same, with colours or without. [`wants_colours`] tells of a stream.
    #[must_use]
    pub const fn with_colours(mut self, colours: bool) -> Self {
        self.colours = colours;
        self
    }

    /// The same, with at most so many lines of what a card shows; then follow what is missing, and how it ended.
    #[must_use]
    pub const fn with_lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    /// A call that runs, each line with a line feed.
    pub fn call(&self, view: &CallView) -> String {
        let mut page = self.page();
        call::draw(&mut page, view);
        page.finish()
    }

    /// A result in the place of its call, each line with a line feed. Of the result itself come the content, where the card
    /// shows it, and whether it is an error.
    pub fn result(&self, call: &CallView, view: &ResultView, result: &DurableResult<'_>) -> String {
        let mut page = self.page();
        result::draw(&mut page, call, view, result);
        page.finish()
    }

    fn page(&self) -> Page {
        Page::new(self.width.max(MIN_WIDTH), self.lines, self.colours)
    }
}

/// Whether a stream should get colours: a terminal, unless `NO_COLOR` says anything (<https://no-color.org>) or the terminal
/// knows none.
pub fn wants_colours(stream: &impl IsTerminal) -> bool {
    let said = |name: &str| std::env::var_os(name);
    stream.is_terminal() && colours(said("NO_COLOR").as_deref(), said("TERM").as_deref())
}

fn colours(no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_can_be_declined() {
        let colours =
            |no_color: Option<&str>, term: Option<&str>| colours(no_color.map(OsStr::new), term.map(OsStr::new));
        assert!(colours(None, Some("xterm")) && colours(None, None));
        assert!(colours(Some(""), Some("xterm")), "an empty NO_COLOR says nothing");
        assert!(!colours(Some("1"), Some("xterm")) && !colours(None, Some("dumb")));
    }
}
