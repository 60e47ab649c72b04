//! How much may come in and go out.

use std::time::Duration;

use crate::json::ParseLimits;

/// How much may come in and go out of one call. Sizes are bytes of UTF-8.
///
/// There may be more of them in a later version: write `Limits { grace, ..Limits::default() }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size and depth of the arguments' text. More is refused, with the limit in the message.
    pub arguments: ParseLimits,
    /// All that the model reads of one result, its notice included. More text is cut in its middle, at characters, and the
    /// notice says how much is missing; an image, sound or resource that does not fit is left out whole, and named.
    pub content_bytes: usize,
    /// What of the text of one result stays inline, the notice included, where a [spill store](crate::Dispatcher::spill)
    /// keeps the whole. Without a store it means nothing.
    pub spill_bytes: usize,
    /// How long a spill store may take to keep one result. After it, the result stays inline, within `content_bytes`.
    pub spill_time: Duration,
    /// All that the model reads of the results of one batch, their extra contexts included. A call may take what those
    /// before it left, divided by the number of calls that are still to come and itself: so the small ones leave theirs to
    /// the large ones after them, and only large ones are cut. It hangs on nothing but the results before it.
    pub batch_bytes: usize,
    /// Presentation meta as JSON. Cut JSON is none, so more of it is left out whole, with a warning in the trace.
    pub meta_bytes: usize,
    /// The sentence of an error. More is cut at a character.
    pub error_bytes: usize,
    /// In how many calls a call may be nested that a body makes; a deeper one fails. A tool that calls itself without an end
    /// meets it.
    pub nested_calls: usize,
    /// How many bodies of one batch run at a time; 0 means 1.
    pub parallel_calls: usize,
    /// How long a policy may take to decide, before or after execution. One that takes longer has failed.
    pub policy_time: Duration,
    /// How long an approver may take to get an answer.
    pub approval_time: Duration,
    /// How long a body that was told to stop may take to do so before it is dropped.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            arguments: ParseLimits::default(),
            content_bytes: 256 * 1024,
            spill_bytes: 64 * 1024,
            spill_time: Duration::from_secs(10),
            batch_bytes: 1024 * 1024,
            meta_bytes: 128 * 1024,
            error_bytes: 8 * 1024,
            nested_calls: 8,
            parallel_calls: 10,
            policy_time: Duration::from_secs(30),
            approval_time: Duration::from_mins(10),
            grace: Duration::from_secs(1),
        }
    }
}

/// What is different for one tool, by [`Dispatcher::limits_for`](crate::Dispatcher::limits_for).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolLimits {
    content_bytes: Option<usize>,
    spill_bytes: Option<usize>,
    pages: bool,
}

impl ToolLimits {
    /// Nothing is different.
    pub const fn new() -> Self {
        Self { content_bytes: None, spill_bytes: None, pages: false }
    }

    /// In the place of [`Limits::content_bytes`].
    #[must_use]
    pub const fn content_bytes(mut self, bytes: usize) -> Self {
        self.content_bytes = Some(bytes);
        self
    }

    /// In the place of [`Limits::spill_bytes`].
    #[must_use]
    pub const fn spill_bytes(mut self, bytes: usize) -> Self {
        self.spill_bytes = Some(bytes);
        self
    }

    /// The tool reads in pages, and is what a model reads spilled results with: its own are not spilled, or reading one would
    /// only spill it again. They are cut like any other, and the model asks for a smaller page.
    #[must_use]
    pub const fn pages(mut self) -> Self {
        self.pages = true;
        self
    }

    /// What it makes of [`Limits::content_bytes`].
    pub(super) fn content_limit(&self, limits: &Limits) -> usize {
        self.content_bytes.unwrap_or(limits.content_bytes)
    }

    /// What it makes of [`Limits::spill_bytes`]; nothing, if the tool is not spilled.
    pub(super) fn spill_limit(&self, limits: &Limits) -> Option<usize> {
        if self.pages { None } else { Some(self.spill_bytes.unwrap_or(limits.spill_bytes)) }
    }
}
