//! Facts about a tool's behaviour.

use std::time::Duration;

/// What is known of a tool's behaviour: hints for policies, schedulers and clients, and its time limit.
///
/// The four hints are the Model Context Protocol's, and like there each has three states: yes, no, and not said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behaviour {
    read_only: Option<bool>,
    destructive: Option<bool>,
    idempotent: Option<bool>,
    open_world: Option<bool>,
    parallel: bool,
    timeout: Option<Duration>,
}

impl Behaviour {
    /// Nothing is said; calls run alone, and as long as they like.
    pub const fn new() -> Self {
        Self { read_only: None, destructive: None, idempotent: None, open_world: None, parallel: false, timeout: None }
    }

    /// Whether it leaves everything as it was.
    #[must_use]
    pub const fn read_only(mut self, yes: bool) -> Self {
        self.read_only = Some(yes);
        self
    }

    /// Whether it may destroy something, rather than only add.
    #[must_use]
    pub const fn destructive(mut self, yes: bool) -> Self {
        self.destructive = Some(yes);
        self
    }

    /// Whether a second call with the same arguments changes nothing more.
    #[must_use]
    pub const fn idempotent(mut self, yes: bool) -> Self {
        self.idempotent = Some(yes);
        self
    }

    /// Whether it reaches things outside, as a web search does.
    #[must_use]
    pub const fn open_world(mut self, yes: bool) -> Self {
        self.open_world = Some(yes);
        self
    }

    /// Whether its calls may run beside all others of a batch. One that may run beside some names its
    /// [`Resources`](crate::Resources).
    #[must_use]
    pub const fn parallel(mut self, yes: bool) -> Self {
        self.parallel = yes;
        self
    }

    /// How long one call may take.
    #[must_use]
    pub const fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Whether it leaves everything as it was; `None` if not said.
    pub const fn is_read_only(&self) -> Option<bool> {
        self.read_only
    }

    /// Whether it may destroy something; `None` if not said.
    pub const fn is_destructive(&self) -> Option<bool> {
        self.destructive
    }

    /// Whether repeating a call changes nothing more; `None` if not said.
    pub const fn is_idempotent(&self) -> Option<bool> {
        self.idempotent
    }

    /// Whether it reaches things outside; `None` if not said.
    pub const fn is_open_world(&self) -> Option<bool> {
        self.open_world
    }

    /// Whether its calls may run beside all others.
    pub const fn is_parallel(&self) -> bool {
        self.parallel
    }

    /// How long one call may take.
    pub const fn time_limit(&self) -> Option<Duration> {
        self.timeout
    }
}
