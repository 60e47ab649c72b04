use super::expected;
use crate::json::Pointer;
use crate::json::excerpt::Clipped;
use serde::de::{self, Expected, Unexpected};
use std::fmt;

/// What in a tree did not fit the type, and where it is.
///
/// It displays as one sentence with its place: `"/lines/0": expected an integer, got "x"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    pointer: Pointer,
    message: String,
}

impl DecodeError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(Box::new(Details { pointer: Pointer::root(), message: message.into() }))
    }

    pub(super) fn in_key(mut self, key: &str) -> Self {
        self.0.pointer.prepend_key(key);
        self
    }

    /// Of a text, which is not told where something is, there is no key.
    pub(super) fn in_optional_key(self, key: Option<&str>) -> Self {
        match key {
            Some(key) => self.in_key(key),
            None => self,
        }
    }

    pub(super) fn in_index(mut self, index: usize) -> Self {
        self.0.pointer.prepend_index(index);
        self
    }

    /// The value that did not fit; of a missing field, the object that it is missing from.
    pub fn pointer(&self) -> &Pointer {
        &self.0.pointer
    }

    /// The sentence without its place: `expected an integer, got "x"`.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer().is_root() {
            write!(f, "\"{}\": ", Clipped(self.pointer().as_str()))?;
        }
        f.write_str(self.message())
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let (expected, got) = (expected::in_words(expected), expected::got(unexpected));
        Self::new(format!("expected {expected}, got {got}"))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {}, got {length} of them", expected::in_words(expected)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("unknown variant `{}`, {}", Clipped(variant), expected::one_of(expected, "variants")))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("unknown field `{}`, {}", Clipped(field), expected::one_of(expected, "fields")))
    }
}
