//! Why a response gives no calls.

use std::fmt;

use crate::json::Pointer;

/// Why no calls were read from a provider's response. Nothing of it may run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadResponse {
    /// It has not the shape of the provider's responses.
    Shape {
        /// The place.
        at: Pointer,
        /// What stands there in such a response.
        wanted: &'static str,
    },
    /// The provider stopped before the end: a call in it may be cut off.
    Unfinished {
        /// The provider's word for why, at most 64 characters of it.
        reason: String,
    },
    /// It holds several answers, of which the host has to choose one.
    Alternatives {
        /// How many.
        count: usize,
    },
    /// An id stands for two calls, or is one of those that are made up for calls without any.
    Id {
        /// The place of the call.
        at: Pointer,
    },
    /// Arguments that can't be written as JSON text.
    Arguments {
        /// The place.
        at: Pointer,
        /// What is wrong with them.
        why: String,
    },
}

impl UnreadResponse {
    pub(super) fn unfinished(reason: &str) -> Self {
        Self::Unfinished { reason: reason.chars().take(64).collect() }
    }
}

impl fmt::Display for UnreadResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { at, wanted } => {
                write!(f, "not a response of this dialect: {:?} should be {wanted}", at.as_str())
            }
            Self::Unfinished { reason } => {
                write!(f, "the response is unfinished ({reason}), and its calls may be cut off; ask again, or for less")
            }
            Self::Alternatives { count } => {
                write!(f, "the response holds {count} answers; ask for one, or hand over the one that you choose")
            }
            Self::Id { at } => {
                write!(
                    f,
                    "the id of the call at {:?} is not its own, so its result could not be told apart",
                    at.as_str()
                )
            }
            Self::Arguments { at, why } => write!(f, "the arguments at {:?} are no JSON: {why}", at.as_str()),
        }
    }
}

impl std::error::Error for UnreadResponse {}
