//! How a server presents itself, and how much it takes.

use std::time::Duration;

use super::Exposure;
use crate::tool::Cancellation;

/// How a server presents itself, and how much it takes on. Sizes are bytes of JSON.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) title: Option<String>,
    pub(super) instructions: Option<String>,
    pub(super) exposure: Exposure,
    pub(super) concurrent_calls: usize,
    pub(super) waiting_calls: usize,
    pub(super) message_bytes: usize,
    pub(super) value_bytes: usize,
    pub(super) drain: Duration,
    pub(super) list_lifetime: Duration,
    pub(super) result_size_hint: Option<u32>,
    pub(super) shutdown: Cancellation,
}

impl ServerOptions {
    /// A server of this name and version, which clients show to people.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            title: None,
            instructions: None,
            exposure: Exposure::default(),
            concurrent_calls: 64,
            waiting_calls: 1024,
            message_bytes: 16 * 1024 * 1024,
            value_bytes: 8 * 1024 * 1024,
            drain: Duration::from_secs(10),
            list_lifetime: Duration::ZERO,
            result_size_hint: None,
            shutdown: Cancellation::new(),
        }
    }

    /// The name that a person reads.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What a model should know of the tools together; clients may put it before their own words.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Which form of a result clients get: both, unless told otherwise.
    #[must_use]
    pub fn exposure(mut self, exposure: Exposure) -> Self {
        self.exposure = exposure;
        self
    }

    /// How many calls run at a time, 64 unless told otherwise; 0 means 1. Others wait their turn, in order; a tool's own time
    /// limit begins when it runs.
    #[must_use]
    pub fn concurrent_calls(mut self, most: usize) -> Self {
        self.concurrent_calls = most.clamp(1, MOST_PERMITS);
        self
    }

    /// How many calls may wait for their turn, 1024 unless told otherwise. One more is refused.
    #[must_use]
    pub fn waiting_calls(mut self, most: usize) -> Self {
        self.waiting_calls = most.min(MOST_PERMITS);
        self
    }

    /// The longest message that is read, 16 MiB unless told otherwise. A longer one is passed over, and the client told so.
    #[must_use]
    pub fn message_bytes(mut self, most: usize) -> Self {
        self.message_bytes = most;
        self
    }

    /// The longest value that is sent, 8 MiB unless told otherwise. A value can't be cut without breaking its schema, so that
    /// a call with a longer one is told as failed, with what was rendered of it.
    #[must_use]
    pub fn value_bytes(mut self, most: usize) -> Self {
        self.value_bytes = most;
        self
    }

    /// How long calls may still run once the input has ended, or a shutdown was asked for: 10 seconds unless told otherwise.
    /// Then they are cancelled.
    #[must_use]
    pub fn drain(mut self, time: Duration) -> Self {
        self.drain = time;
        self
    }

    /// How long clients may keep the list of tools (from revision 2026-07-28 on): no time unless told otherwise. Those that
    /// listen for changes are told of them earlier.
    #[must_use]
    pub fn list_lifetime(mut self, time: Duration) -> Self {
        self.list_lifetime = time;
        self
    }

    /// Tells clients that know `anthropic/maxResultSizeChars` how many characters of a result they may show.
    #[must_use]
    pub fn result_size_hint(mut self, characters: u32) -> Self {
        self.result_size_hint = Some(characters);
        self
    }

    /// Ends the server when this is cancelled: nothing new is read, what is under way is drained.
    #[must_use]
    pub fn shutdown(mut self, when: Cancellation) -> Self {
        self.shutdown = when;
        self
    }
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self::new("tool-runtime", env!("CARGO_PKG_VERSION"))
    }
}

/// What a semaphore takes, and more than anybody means.
const MOST_PERMITS: usize = 1 << 20;
