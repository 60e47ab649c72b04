//! What goes wrong with a session's log, for the host. The model is told of [`Code::LOG_FAILED`](crate::Code) alone.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::frame::MAX_RECORD_BYTES;

/// The version of the log's format that this crate reads and writes.
pub const FORMAT_VERSION: u64 = 1;

/// Why something could not be done with a session.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SessionError {
    /// The store did not take or give the records.
    Store(StoreError),
    /// The bytes are no log that can be read.
    Log(LogError),
    /// An earlier write failed, so what is logged is not what happened: look at the cause, then call
    /// [`Session::recover`](super::Session::recover).
    Halted(StoreError),
    /// The session was closed.
    Closed,
    /// A session was to be begun in a store that holds one.
    NotEmpty,
    /// The event does not fit what was logged before it; why.
    OutOfOrder(String),
    /// The record would be longer than [`MAX_RECORD_BYTES`].
    TooLarge {
        /// How long it would be, in bytes.
        bytes: usize,
    },
    /// The data of an event can't be said in JSON without loss, or is nested too deeply; why.
    Unwritable(String),
}

/// Why bytes are no log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogError {
    /// They do not begin with the header of a log.
    NotALog,
    /// They were written in a newer format.
    NewerFormat {
        /// Its version.
        version: u64,
    },
    /// An event can't be understood, and may not be passed over, so messages made without it might be wrong. It can be read as
    /// it stands.
    UnknownEvent {
        /// Its type.
        kind: String,
        /// Its sequence number.
        seq: u64,
        /// The line, counted from 1.
        line: usize,
        /// Why it is not understood.
        why: String,
    },
}

/// What a store could not do.
#[derive(Clone, Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    message: String,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// What kind of trouble a store has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// Another writer has the log.
    SecondWriter,
    /// There is no room: the disk, the quota or the limit of a file's size is reached.
    Full,
    /// It may not be written.
    ReadOnly,
    /// It is not there.
    Missing,
    /// Anything else.
    Other,
}

impl StoreError {
    /// An error of this kind, with a sentence for the host.
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    /// The same error with its cause.
    #[must_use]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// What went wrong with a file while `doing` this.
    pub(super) fn io(doing: impl fmt::Display, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                StoreErrorKind::Full
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreErrorKind::ReadOnly,
            io::ErrorKind::NotFound => StoreErrorKind::Missing,
            _ => StoreErrorKind::Other,
        };
        Self::new(kind, format!("{doing}: {error}")).with_source(error)
    }

    /// What kind of trouble it is.
    pub fn kind(&self) -> StoreErrorKind {
        self.kind
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl StdError for StoreError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALog => f.write_str("this is no session log: it does not begin with a log's header"),
            Self::NewerFormat { version } => write!(
                f,
                "the session log has format {version}, and this program reads formats up to {FORMAT_VERSION}; use a newer program"
            ),
            Self::UnknownEvent { kind, seq, line, why } => write!(
                f,
                "event {seq} on line {line} is a {kind:?}, which {why}; it can't be passed over, so nothing is replayed"
            ),
        }
    }
}

impl StdError for LogError {}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => write!(f, "the session log failed: {error}"),
            Self::Log(error) => error.fmt(f),
            Self::Halted(error) => {
                write!(
                    f,
                    "nothing more is logged until the session is recovered, since an earlier write failed: {error}"
                )
            }
            Self::Closed => f.write_str("the session is closed"),
            Self::NotEmpty => f.write_str("the store holds a session already; resume it, or use another store"),
            Self::OutOfOrder(why) => write!(f, "the event does not fit the session: {why}"),
            Self::TooLarge { bytes } => {
                write!(f, "the record would have {bytes} bytes, and at most {MAX_RECORD_BYTES} are allowed")
            }
            Self::Unwritable(why) => write!(f, "the event can't be written: {why}"),
        }
    }
}

impl StdError for SessionError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Store(error) | Self::Halted(error) => Some(error),
            Self::Log(error) => Some(error),
            _ => None,
        }
    }
}

impl From<StoreError> for SessionError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<LogError> for SessionError {
    fn from(error: LogError) -> Self {
        Self::Log(error)
    }
}
