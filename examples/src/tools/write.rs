//! `write`: a whole file.

use super::background::in_background;
use super::touched::key;
use super::{Changes, envelope, given};
use crate::failure::{Action, Failure};
use crate::workspace::Workspace;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, DiffCall, DiffHunk, DiffResult, Durable, Location, Partial, ResultView};
use tool_runtime::serde::Serialize;

/// Create a file, or replace the whole text of one.
///
/// A file that exists must have been read before, and be unchanged since. Directories that a new file needs are made.
#[derive(Clone, Debug, Serialize, Tool)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = Written, failure = Failure, present, destructive, resources, canonical)]
pub struct Write {
    /// Path of the file, absolute or relative to the workspace.
    #[schemars(length(min = 1))]
    #[tool(canonical)]
    pub path: String,
    /// The file's whole new text.
    #[tool(canonical = skip)]
    pub content: String,
}

/// A file that was written.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Path from the root of the workspace.
    pub path: String,
    /// Whether there was a file before.
    pub operation: Operation,
    /// The text before; null for a new file.
    pub before: Option<String>,
    /// The text now.
    pub after: String,
}

/// What a write did.
#[tool_output]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// It made a new file.
    Create,
    /// It replaced the text of a file.
    Update,
}

impl Resources for Write {
    fn resources(&self) -> Vec<Access> {
        vec![Access::write(key(&self.path))]
    }
}

impl Execute<Workspace> for Write {
    async fn execute(&self, cx: &Context<Workspace>) -> Result<Written, ToolError> {
        let (path, content) = (self.path.clone(), self.content.clone());
        let replaced = in_background(cx, move |workspace, stop| {
            given(&path)?;
            workspace.replace(Action::Write, &path, stop, |_| Ok(content))
        })
        .await?;
        let operation = if replaced.before.is_some() { Operation::Update } else { Operation::Create };
        Ok(Written { path: replaced.path, operation, before: replaced.before, after: replaced.after })
    }
}

impl Render for Write {
    fn render(&self, written: &Written) -> Content {
        let done = match written.operation {
            Operation::Create => "Created file",
            Operation::Update => "Updated file",
        };
        envelope(&written.path, done)
    }
}

impl Present for Write {
    type Meta = Changes;

    fn meta(&self, written: &Written) -> Changes {
        Changes::of(&written.path, written.before.as_deref(), &written.after)
    }

    fn call_view(&self) -> Option<CallView> {
        Some(card(&self.path, &self.content))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        Some(card(partial.text("path")?, partial.so_far("content").unwrap_or_default()))
    }

    /// What was changed; the whole text, where nothing is known of the one before.
    fn result_view(&self, result: &Durable<'_, Changes>) -> Option<ResultView> {
        if result.is_error() {
            return None;
        }
        let whole = || DiffResult::new(DiffHunk::whole(self.path.as_str(), self.content.as_str())).into();
        Some(Changes::card(result).unwrap_or_else(whole))
    }
}

fn card(path: &str, content: &str) -> CallView {
    let diff = DiffHunk::whole(path, content);
    DiffCall::new(format!("Write {path}"), diff).with_location(Location::new(path)).into()
}
