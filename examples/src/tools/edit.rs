//! `edit`: a piece of a file's text.

use super::background::in_background;
use super::touched::key;
use super::{Changes, given};
use crate::failure::{Action, Failure};
use crate::workspace::Workspace;
use std::borrow::Cow;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, DiffCall, DiffHunk, Durable, Location, Partial, ResultView};
use tool_runtime::serde::Serialize;

/// Replace a piece of a file's text.
///
/// The file must have been read before, and be unchanged since. The old text must occur exactly once, unless all
/// occurrences are to be replaced.
#[derive(Clone, Debug, Serialize, Tool)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = Edited, failure = Failure, present, destructive, resources, canonical)]
pub struct Edit {
    /// Path of the file, absolute or relative to the workspace.
    #[schemars(length(min = 1))]
    #[tool(canonical)]
    pub path: String,
    /// The text to replace, exactly as the file has it, without line numbers.
    #[schemars(length(min = 1))]
    #[tool(canonical = skip)]
    pub old_string: String,
    /// The text to put in its place.
    #[tool(canonical = skip)]
    pub new_string: String,
    /// Replace every occurrence. False if not given.
    #[tool(canonical = skip)]
    pub replace_all: Option<bool>,
}

/// A file that was edited.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// Path from the root of the workspace.
    pub path: String,
    /// The text before.
    pub before: String,
    /// The text now.
    pub after: String,
}

impl Edit {
    fn replaces_all(&self) -> bool {
        self.replace_all.unwrap_or(false)
    }
}

impl Resources for Edit {
    fn resources(&self) -> Vec<Access> {
        vec![Access::write(key(&self.path))]
    }
}

impl Execute<Workspace> for Edit {
    async fn execute(&self, cx: &Context<Workspace>) -> Result<Edited, ToolError> {
        let path = self.path.clone();
        let change = Change { old: self.old_string.clone(), new: self.new_string.clone(), all: self.replaces_all() };
        let replaced = in_background(cx, move |workspace, stop| {
            given(&path)?;
            change.check()?;
            workspace.replace(Action::Edit, &path, stop, |before| match before {
                Some(before) => change.apply(&path, before),
                None => Err(Failure::not_found(Action::Edit, &path)),
            })
        })
        .await?;
        Ok(Edited { path: replaced.path, before: replaced.before.unwrap_or_default(), after: replaced.after })
    }
}

impl Render for Edit {
    fn render(&self, edited: &Edited) -> Content {
        let path = &edited.path;
        Content::text(if self.replaces_all() {
            format!("The file {path} has been updated. All occurrences were successfully replaced.")
        } else {
            format!("The file {path} has been updated successfully.")
        })
    }
}

impl Present for Edit {
    type Meta = Changes;

    fn meta(&self, edited: &Edited) -> Changes {
        Changes::of(&edited.path, Some(&edited.before), &edited.after)
    }

    fn call_view(&self) -> Option<CallView> {
        Some(card(&self.path, &self.old_string, &self.new_string))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        let new = partial.so_far("new_string").unwrap_or_default();
        Some(card(partial.text("path")?, partial.text("old_string")?, new))
    }

    fn result_view(&self, result: &Durable<'_, Changes>) -> Option<ResultView> {
        Changes::card(result)
    }
}

fn card(path: &str, old: &str, new: &str) -> CallView {
    let diff = DiffHunk::change(path, old, new);
    DiffCall::new(format!("Edit {path}"), diff).with_location(Location::new(path)).into()
}

struct Change {
    old: String,
    new: String,
    all: bool,
}

impl Change {
    fn check(&self) -> Result<(), Failure> {
        if self.old.is_empty() {
            return Err(Failure::InvalidArguments("old_string must be a non-empty string"));
        }
        if self.old == self.new {
            return Err(Failure::InvalidArguments("old_string and new_string must differ"));
        }
        Ok(())
    }

    fn apply(&self, path: &str, before: &str) -> Result<String, Failure> {
        let (old, new) = (with_line_breaks_of(before, &self.old), with_line_breaks_of(before, &self.new));
        match before.matches(&*old).count() {
            0 => Err(Failure::EditNotFound { path: path.to_owned() }),
            count if count > 1 && !self.all => Err(Failure::AmbiguousEdit { path: path.to_owned(), count }),
            _ => Ok(before.replace(&*old, &new)),
        }
    }
}

/// A text with `\r\n` for its line breaks where the file has no others. Whoever read the file saw none of these `\r`,
/// and can't be expected to write them.
fn with_line_breaks_of<'a>(file: &str, text: &'a str) -> Cow<'a, str> {
    let breaks = file.matches('\n').count();
    if breaks > 0 && breaks == file.matches("\r\n").count() {
        Cow::Owned(text.replace("\r\n", "\n").replace('\n', "\r\n"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(before: &str, old: &str, new: &str, all: bool) -> Result<String, Failure> {
        Change { old: old.into(), new: new.into(), all }.apply("f", before)
    }

    #[test]
    fn one_occurrence_is_replaced_and_more_only_on_request() {
        assert_eq!(apply("abc", "b", "x", false).as_deref(), Ok("axc"));
        assert_eq!(apply("abab", "b", "", true).as_deref(), Ok("aa"));
        let failure = apply("abab", "b", "x", false).unwrap_err();
        assert_eq!(
            failure.to_string(),
            "old_string matched 2 times in \"f\"; provide a more specific old_string or set replace_all to true"
        );
        assert_eq!(apply("abc", "d", "x", true).unwrap_err().code(), "FS_EDIT_NOT_FOUND");
    }

    #[test]
    fn the_line_breaks_of_the_file_stay() {
        assert_eq!(apply("a\r\nb\r\nc", "a\nb", "x\ny", false).as_deref(), Ok("x\r\ny\r\nc"));
        assert_eq!(apply("a\r\nb\r\n", "a\r\n", "x\r\n", false).as_deref(), Ok("x\r\nb\r\n"));
        assert_eq!(apply("a\r\nb\n", "a\nb", "x", false).unwrap_err().code(), "FS_EDIT_NOT_FOUND");
        assert_eq!(apply("a\nb", "b", "c\r\n", false).as_deref(), Ok("a\nc\r\n"));
    }
}
