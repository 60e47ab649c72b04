//! Where what is too large for the model is kept.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::definition::BoxFuture;

/// Keeps what is too large to be read at once, and gives a locator for it.
///
/// The dispatcher saves the whole text of an oversized result ([`Dispatcher::spill`](crate::Dispatcher::spill)); a body may
/// write a stream as it comes ([`Context::open_spill`](crate::Context::open_spill)). The same bytes from the same source get
/// the same locator, so that what is done again leaves nothing new behind.
///
/// A store that fails or panics, or takes longer than [`Limits::spill_time`](crate::Limits), fails no call: the result then
/// stays inline, within the hard limit.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no spill store",
    label = "no `impl SpillStore for {Self}`",
    note = "`spill::FileSpill` (feature `spill`) keeps files in a directory of yours"
)]
pub trait SpillStore: Send + Sync + 'static {
    /// What a stream is written with.
    type Writer: SpillWriter;

    /// Its name, in traces.
    fn name(&self) -> &str;

    /// Begins to keep something whose size is not known yet.
    ///
    /// # Errors
    /// If nothing can be kept.
    fn open(&self, source: &SpillSource<'_>) -> impl Future<Output = Result<Self::Writer, SpillError>> + Send;

    /// Keeps a whole text.
    ///
    /// # Errors
    /// If it can't be kept; nothing is then left of it.
    fn save(&self, source: &SpillSource<'_>, text: &str) -> impl Future<Output = Result<Spilled, SpillError>> + Send {
        async move {
            let mut writer = self.open(source).await?;
            SpillWriter::write(&mut writer, text.as_bytes()).await?;
            SpillWriter::finish(writer).await
        }
    }
}

/// Writes a stream into a [`SpillStore`]. One that is dropped before it is finished leaves nothing behind.
pub trait SpillWriter: Send + 'static {
    /// Writes the next bytes.
    ///
    /// # Errors
    /// If they can't be kept. The writer is then of no more use.
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = Result<(), SpillError>> + Send;

    /// Ends the stream, and says where it is.
    ///
    /// # Errors
    /// If it can't be kept; nothing is then left of it.
    fn finish(self) -> impl Future<Output = Result<Spilled, SpillError>> + Send;
}

/// Whose text is kept, and under which name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpillSource<'a> {
    session: &'a str,
    tool_name: &'a str,
    call_id: &'a str,
    name: &'a str,
}

impl<'a> SpillSource<'a> {
    /// A text of this call of this tool in this session; `name` is how a person would name it, `stdout.txt` say.
    pub const fn new(session: &'a str, tool_name: &'a str, call_id: &'a str, name: &'a str) -> Self {
        Self { session, tool_name, call_id, name }
    }

    /// The session that owns it.
    pub fn session(&self) -> &'a str {
        self.session
    }

    /// The name under which the tool was called.
    pub fn tool_name(&self) -> &'a str {
        self.tool_name
    }

    /// The caller's id of the call.
    pub fn call_id(&self) -> &'a str {
        self.call_id
    }

    /// The suggested name. It may hold anything, a path for one: a store makes it safe.
    pub fn name(&self) -> &'a str {
        self.name
    }
}

/// Where something is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spilled {
    locator: String,
    hint: String,
    bytes: u64,
}

impl Spilled {
    /// Kept at this locator. The hint is a sentence for the model that says how to get at parts of it; empty, if there is
    /// nothing to say.
    pub fn new(locator: impl Into<String>, hint: impl Into<String>, bytes: u64) -> Self {
        Self { locator: locator.into(), hint: hint.into(), bytes }
    }

    /// Where it is: a path, a URL, whatever the store and the tools that read from it agree on.
    pub fn locator(&self) -> &str {
        &self.locator
    }

    /// How the model gets at parts of it.
    pub fn hint(&self) -> &str {
        &self.hint
    }

    /// How many bytes were kept.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Why something is not kept. In words for the host: the model reads only that it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpillError {
    /// The dispatcher has no store.
    NoStore,
    /// The call has secrets, and what a stream holds is not searched for them.
    HoldsSecrets,
    /// This one has more bytes than one may have.
    TooLarge {
        /// The most, in bytes.
        limit: u64,
    },
    /// The store is full.
    Full {
        /// The most that it holds, in bytes.
        quota: u64,
    },
    /// Something stands in its place that is not it.
    Refused(String),
    /// The store failed.
    Failed(String),
}

impl fmt::Display for SpillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStore => f.write_str("there is no spill store: give the dispatcher one with `spill`"),
            Self::HoldsSecrets => f.write_str("a call with secrets keeps nothing whole: what it printed may hold them"),
            Self::TooLarge { limit } => write!(f, "it has more than {limit} bytes, the most that is kept of one text"),
            Self::Full { quota } => write!(f, "the spill store is full: it holds at most {quota} bytes"),
            Self::Refused(why) | Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for SpillError {}

/// A store that others hold too.
impl<T: SpillStore> SpillStore for Arc<T> {
    type Writer = T::Writer;

    fn name(&self) -> &str {
        T::name(self)
    }

    fn open(&self, source: &SpillSource<'_>) -> impl Future<Output = Result<Self::Writer, SpillError>> + Send {
        T::open(self, source)
    }

    fn save(&self, source: &SpillSource<'_>, text: &str) -> impl Future<Output = Result<Spilled, SpillError>> + Send {
        T::save(self, source, text)
    }
}

/// A store of any type.
pub(crate) trait ErasedSpillStore: Send + Sync {
    fn name(&self) -> &str;
    fn save<'a>(&'a self, source: &'a SpillSource<'a>, text: &'a str) -> BoxFuture<'a, Result<Spilled, SpillError>>;
    fn open<'a>(&'a self, source: &'a SpillSource<'a>)
    -> BoxFuture<'a, Result<Box<dyn ErasedSpillWriter>, SpillError>>;
}

/// A writer of any type.
pub(crate) trait ErasedSpillWriter: Send {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), SpillError>>;
    fn finish(self: Box<Self>) -> BoxFuture<'static, Result<Spilled, SpillError>>;
}

impl<T: SpillStore> ErasedSpillStore for T {
    fn name(&self) -> &str {
        SpillStore::name(self)
    }

    fn save<'a>(&'a self, source: &'a SpillSource<'a>, text: &'a str) -> BoxFuture<'a, Result<Spilled, SpillError>> {
        Box::pin(SpillStore::save(self, source, text))
    }

    fn open<'a>(
        &'a self,
        source: &'a SpillSource<'a>,
    ) -> BoxFuture<'a, Result<Box<dyn ErasedSpillWriter>, SpillError>> {
        Box::pin(async move {
            let writer: Box<dyn ErasedSpillWriter> = Box::new(SpillStore::open(self, source).await?);
            Ok(writer)
        })
    }
}

impl<W: SpillWriter> ErasedSpillWriter for W {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), SpillError>> {
        Box::pin(SpillWriter::write(self, bytes))
    }

    fn finish(self: Box<Self>) -> BoxFuture<'static, Result<Spilled, SpillError>> {
        Box::pin(SpillWriter::finish(*self))
    }
}
