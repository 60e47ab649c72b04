//! What of a call's content goes into its span.

use std::borrow::Cow;

/// What of a call's content goes into its span: nothing, unless asked for, since both arguments and results may hold what
/// a log is not to keep.
///
/// ```
/// use tool_runtime::{Recorded, prelude::*};
///
/// let dispatcher = Dispatcher::new(Registry::new()).record(Recorded::nothing().arguments().results().at_most(1024));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    arguments: bool,
    results: bool,
    bytes: usize,
}

impl Recorded {
    /// Nothing; of what is added to it, at most 4 KiB each.
    pub const fn nothing() -> Self {
        Self { arguments: false, results: false, bytes: 4 * 1024 }
    }

    /// The arguments too, as they were sent, without their secrets: `gen_ai.tool.call.arguments`.
    #[must_use]
    pub const fn arguments(mut self) -> Self {
        self.arguments = true;
        self
    }

    /// The results too: of a success the canonical value as the policies left it, without its secrets, `gen_ai.tool.call.result`; of a failure
    /// its sentence, `otel.status_description`.
    #[must_use]
    pub const fn results(mut self) -> Self {
        self.results = true;
        self
    }

    /// No more than so many bytes of each text. The rest is cut at a character, and counted behind what is kept.
    #[must_use]
    pub const fn at_most(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    pub(super) const fn has_arguments(self) -> bool {
        self.arguments
    }

    pub(super) const fn has_results(self) -> bool {
        self.results
    }

    /// What is kept of a text.
    pub(super) fn cut(self, text: &str) -> Cow<'_, str> {
        let end = text.floor_char_boundary(self.bytes);
        if end == text.len() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(format!("{}… (+{} more bytes)", &text[..end], text.len() - end))
    }
}

impl Default for Recorded {
    fn default() -> Self {
        Self::nothing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_is_cut_at_a_character_and_counted() {
        let recorded = Recorded::nothing().at_most(4);
        assert_eq!(recorded.cut("four"), "four");
        assert_eq!(recorded.cut("five!"), "five… (+1 more bytes)");
        assert_eq!(recorded.cut("固固"), "固… (+3 more bytes)");
    }
}
