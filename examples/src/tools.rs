//! The file tools and [`Bash`], which share a [`Workspace`] as their state, and [`SqlQuery`], whose state is a
//! [`Database`](crate::database::Database).

mod background;
#[cfg(unix)]
mod bash;
mod edit;
mod glob;
mod grep;
mod page;
mod read;
mod sql_query;
mod touched;
mod write;

#[cfg(unix)]
pub use bash::{Bash, Ran, RanExit, RanStream};
pub use edit::{Edit, Edited};
pub use glob::{FoundFiles, Glob};
pub use grep::{FoundLines, Grep, LineFound};
pub use read::{FileLine, FileView, Read};
pub use sql_query::{QueryRows, SqlCell, SqlQuery};
pub use write::{Operation, Write, Written};

use crate::diff::hunks;
use crate::failure::Failure;
use crate::workspace::Workspace;
use tool_runtime::present::{DiffHunk, DiffResult, Durable, ResultView};
use tool_runtime::serde::{Deserialize, Serialize};
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

/// Whether the model reads such a form, and not what a policy put in its place.
fn is_envelope(content: &Content) -> bool {
    let text = content.to_text();
    text.starts_with("<path>") && text.ends_with("</content>")
}

/// What a change of a file looks like, one diff a hunk. There is none for a new file, which has no old text to compare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "tool_runtime::serde")]
pub struct Changes {
    diffs: Vec<DiffHunk>,
}

impl Changes {
    fn of(path: &str, before: Option<&str>, after: &str) -> Self {
        let hunks = before.map(|before| hunks(before, after)).unwrap_or_default();
        let diff = |hunk: crate::diff::Hunk| match hunk.old {
            Some(old) => DiffHunk::change(path, old, hunk.new),
            None => DiffHunk::whole(path, hunk.new),
        };
        Self { diffs: hunks.into_iter().map(diff).collect() }
    }

    /// The card of a change, if there is any.
    fn card(result: &Durable<'_, Self>) -> Option<ResultView> {
        let diffs = result.meta()?.diffs.clone();
        DiffResult::of(diffs).ok().map(ResultView::from)
    }
}

/// Asks for a path that says something.
fn given(path: &str) -> Result<(), Failure> {
    if path.trim().is_empty() { Err(Failure::InvalidArguments("path must be a non-empty string")) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
