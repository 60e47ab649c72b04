//! What a user interface draws: the cards, and how a tool makes them.
//!
//! A tool's [`Present`] projects its value to a small, typed meta, which the log keeps, and draws cards from the arguments
//! and from what the log keeps. So a card looks the same live and on replay, and the value, which no log keeps, is not
//! needed. [`Cards`](crate::Cards) draws them by the names of tools; it never fails: what can't be drawn as the tool would gets the
//! generic card.

pub use crate::card::{
    CallView, DiffCall, DiffHunk, DiffResult, Durable, DurableResult, Exit, FileMatches, GenericCall, GenericResult,
    InvalidCard, LineMatch, Location, MetaCard, NumberedLine, Older, Partial, ReadResult, ResultView, SearchMatches,
    SearchPaths, SearchResult, TerminalCall, TerminalResult, ToolKind, WebFetch, WebResult, WebSearch, WebSource,
};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json::{self, JsonText, JsonValue, LossyValue};
use crate::tool::{Presentation, Tool};

/// The user interface's projection of a call and its value: a meta that is typed, small, and kept in the log, and the cards
/// that are drawn from it.
///
/// Asked for with `#[tool(present)]`; without it a tool has no meta and the generic card. Like
/// [`Render`](crate::Render) it is pure: the same arguments and value give the same meta, and the same arguments and meta
/// the same cards.
///
/// ```
/// use tool_runtime::prelude::*;
/// use tool_runtime::present::{CallView, Durable, GenericCall, GenericResult, Partial, ResultView, ToolKind};
///
/// /// Count the words of a file.
/// #[derive(Tool)]
/// #[tool(output = usize, render = display, present)]
/// struct CountWords {
///     /// Path of the file.
///     path: String,
/// }
///
/// impl Present for CountWords {
///     type Meta = usize;
///
///     fn meta(&self, words: &usize) -> usize {
///         *words
///     }
///
///     fn call_view(&self) -> Option<CallView> {
///         Some(GenericCall::new(format!("Count the words of {}", self.path)).with_kind(ToolKind::Read).into())
///     }
///
///     fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
///         Some(GenericCall::new(format!("Count the words of {}", partial.so_far("path")?)).into())
///     }
///
///     fn result_view(&self, result: &Durable<'_, usize>) -> Option<ResultView> {
///         Some(GenericResult::new().with_title(format!("{}: {} words", self.path, result.meta()?)).into())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` asks for `present`, but does not say what a user interface gets",
    label = "no `impl Present for {Self}`",
    note = "write `impl Present for {Self}`, or drop `present` from `#[tool(…)]` to get the generic card"
)]
pub trait Present: AsksToPresent {
    /// What the cards are drawn from: what they show of the value, and no more of it. Where that is just what a card
    /// holds, the meta is the card.
    type Meta: Meta;

    /// The version of [`Self::Meta`], which the log keeps beside it. Who changes the type so that what was written before
    /// would be read wrongly, or not at all, counts it up, and says in [`migrate`](Self::migrate) what becomes of the old.
    const VERSION: u32 = 1;

    /// The meta of a value.
    fn meta(&self, value: &Self::Output) -> Self::Meta;

    /// The card of a call that runs. Without one, the generic card with the tool's name and the arguments.
    fn call_view(&self) -> Option<CallView> {
        None
    }

