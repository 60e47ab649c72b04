//! How an error reads.

use crate::content::Content;
use crate::error::ToolError;

/// How an error reads to the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextProfile {
    /// `Error [FS_NOT_FOUND]: cannot read "a": not found`: the model can act on the code.
    #[default]
    Coded,
    /// `Error: cannot read "a": not found`.
    Plain,
}

impl TextProfile {
    /// The content of a failure. The model reads nothing of one that ends the run.
    pub(super) fn content(self, error: &ToolError) -> Content {
        if error.is_fatal() {
            return Content::default();
        }
        Content::text(match self {
            Self::Coded => format!("Error [{}]: {}", error.code(), error.message()),
            Self::Plain => format!("Error: {}", error.message()),
        })
    }
}
