//! Whether a call's body ran, and how that ended.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use serde::{Deserialize, Serialize};

/// Whether a call's body ran, and how that ended. Of a body that was entered more than once, it is the last time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Body {
    /// It was not entered: whatever happened, the tool has changed nothing.
    #[default]
    NotEntered,
    /// It ended by itself, with a value; whether that was accepted is another question.
    Returned,
    /// It ended by itself, with an error.
    Failed,
    /// It ended with a panic.
    Panicked,
    /// It was told to stop, did not within its grace, and was dropped where it stood.
    Dropped,
}

/// The same of a call under way. Those who look are told by the call's end, so no order is asked for.
#[derive(Default)]
pub(super) struct BodyCell(AtomicU8);

impl BodyCell {
    #[inline]
    pub(super) fn set(&self, body: Body) {
        self.0.store(body as u8, Ordering::Relaxed);
    }

    #[inline]
    pub(super) fn get(&self) -> Body {
        match self.0.load(Ordering::Relaxed) {
            1 => Body::Returned,
            2 => Body::Failed,
            3 => Body::Panicked,
            4 => Body::Dropped,
            _ => Body::NotEntered,
        }
    }
}

impl Body {
    /// Whether it ran at all.
    pub const fn was_entered(self) -> bool {
        !matches!(self, Self::NotEntered)
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotEntered => "the body was not entered",
            Self::Returned => "the body returned a value",
            Self::Failed => "the body returned an error",
            Self::Panicked => "the body panicked",
            Self::Dropped => "the body was dropped before it had ended",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_gives_back_what_was_put_in() {
        let cell = BodyCell::default();
        assert_eq!(cell.get(), Body::NotEntered);
        for body in [Body::Dropped, Body::Returned, Body::Failed, Body::Panicked, Body::NotEntered] {
            cell.set(body);
            assert_eq!(cell.get(), body);
            assert_eq!(body.was_entered(), body != Body::NotEntered);
        }
    }
}
