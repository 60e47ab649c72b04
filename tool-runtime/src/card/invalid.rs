//! Why a card can't be.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// What would have been a card, and which rule of the cards it breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidCard(Cow<'static, str>);

impl InvalidCard {
    pub(super) fn new(why: impl Into<Cow<'static, str>>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for InvalidCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for InvalidCard {}
