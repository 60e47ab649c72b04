use crate::json::Pointer;
use crate::json::excerpt::Clipped;
use serde::ser;
use std::fmt;

/// Why a value is no lossless JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossyKind {
    /// A float is NaN or infinite.
    NotFinite,
    /// An integer is less than the least i64 or greater than the greatest u64.
    IntegerOutOfRange,
    /// A float that was given as text (`serde_json`'s `RawValue`, or its numbers of arbitrary precision) has more digits
    /// than 64 bits hold, or is too great for them or too close to 0.
    FloatOutOfRange,
    /// A key of a map is neither a text, an integer, a bool, a char, a unit variant nor a newtype around one of these.
    KeyIsNoText,
    /// An object has the same key twice: two fields renamed to one, two entries whose keys print alike, or a flattened
    /// field that repeats a key.
    DuplicateKey,
    /// A byte string.
    Bytes,
    /// Containers are nested deeper than [`MAX_DEPTH`](crate::json::MAX_DEPTH), or far too many options and newtypes are.
    TooDeep,
    /// The value's own `Serialize` failed or broke serde's rules, or embedded text is no JSON.
    Custom,
}

/// What in a value JSON cannot say without loss, and where it is.
///
/// It displays as a sentence that starts with the place: `"/score" is NaN, which JSON cannot say`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LossyValue(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    kind: LossyKind,
    pointer: Pointer,
    /// What comes after the place in the sentence.
    message: String,
}

impl LossyValue {
    pub(super) fn new(kind: LossyKind, message: impl Into<String>) -> Self {
        Self(Box::new(Details { kind, pointer: Pointer::root(), message: message.into() }))
    }

    pub(super) fn at(mut self, pointer: Pointer) -> Self {
        self.0.pointer = pointer;
        self
    }

    pub(super) fn in_key(mut self, key: &str) -> Self {
        self.0.pointer.prepend_key(key);
        self
    }

    pub(super) fn in_index(mut self, index: usize) -> Self {
        self.0.pointer.prepend_index(index);
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> LossyKind {
        self.0.kind
    }

    /// The value that cannot be said; of a key, the object that it is in.
    pub fn pointer(&self) -> &Pointer {
        &self.0.pointer
    }

    /// The sentence without its place: `is NaN, which JSON cannot say`.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for LossyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { pointer, message, .. } = &*self.0;
        if pointer.is_root() {
            write!(f, "the value {message}")
        } else {
            write!(f, "\"{}\" {message}", Clipped(pointer.as_str()))
        }
    }
}

impl std::error::Error for LossyValue {}

impl ser::Error for LossyValue {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(LossyKind::Custom, format!("could not be serialised: {message}"))
    }
}
