//! What a user interface draws: presentation meta, and the closed vocabulary of cards.

mod card;

pub use card::{
    CallView, DiffCall, DiffHunk, DiffResult, Exit, FileMatches, GenericCall, GenericResult, LineMatch, Location,
    NumberedLine, ReadResult, ResultView, SearchMatches, SearchPaths, SearchResult, TerminalCall, TerminalResult,
    ToolKind, WebFetch, WebResult, WebSearch, WebSource,
};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json::{self, JsonText, LossyValue};
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
    type Meta: Meta;

    /// The meta of a value.
    fn meta(&self, value: &Self::Output) -> Self::Meta;
}

/// What a type needs to be [`Present::Meta`]: it goes into the log as JSON, and comes back for a card that replays.
///
/// It holds of every type that implements serde's `Serialize` and `Deserialize`; `#[tool_output]` derives both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the meta of a card: it can't be written as JSON and read again",
    label = "needs `Serialize` and `Deserialize`",
    note = "put `#[tool_output]` above the definition of `{Self}`, which derives both"
)]
pub trait Meta: Send + Sync + 'static {
    /// The meta as JSON.
    #[doc(hidden)]
    fn to_json(&self) -> Result<JsonText, LossyValue>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + Send + Sync + 'static> Meta for T {
    fn to_json(&self) -> Result<JsonText, LossyValue> {
        json::write(self)
    }
}

/// A tool with a presentation of its own: every type with an `impl Present`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` asks for `present`, but does not say what a user interface gets",
    label = "no `impl Present for {Self}`",
    note = "write `impl Present for {Self}`, or drop `present` from `#[tool(…)]` to get the generic card"
)]
pub trait HasPresentation: Tool {
    /// Named by generated code, which so asks for the trait in the fewest words.
    #[doc(hidden)]
    const META: fn(&Self, &Self::Output) -> Result<JsonText, LossyValue>;
}

#[diagnostic::do_not_recommend]
impl<T: Present> HasPresentation for T {
    const META: fn(&Self, &Self::Output) -> Result<JsonText, LossyValue> =
        |arguments, value| arguments.meta(value).to_json();
}

impl<T: HasPresentation> Presentation<T> {
    /// The type's own [`Present`].
    #[doc(hidden)]
    pub const fn of() -> Self {
        Self::new(T::META)
    }
}