    /// The card of a call whose arguments still stream in. Without one, the generic card with the tool's name.
    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        let _ = partial;
        None
    }

    /// The card of a result. Without one, the title of the call with the result's content. It takes the place of the call's
    /// card.
    fn result_view(&self, result: &Durable<'_, Self::Meta>) -> Option<ResultView> {
        let _ = result;
        None
    }

    /// Today's meta for one that an older version wrote; without one, its result gets the generic card.
    ///
    /// ```
    /// # use tool_runtime::prelude::*;
    /// # use tool_runtime::present::Older;
    /// # /// Count.
    /// # #[derive(Tool)]
    /// # #[tool(output = u64, render = display, present)]
    /// # struct Count {}
    /// #[tool_output]
    /// struct Counted {
    ///     words: u64,
    ///     exact: bool,
    /// }
    ///
    /// impl Present for Count {
    ///     type Meta = Counted;
    ///     const VERSION: u32 = 2;
    ///
    ///     fn meta(&self, words: &u64) -> Counted {
    ///         Counted { words: *words, exact: true }
    ///     }
    ///
    ///     fn migrate(older: Older<'_>) -> Option<Counted> {
    ///         match older.version() {
    ///             1 => Some(Counted { words: older.read::<u64>()?, exact: false }),
    ///             _ => None,
    ///         }
    ///     }
    /// }
    /// ```
    fn migrate(older: Older<'_>) -> Option<Self::Meta> {
        let _ = older;
        None
    }
}

/// What a type needs to be [`Present::Meta`]: it goes into the log as JSON, and comes back for a card that replays.
///
/// It holds of every type that implements serde's `Serialize` and `Deserialize`; `#[tool_output]` derives both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the meta of a card: it can't be written as JSON and read again",
    label = "needs `Serialize` and `Deserialize`",
    note = "put `#[tool_output]` above the definition of `{Self}`, which derives both"
)]
pub trait Meta: Sized + Send + Sync + 'static {
    /// The meta as JSON.
    #[doc(hidden)]
    fn to_json(&self) -> Result<JsonText, LossyValue>;

    /// The meta that was written as this.
    #[doc(hidden)]
    fn from_json(json: &JsonValue) -> Option<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + Send + Sync + 'static> Meta for T {
    fn to_json(&self) -> Result<JsonText, LossyValue> {
        json::write(self)
    }

    fn from_json(json: &JsonValue) -> Option<Self> {
        json::decode(json).ok()
    }
}

/// A tool that asks for its presentation: `#[derive(Tool)]` implements it where `#[tool(…)]` has `present`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` says what a user interface gets, but does not ask for it",
    label = "`present` is missing in `#[tool(…)]`",
    note = "add `present` to `#[tool(…)]` of `{Self}`, or drop this `impl`: without the word nothing calls it"
)]
pub trait AsksToPresent: Tool {}

/// A tool with a presentation of its own: every type with an `impl Present`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` asks for `present`, but does not say what a user interface gets",
    label = "no `impl Present for {Self}`",
    note = "write `impl Present for {Self}`, or drop `present` from `#[tool(…)]` to get the generic card"
)]
pub trait HasPresentation: Tool {
    /// Named by generated code, which so asks for the trait in the fewest words.
    #[doc(hidden)]
    const META: Presentation<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Present> HasPresentation for T {
    const META: Presentation<Self> = Presentation {
        meta: |arguments, value| arguments.meta(value).to_json(),
        version: T::VERSION,
        call_view: T::call_view,
        pending_view: T::pending_view,
        result_view: drawn,
    };
}

/// The card of a result, from its meta in today's type. Meta that is none of it, or of a version that is not known, has no
/// card.
fn drawn<T: Present>(arguments: &T, result: &DurableResult<'_>) -> Option<ResultView> {
    let content = result.content();
    if result.is_error() {
        return arguments.result_view(&Durable::failure(content));
    }
    let meta = match result.versioned_meta() {
        None => None,
        Some((json, version)) if version == T::VERSION => Some(T::Meta::from_json(json)?),
        Some((json, version)) if version < T::VERSION => Some(T::migrate(Older::new(version, json))?),
        Some(_) => return None,
    };
    arguments.result_view(&Durable::success(content, meta.as_ref()))
}

impl<T: HasPresentation> Presentation<T> {
    /// The type's own [`Present`].
    #[doc(hidden)]
    pub const fn of() -> Self {
        T::META
    }
}
