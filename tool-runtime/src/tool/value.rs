//! The canonical value.

use std::any::Any;
use std::fmt;

use serde::de::DeserializeOwned;

use crate::erased::Erased;
use crate::json::{JsonText, JsonValue, decode};
use crate::panics::contain;

/// The one result of a body: its typed value beside the JSON text that it was checked as.
///
/// It can't be built by hand: that it exists means that it was checked against the output schema of its tool.
#[derive(Clone)]
pub struct CanonicalValue {
    text: JsonText,
    typed: Erased,
}

impl CanonicalValue {
    pub(crate) fn new(text: JsonText, typed: Erased) -> Self {
        Self { text, typed }
    }

    /// The value as JSON: struct fields in declared order, map keys sorted.
    pub fn text(&self) -> &JsonText {
        &self.text
    }

    /// The value as a tree, built anew at each call.
    pub fn to_json(&self) -> JsonValue {
        self.text.to_value()
    }

    /// The typed value, for who knows its type; a dynamic tool's is a [`JsonValue`].
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        self.typed.get()
    }

    /// The typed value itself. If someone else holds it too, it is decoded from the text once more.
    pub(crate) fn into_typed<T: Any + Send + Sync + DeserializeOwned>(self) -> Option<T> {
        match self.typed.into_inner() {
            Ok(value) => Some(value),
            Err(shared) if shared.get::<T>().is_some() => contain(|| decode(&self.text.to_value())).ok()?.ok(),
            Err(_other_type) => None,
        }
    }
}

impl fmt::Debug for CanonicalValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CanonicalValue").field(&self.text).finish()
    }
}
