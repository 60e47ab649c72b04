//! What a user interface draws: presentation meta, and the closed vocabulary of cards.

mod card;

pub use card::{
    CallView, DiffCall, DiffHunk, DiffResult, Exit, FileMatches, GenericCall, GenericResult, LineMatch, Location,
    NumberedLine, ReadResult, ResultView, SearchMatches, SearchPaths, SearchResult, TerminalCall, TerminalResult,
    ToolKind, WebFetch, WebResult, WebSearch, WebSource,
};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json;
use crate::tool::{Presentation, Tool};

/// The user interface's projection of a value: typed, small, and kept in the log so that cards replay.
///
/// Asked for with `#[tool(present)]`; without it a tool has no meta and the generic card. Like
/// [`Render`](crate::Render) it is pure: the same arguments and value give the same meta.
#[diagnostic::on_unimplemented(
    message = "`{Self}` asks for `present`, but does not say what a user interface gets",
    label = "no `impl Present for {Self}`",
    note = "write `impl Present for {Self}`, or drop `present` from `#[tool(…)]` to get the generic card"
)]
pub trait Present: Tool {
    /// What the cards are drawn from: what they show of the value, and no more of it.
    type Meta: Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The meta of a value.
    fn meta(&self, value: &Self::Output) -> Self::Meta;
}

impl<T: Present> Presentation<T> {
    /// The type's own [`Present`].
    #[doc(hidden)]
    pub const fn of() -> Self {
        Self::new(|arguments, value| json::write(&arguments.meta(value)))
    }
}
