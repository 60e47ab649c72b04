//! The file tools. They share a [`Workspace`] as their state.

mod background;
mod edit;
mod glob;
mod grep;
mod page;
mod read;
mod touched;
mod write;

pub use edit::{Edit, Edited};
pub use glob::{FoundFiles, Glob};
pub use grep::{FoundLines, Grep, LineFound};
pub use read::{FileLine, FileView, Read};
pub use write::{Operation, Write, Written};

use crate::diff::hunks;
use crate::failure::Failure;
use crate::workspace::Workspace;
use tool_runtime::present::{DiffHunk, DiffResult};
use tool_runtime::{Content, RegistrationError, Registry, toolset};

/// A registry of the five tools on one workspace.
///
/// # Errors
/// If one of them broke its contract; a test holds that none does.
pub fn file_tools(workspace: Workspace) -> Result<Registry, RegistrationError> {
    toolset! { workspace => [Read, Write, Edit, Glob, Grep] }
}

/// The form in which a file, or word of it, is shown to a model.
fn envelope(path: &str, body: &str) -> Content {
    Content::text(format!("<path>{path}</path>\n<type>file</type>\n<content>\n{body}\n</content>"))
}

/// What a change of a file looks like, one diff a hunk. There is none for a new file, which has no old text to compare.
fn diffs(path: &str, before: Option<&str>, after: &str) -> DiffResult {
    let hunks = before.map(|before| hunks(before, after)).unwrap_or_default();
    let diff = |hunk: crate::diff::Hunk| DiffHunk { path: path.to_owned(), old_text: hunk.old, new_text: hunk.new };
    DiffResult { title: None, diffs: hunks.into_iter().map(diff).collect() }
}

/// Asks for a path that says something.
fn given(path: &str) -> Result<(), Failure> {
    if path.trim().is_empty() { Err(Failure::InvalidArguments("path must be a non-empty string")) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
