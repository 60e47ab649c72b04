//! From the checked model to tokens. Everything here only quotes.

pub(crate) mod attribute;
pub(crate) mod fallback;
pub(crate) mod mirror;
pub(crate) mod output;
pub(crate) mod tool;
