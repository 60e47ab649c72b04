//! `read`: a window of a text file.

use super::background::in_background;
use super::touched::key;
use super::{envelope, given, is_envelope};
use crate::failure::Failure;
use crate::window::MAX_LINES;
use crate::workspace::Workspace;
use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::path::Path;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, GenericCall, Location, Partial, ReadResult, ResultView, ToolKind};
use tool_runtime::serde::Serialize;

/// Read a UTF-8 text file, a window of lines at a time.
///
/// Every line comes with its number. A window holds at most 2000 lines and 51200 bytes; a longer line is cut after 2000
/// characters. The last line of the result says how to go on. A file must be read before write or edit may change it.
#[derive(Clone, Debug, Serialize, Tool)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = FileView, failure = Failure, present, read_only, idempotent, resources, canonical)]
pub struct Read {
    /// Path of the file, absolute or relative to the workspace.
    #[schemars(length(min = 1))]
    #[tool(canonical)]
    pub path: String,
    /// First line to show, counted from 1. The first if not given.
    #[schemars(range(min = 1))]
    #[tool(canonical)]
    pub offset: Option<u32>,
    /// How many lines to show at most. 2000 if not given.
    #[schemars(range(min = 1, max = 2000))]
    #[tool(canonical)]
    pub limit: Option<u32>,
}

/// A window of a file.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct FileView {
    /// Path from the root of the workspace.
    pub path: String,
    /// The first line that was asked for, counted from 1.
    #[schemars(range(min = 1))]
    pub offset: u32,
    /// The lines, as many as fit.
    pub lines: Vec<FileLine>,
    /// How many lines the whole file has.
    pub total_lines: u32,
}

/// A line of a file.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    /// Its number, counted from 1.
    #[schemars(range(min = 1))]
    pub number: u32,
    /// Its text, without its line break.
    pub text: String,
}

impl Read {
    fn offset(&self) -> u32 {
        self.offset.unwrap_or(1)
    }

    fn limit(&self) -> u32 {
        self.limit.unwrap_or(MAX_LINES)
    }

    /// What there is behind the window, and how to get it.
    fn footer(&self, view: &FileView) -> String {
        let (Some(first), Some(last)) = (view.lines.first(), view.lines.last()) else {
            return format!("(End of file - total {} lines)", view.total_lines);
        };
        let (first, last, total) = (first.number, last.number, view.total_lines);
        let next = last.saturating_add(1);
        let asked = view.offset.saturating_add(self.limit().saturating_sub(1)).min(total);
        if last < asked {
            format!("(Output capped. Showing lines {first}-{last}. Use offset={next} to continue.)")
        } else if last < total {
            format!("(Showing lines {first}-{last} of {total}. Use offset={next} to continue.)")
        } else {
            format!("(End of file - total {total} lines)")
        }
    }
}

impl Resources for Read {
    fn resources(&self) -> Vec<Access> {
        vec![Access::read(key(&self.path))]
    }
}

impl Execute<Workspace> for Read {
    async fn execute(&self, cx: &Context<Workspace>) -> Result<FileView, ToolError> {
        let (path, offset, limit) = (self.path.clone(), self.offset(), self.limit());
        let (path, window) = in_background(cx, move |workspace, stop| {
            given(&path)?;
            workspace.read(&path, offset, limit, stop)
        })
        .await?;
        let lines = window.lines.into_iter().map(|(number, text)| FileLine { number, text }).collect();
        Ok(FileView { path, offset, lines, total_lines: window.total_lines })
    }
}

impl Render for Read {
    fn render(&self, view: &FileView) -> Content {
        let mut body = String::new();
        for line in &view.lines {
            let _ = writeln!(body, "{}: {}", line.number, line.text);
        }
        if !body.is_empty() {
            body.push('\n');
        }
        body.push_str(&self.footer(view));
        envelope(&view.path, &body)
    }
}

impl Present for Read {
    /// None of a value that is no window, which a policy may have put in place.
    type Meta = Option<ReadResult>;

    fn meta(&self, view: &FileView) -> Option<ReadResult> {
        let lines = view.lines.iter().map(|line| (line.number, line.text.as_str()));
        let window = ReadResult::new(view.path.as_str(), view.offset, view.total_lines, lines).ok()?;
        Some(match language(&view.path) {
            Some(lang) => window.with_lang(lang),
            None => window,
        })
    }

    fn call_view(&self) -> Option<CallView> {
        Some(card(&self.path, self.offset, self.limit))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        Some(card(partial.text("path")?, partial.get("offset"), partial.get("limit")))
    }

    /// The lines, unless a policy let the model read something else in their place.
    fn result_view(&self, result: &Durable<'_, Self::Meta>) -> Option<ResultView> {
        is_envelope(result.content()).then(|| result.card()).flatten()
    }
}

/// The card of a read that runs: which lines of which file.
fn card(path: &str, offset: Option<u32>, limit: Option<u32>) -> CallView {
    let mut title = format!("Read {path}");
    let first = offset.unwrap_or(1);
    match limit {
        Some(limit) => {
            let _ = write!(title, " ({first} - {})", first.saturating_add(limit.saturating_sub(1)));
        }
        None if first > 1 => {
            let _ = write!(title, " (from line {first})");
        }
        None => {}
    }
    let location = Location::new(path).at_line(offset.and_then(NonZeroU32::new));
    GenericCall::new(title).with_kind(ToolKind::Read).with_location(location).into()
}

/// The language of a file, by its extension. What only starts with a dot has none.
fn language(path: &str) -> Option<&'static str> {
    let extension = Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "c" | "h" => "c",
        "cc" | "cpp" | "cxx" | "hpp" => "cpp",
        "cs" => "csharp",
        "css" => "css",
        "go" => "go",
        "htm" | "html" => "html",
        "java" => "java",
        "cjs" | "js" | "mjs" => "js",
        "json" => "json",
        "jsx" => "jsx",
        "kt" => "kotlin",
        "lua" => "lua",
        "markdown" | "md" => "markdown",
        "php" => "php",
        "py" => "python",
        "rb" => "ruby",
        "rs" => "rust",
        "bash" | "sh" => "bash",
        "sql" => "sql",
        "swift" => "swift",
        "toml" => "toml",
        "cts" | "mts" | "ts" => "ts",
        "tsx" => "tsx",
        "xml" => "xml",
        "yaml" | "yml" => "yaml",
        _ => return None,
    })
}
