//! What to keep of what is too much: the head and the tail of a stream, the first of many items, and words for the rest.
//!
//! The framework bounds what the model reads with it, and a tool may bound what it takes in: a shell keeps both ends of each
//! stream of a command, and never holds more.

mod items;
mod text;

pub use items::{ItemRetainer, RetainedItems};
pub use text::{Preview, RetainedText, TextRetainer, preview};

use std::fmt;

/// How many bytes of a text to keep, at its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    head: usize,
    tail: usize,
}

impl Keep {
    /// The first bytes.
    pub const fn head(bytes: usize) -> Self {
        Self { head: bytes, tail: 0 }
    }

    /// The last bytes.
    pub const fn tail(bytes: usize) -> Self {
        Self { head: 0, tail: bytes }
    }

    /// The first `head` and the last `tail` bytes.
    pub const fn head_tail(head: usize, tail: usize) -> Self {
        Self { head, tail }
    }

    /// Both ends, in equal parts; an odd byte goes to the head.
    pub const fn both_ends(bytes: usize) -> Self {
        Self { head: bytes.div_ceil(2), tail: bytes / 2 }
    }

    /// How many bytes it keeps at most.
    pub const fn bytes(self) -> usize {
        self.head.saturating_add(self.tail)
    }
}

/// What was left out, for the sentence that says so.
///
/// ```
/// use tool_runtime::retain::Omission;
///
/// assert_eq!(Omission::of(120).sentence("rows"), "Omitted 120 rows.");
/// assert_eq!(Omission::Unknown.sentence("matches"), "More matches were omitted.");
/// assert_eq!(Omission::of(0).sentence("rows"), "");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    /// Nothing.
    None,
    /// So many.
    Exactly(u64),
    /// Something; nobody counted how much.
    Unknown,
}

impl Omission {
    /// So many, or nothing.
    pub const fn of(count: u64) -> Self {
        if count == 0 { Self::None } else { Self::Exactly(count) }
    }

    /// Whether something was left out.
    pub const fn is_some(self) -> bool {
        !matches!(self, Self::None)
    }

    /// What the reader is told; nothing, if nothing was left out. How to get at the rest is the tool's to say.
    pub fn sentence(self, unit: impl fmt::Display) -> String {
        match self {
            Self::None => String::new(),
            Self::Exactly(count) => format!("Omitted {count} {unit}."),
            Self::Unknown => format!("More {unit} were omitted."),
        }
    }
}
