//! How much may come in and go out.

use std::time::Duration;

use crate::json::ParseLimits;

/// How much may come in and go out of one call. Sizes are bytes of UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Size and depth of the arguments' text. More is refused, with the limit in the message.
    pub arguments: ParseLimits,
    /// All that the model reads of one result, its notice included. More text is cut at a character, and the notice says
    /// how much is missing; an image, sound or resource that does not fit is left out whole, and named.
    pub content_bytes: usize,
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
