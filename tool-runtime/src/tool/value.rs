//! The canonical value.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::json::{JsonText, JsonValue, decode};
use crate::panics::{Guarded, contain};
use crate::schema::{Hides, Secrets};

/// The one result of a body: its typed value beside the JSON text that it was checked as.
///
/// It can't be built by hand: that it exists means that it was checked against the output schema of its tool. A clone
/// shares it.
#[derive(Clone)]
pub struct CanonicalValue {
    accepted: Arc<dyn Accepted>,
    /// The text without secrets, if there are some.
    shown: Option<Arc<JsonText>>,
}

/// A value of some type with its text, in one allocation.
struct WithText<T> {
    text: JsonText,
    typed: Guarded<T>,
}

trait Accepted: Send + Sync {
    fn text(&self) -> &JsonText;
    fn typed(&self) -> &dyn Any;
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<T: Any + Send + Sync> Accepted for WithText<T> {
    fn text(&self) -> &JsonText {
        &self.text
    }

    fn typed(&self) -> &dyn Any {
        &*self.typed
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

impl CanonicalValue {
    /// `secrets` are those of the schema that it was checked against.
    pub(crate) fn new<T: Any + Send + Sync>(text: JsonText, typed: Guarded<T>, secrets: Option<&Secrets>) -> Self {
        let shown = secrets.map(|secrets| Arc::new(masked(&text, secrets)));
        Self { accepted: Arc::new(WithText { text, typed }), shown }
    }

    /// The value as JSON with a mark for each secret.
    pub(crate) fn shown(&self) -> &JsonText {
        self.shown.as_deref().unwrap_or_else(|| self.text())
    }

    /// Shows it so: there are secrets in places that its schema does not know.
    pub(crate) fn show(&mut self, shown: JsonText) {
        self.shown = Some(Arc::new(shown));
    }

    /// The value as JSON: struct fields in declared order, map keys sorted. For programs: it holds its secrets.
    ///
    /// [`Success::shown_value`](crate::Success::shown_value) is what a log, a model or a user interface may have of it.
    pub fn text(&self) -> &JsonText {
        self.accepted.text()
    }

    /// The value as a tree, built anew at each call.
    pub fn to_json(&self) -> JsonValue {
        self.text().to_value()
    }

    /// The typed value, for who knows its type; a dynamic tool's is a [`JsonValue`].
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        self.accepted.typed().downcast_ref()
    }

    /// The typed value itself. If someone else holds it too, it is decoded from the text once more.
    pub(crate) fn into_typed<T: Any + Send + Sync + DeserializeOwned>(self) -> Option<T> {
        let value = self.accepted.into_any().downcast::<WithText<T>>().ok()?;
        match Arc::try_unwrap(value) {
            Ok(value) => Some(value.typed.into_inner()),
            Err(shared) => contain(|| decode(&shared.text.to_value())).ok()?.ok(),
        }
    }
}

fn masked(text: &JsonText, secrets: &Secrets) -> JsonText {
    match secrets.masked(&text.to_value(), Hides::Declared) {
        Cow::Borrowed(_) => text.clone(),
        Cow::Owned(masked) => JsonText::of_tree(&masked),
    }
}

impl fmt::Debug for CanonicalValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CanonicalValue").field(self.shown()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::write;

    #[test]
    fn a_value_is_got_by_its_own_type_and_taken_by_its_last_holder_as_it_is() {
        let value = CanonicalValue::new(write(&7_u8).unwrap(), Guarded::new(7_u8), None);
        assert_eq!((value.downcast_ref::<u8>(), value.downcast_ref::<i8>()), (Some(&7), None));
        assert_eq!(value.clone().into_typed::<u8>(), Some(7), "another holder: decoded once more");
        assert_eq!(value.clone().into_typed::<i8>(), None);
        assert_eq!(value.into_typed::<u8>(), Some(7));
    }
}
