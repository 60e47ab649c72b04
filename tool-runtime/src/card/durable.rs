//! What a card of a result is drawn from: what the log keeps of it.

use serde::de::DeserializeOwned;

use super::{
    DiffResult, GenericResult, ReadResult, ResultView, SearchMatches, SearchPaths, SearchResult, TerminalResult,
    WebFetch, WebResult, WebSearch,
};
use crate::content::Content;
use crate::json::{self, JsonValue};

/// What the log keeps of a result: its content, whether it is an error, and the meta with its version. Cards are drawn from
/// it, live and on replay alike.
///
/// ```
/// use tool_runtime::{Content, present::DurableResult};
///
/// let (content, meta) = (Content::text("2 lines"), serde_json::json!({"lines": 2}));
/// let kept = DurableResult::success(&content).with_meta(&meta, 1);
/// assert_eq!(kept.meta(), Some(&meta));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DurableResult<'a> {
    content: &'a Content,
    is_error: bool,
    meta: Option<(&'a JsonValue, u32)>,
}

impl<'a> DurableResult<'a> {
    /// A success.
    pub const fn success(content: &'a Content) -> Self {
        Self { content, is_error: false, meta: None }
    }

    /// A failure.
    pub const fn failure(content: &'a Content) -> Self {
        Self { content, is_error: true, meta: None }
    }

    /// The same result with its meta, and the version of the meta's type. The meta of a failure goes unseen.
    #[must_use]
    pub const fn with_meta(mut self, meta: &'a JsonValue, version: u32) -> Self {
        self.meta = Some((meta, version));
        self
    }

    /// What the model read.
    pub fn content(&self) -> &'a Content {
        self.content
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The meta, of a success that has any.
    pub fn meta(&self) -> Option<&'a JsonValue> {
        self.versioned_meta().map(|(meta, _)| meta)
    }

    /// The meta and the version of its type.
    pub(crate) fn versioned_meta(&self) -> Option<(&'a JsonValue, u32)> {
        self.meta.filter(|_| !self.is_error)
    }
}

/// What a tool's [`Present::result_view`](crate::Present::result_view) sees of a result: what the log keeps, with the meta
/// in its type.
///
/// A failure has no meta. A success may lack it too: what was too large for the log was left out.
#[derive(Clone, Copy, Debug)]
pub struct Durable<'a, M> {
    content: &'a Content,
    is_error: bool,
    meta: Option<&'a M>,
}

impl<'a, M> Durable<'a, M> {
    /// A success, with its meta if there is one; for tests of a presentation, mostly.
    pub const fn success(content: &'a Content, meta: Option<&'a M>) -> Self {
        Self { content, is_error: false, meta }
    }

    /// A failure.
    pub const fn failure(content: &'a Content) -> Self {
        Self { content, is_error: true, meta: None }
    }

    /// What the model read.
    pub fn content(&self) -> &'a Content {
        self.content
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The meta; none of a failure.
    pub fn meta(&self) -> Option<&'a M> {
        self.meta
    }

    /// The card that the meta is, where it is one: the whole `result_view` of such a tool.
    pub fn card(&self) -> Option<ResultView>
    where
        M: MetaCard,
    {
        self.meta.and_then(MetaCard::to_view)
    }
}

/// A meta that is a card itself: each card of a result, or an `Option` of one where a value may be such that no card fits.
pub trait MetaCard {
    /// The card, if there is one.
    fn to_view(&self) -> Option<ResultView>;
}

macro_rules! meta_cards {
    ($($card:ty),* $(,)?) => {$(
        impl MetaCard for $card {
            fn to_view(&self) -> Option<ResultView> {
                Some(self.clone().into())
            }
        }
    )*};
}

meta_cards![
    DiffResult,
    GenericResult,
    ReadResult,
    ResultView,
    SearchMatches,
    SearchPaths,
    SearchResult,
    TerminalResult,
    WebFetch,
    WebResult,
    WebSearch,
];

impl<C: MetaCard> MetaCard for Option<C> {
    fn to_view(&self) -> Option<ResultView> {
        self.as_ref().and_then(MetaCard::to_view)
    }
}

/// Meta that was written when its type was another: what [`Present::migrate`](crate::Present::migrate) is given.
#[derive(Clone, Copy, Debug)]
pub struct Older<'a> {
    version: u32,
    meta: &'a JsonValue,
}

impl<'a> Older<'a> {
    pub(crate) fn new(version: u32, meta: &'a JsonValue) -> Self {
        Self { version, meta }
    }

    /// The version of its type, less than today's.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The meta in the type that it had then; `None` if it is none of that type.
    pub fn read<M: DeserializeOwned>(&self) -> Option<M> {
        json::decode(self.meta).ok()
    }

    /// The meta as it is.
    pub fn as_json(&self) -> &'a JsonValue {
        self.meta
    }
}
