//! `grep`: lines of files.

use super::background::{in_background, report_skipped};
use super::page::{count, search_card};
use super::touched::key;
use crate::failure::{Action, Failure};
use crate::search::{Search, grep};
use crate::workspace::Workspace;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, Partial, ResultView, SearchMatches, SearchResult};
use tool_runtime::serde::Serialize;

/// The most lines that a model reads of one result.
const MAX_SHOWN: usize = 250;

/// The most bytes of a line that a model reads.
const MAX_LINE_BYTES: usize = 2000;

/// Find lines that match a regular expression.
///
/// The syntax is that of ripgrep; a match lies within one line. Hidden and ignored files are searched too, version
/// control's own directories and binary files are not, symbolic links are not followed. At most 250 lines are shown.
#[derive(Clone, Debug, Serialize, Tool)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = FoundLines, failure = Failure, present, read_only, idempotent, resources, canonical, timeout = "30s")]
pub struct Grep {
    /// Regular expression to search for.
    #[tool(canonical)]
    pub pattern: String,
    /// File or directory to search, absolute or relative to the workspace. The whole workspace if not given.
    #[schemars(length(min = 1))]
    #[tool(canonical)]
    pub path: Option<String>,
    /// One glob that says which files to search, such as `*.rs` or `*.{js,ts}`. All if not given.
    #[schemars(length(min = 1))]
    #[tool(canonical = skip)]
    pub include: Option<String>,
    /// Leave out what `.gitignore` files name. False if not given.
    #[tool(canonical = skip)]
    pub respect_gitignore: Option<bool>,
}

/// Lines that were found.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLines {
    /// All matching lines, file by file in the order of their names.
    pub matches: Vec<LineFound>,
}

/// A line that matches.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct LineFound {
    /// Path of the file from the root of the workspace.
    pub path: String,
    /// The line's number, counted from 1.
    #[schemars(range(min = 1))]
    pub line_number: u64,
    /// The whole line, without its line break.
    pub line: String,
}

impl LineFound {
    /// The line as far as it is shown.
    fn shown(&self) -> Cow<'_, str> {
        if self.line.len() <= MAX_LINE_BYTES {
            return Cow::Borrowed(&self.line);
        }
        let end = self.line.floor_char_boundary(MAX_LINE_BYTES);
        Cow::Owned(format!("{} (line truncated)", &self.line[..end]))
    }
}

impl FoundLines {
    fn shown(&self) -> &[LineFound] {
        &self.matches[..self.matches.len().min(MAX_SHOWN)]
    }
}

impl Resources for Grep {
    fn resources(&self) -> Vec<Access> {
        vec![Access::read(key(self.path.as_deref().unwrap_or_default()))]
    }
}

impl Execute<Workspace> for Grep {
    async fn execute(&self, cx: &Context<Workspace>) -> Result<FoundLines, ToolError> {
        let (pattern, path, include) = (self.pattern.clone(), self.path.clone(), self.include.clone());
        let respect_gitignore = self.respect_gitignore.unwrap_or(false);
        let (lines, skipped) = in_background(cx, move |workspace, stop| {
            let search = Search::new(workspace, Action::Grep, stop, respect_gitignore);
            grep(&search, &pattern, path.as_deref(), include.as_deref())
        })
        .await?;
        report_skipped(cx, &skipped);
        let found =
            |line: crate::search::Line| LineFound { path: line.path, line_number: line.number, line: line.text };
        Ok(FoundLines { matches: lines.into_iter().map(found).collect() })
    }
}

impl Render for Grep {
    fn render(&self, found: &FoundLines) -> Content {
        let (shown, total) = (found.shown(), found.matches.len());
        let mut text = match total {
            0 => "No matches found".to_owned(),
            1 => "Found 1 match".to_owned(),
            _ if shown.len() < total => format!("Found {} of {total} matches", shown.len()),
            _ => format!("Found {total} matches"),
        };
        for file in by_file(shown) {
            text.push_str("\n\n");
            text.push_str(file[0].path.as_str());
            for found in file {
                let _ = write!(text, "\nLine {}: {}", found.line_number, found.shown());
            }
        }
        if shown.len() < total {
            text.push_str(
                "\n\n(The complete result could not be saved; narrow pattern, path, or include to see more.)",
            );
        }
        Content::text(text)
    }
}

impl Present for Grep {
    type Meta = Option<SearchResult>;

    fn meta(&self, found: &FoundLines) -> Option<SearchResult> {
        let lines = found.shown().iter().map(|line| (line.path.as_str(), line.line_number, line.shown()));
        let matches = SearchMatches::new(lines, count(found.matches.len())).ok()?;
        Some(matches.within(SearchResult::META_BYTES).into())
    }

    fn call_view(&self) -> Option<CallView> {
        Some(search_card("Grep", &self.pattern, self.path.as_deref(), self.include.as_deref()))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        Some(search_card("Grep", partial.text("pattern")?, partial.text("path"), partial.text("include")))
    }

    fn result_view(&self, result: &Durable<'_, Self::Meta>) -> Option<ResultView> {
        result.card()
    }
}

/// The lines grouped by file; the files in the order in which they first occur.
fn by_file(lines: &[LineFound]) -> Vec<Vec<&LineFound>> {
    let mut files: Vec<Vec<&LineFound>> = Vec::new();
    let mut index = HashMap::new();
    for line in lines {
        let at = *index.entry(line.path.as_str()).or_insert_with(|| {
            files.push(Vec::new());
            files.len() - 1
        });
        files[at].push(line);
    }
    files
}
