//! `write`: a whole file.

use super::background::in_background;
use super::touched::key;
use super::{diffs, envelope, given};
use crate::failure::{Action, Failure};
use crate::workspace::Workspace;
use tool_runtime::prelude::*;
use tool_runtime::present::DiffResult;
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
    type Meta = DiffResult;

    fn meta(&self, written: &Written) -> DiffResult {
        diffs(&written.path, written.before.as_deref(), &written.after)
    }
}
