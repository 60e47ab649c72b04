//! The published schema.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Serialize, Serializer};

use super::aliases::Aliases;
use super::projected::Projected;
use super::{number, secrets};
use crate::json::JsonValue;

/// A JSON Schema as published: compact text whose bytes depend on nothing but the type or document it came from.
///
/// Properties stand in declaration order. Cloning copies a pointer.
#[derive(Clone)]
pub struct Schema(Arc<Source>);

/// A document, or what makes it once somebody asks.
struct Source {
    document: OnceLock<Document>,
    waiting: Mutex<Option<Waiting>>,
    plain: bool,
    foreign: bool,
}

type Waiting = Box<dyn FnOnce() -> JsonValue + Send>;

struct Document {
    text: Box<str>,
    tree: JsonValue,
    aliases: Option<Aliases>,
    projected: Option<Projected>,
    /// The schema with what marks secrets in it, if something does.
    marked: Option<JsonValue>,
}

impl Document {
    fn new(mut tree: JsonValue) -> Self {
        let aliases = Aliases::take(&mut tree);
        let projected = Projected::take(&mut tree);
        let mut marked = secrets::take(&mut tree);
        if let Some(marked) = &mut marked {
            number::respell(marked);
        }
        Self { aliases, projected, marked, ..Self::plain(tree) }
    }

    fn plain(mut tree: JsonValue) -> Self {
        number::respell(&mut tree);
        // There is nothing in a tree that could not be written.
        let text = serde_json::to_string(&tree).unwrap_or_default().into();
        Self { text, tree, aliases: None, projected: None, marked: None }
    }
}

impl Schema {
    /// Keeps the order of the tree's keys; the caller has bounded its depth.
    pub(super) fn new(tree: JsonValue) -> Self {
        Self::of(tree, false)
    }

    /// The same for a document that somebody else wrote, and not a type.
    pub(super) fn foreign(tree: JsonValue) -> Self {
        Self::of(tree, true)
    }

    fn of(tree: JsonValue, foreign: bool) -> Self {
        let document = OnceLock::from(Document::new(tree));
        Self(Arc::new(Source { document, waiting: Mutex::new(None), plain: false, foreign }))
    }

    /// A schema that was found [`plain`](super::plain), so that nothing in it can be refused; it is made when it is looked at.
    pub(super) fn plain(finish: impl FnOnce() -> JsonValue + Send + 'static) -> Self {
        let waiting = Mutex::new(Some(Box::new(finish) as Waiting));
        Self(Arc::new(Source { document: OnceLock::new(), waiting, plain: true, foreign: false }))
    }

    /// Whether nothing in it can be refused.
    pub(super) fn is_plain(&self) -> bool {
        self.0.plain
    }

    /// Whether somebody else wrote it, so that what it says of null may mean something.
    pub(crate) fn is_foreign(&self) -> bool {
        self.0.foreign
    }

    fn document(&self) -> &Document {
        self.0.document.get_or_init(|| {
            let waiting = self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
            // It is there, as this runs once.
            // A plain schema has neither aliases nor secrets.
            Document::plain(waiting.map_or(JsonValue::Bool(false), |finish| finish()))
        })
    }

    /// The schema as compact JSON text.
    pub fn as_str(&self) -> &str {
        &self.document().text
    }

    /// The schema as a tree, for those who transform it.
    pub fn to_value(&self) -> JsonValue {
        self.document().tree.clone()
    }

    pub(crate) fn tree(&self) -> &JsonValue {
        &self.document().tree
    }

    pub(super) fn aliases(&self) -> Option<&Aliases> {
        self.document().aliases.as_ref()
    }

    /// What of a value is canonical input. A plain one is not made for the answer.
    pub(super) fn projected(&self) -> Option<&Projected> {
        if self.is_plain() { None } else { self.document().projected.as_ref() }
    }

    /// The schema with what marks secrets in it, if something does. A plain one is not made for the answer.
    pub(super) fn marked(&self) -> Option<&JsonValue> {
        if self.is_plain() { None } else { self.document().marked.as_ref() }
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.as_str() == other.as_str()
    }
}

impl Eq for Schema {}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schema({})", self.as_str())
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document().tree.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keeps_the_order_of_its_keys() {
        let schema = Schema::new(json!({"type": "object", "properties": {"b": true, "a": true}}));
        assert_eq!(schema.as_str(), r#"{"type":"object","properties":{"b":true,"a":true}}"#);
        assert_eq!(serde_json::to_string(&schema).unwrap(), schema.as_str());
        assert_eq!(schema.to_string(), schema.as_str());
        assert_eq!(schema, Schema::new(schema.to_value()));
    }
}
