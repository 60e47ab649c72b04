//! Where a schema holds schemas: one table, which every walk over a schema shares.

use serde_json::{Map, Value};

use crate::json::Pointer;

/// What the schemas under a keyword are applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The same value as the schema around it.
    Same,
    /// A part of that value: a property, an item, a key.
    Below,
    /// Nothing, until a reference points here.
    Definition,
}

#[derive(Clone, Copy)]
enum Shape {
    One,
    List,
    Map,
    OneOrList,
}

const TABLE: &[(&str, Shape, Place)] = &[
    ("properties", Shape::Map, Place::Below),
    ("items", Shape::OneOrList, Place::Below),
    ("additionalProperties", Shape::One, Place::Below),
    ("allOf", Shape::List, Place::Same),
    ("anyOf", Shape::List, Place::Same),
    ("oneOf", Shape::List, Place::Same),
    ("not", Shape::One, Place::Same),
    ("if", Shape::One, Place::Same),
    ("then", Shape::One, Place::Same),
    ("else", Shape::One, Place::Same),
    ("dependentSchemas", Shape::Map, Place::Same),
    // Draft-07; its lists of names are no schemas and are passed over.
    ("dependencies", Shape::Map, Place::Same),
    ("prefixItems", Shape::List, Place::Below),
    ("additionalItems", Shape::One, Place::Below),
    ("unevaluatedItems", Shape::One, Place::Below),
    ("unevaluatedProperties", Shape::One, Place::Below),
    ("contains", Shape::One, Place::Below),
    ("patternProperties", Shape::Map, Place::Below),
    ("propertyNames", Shape::One, Place::Below),
    ("$defs", Shape::Map, Place::Definition),
    ("definitions", Shape::Map, Place::Definition),
];

/// Keywords that say something about a value to people, not to validators.
pub(super) const ANNOTATIONS: &[&str] =
    &["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"];

fn entry(keyword: &str) -> Option<(Shape, Place)> {
    TABLE.iter().find(|(name, ..)| *name == keyword).map(|&(_, shape, place)| (shape, place))
}

/// A schema directly inside another.
pub(super) struct Child<'a> {
    pub(super) keyword: &'a str,
    pub(super) pointer: Pointer,
    pub(super) schema: &'a Value,
    pub(super) place: Place,
}

/// Where a schema stands under its keyword.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Itself,
    Key(&'a str),
    Index(usize),
}

/// The pointer to what stands there. It is only made for who asks, as it is most of what a walk costs.
pub(super) fn pointer_to(node: &Pointer, keyword: &str, step: Step<'_>) -> Pointer {
    let at = node.child(keyword);
    match step {
        Step::Itself => at,
        Step::Key(name) => at.child(name),
        Step::Index(index) => at.index(index),
    }
}

fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// Calls `found` with each schema directly inside `node`, in the order of its keys.
pub(super) fn each<'a>(node: &'a Map<String, Value>, found: &mut dyn FnMut(&'a str, Step<'a>, &'a Value, Place)) {
    for (keyword, value) in node {
        let Some((shape, place)) = entry(keyword) else { continue };
        let mut add = |step, schema: &'a Value| {
            if is_schema(schema) {
                found(keyword, step, schema, place);
            }
        };
        match (shape, value) {
            (Shape::Map, Value::Object(entries)) => {
                entries.iter().for_each(|(name, schema)| add(Step::Key(name), schema));
            }
            (Shape::List | Shape::OneOrList, Value::Array(items)) => {
                items.iter().enumerate().for_each(|(index, schema)| add(Step::Index(index), schema));
            }
            (Shape::One | Shape::OneOrList, schema) => add(Step::Itself, schema),
            _ => {}
        }
    }
}

fn change_each(node: &mut Map<String, Value>, change: &mut dyn FnMut(&str, Step<'_>, &mut Value, Place)) {
    for (keyword, value) in node {
        let Some((shape, place)) = entry(keyword) else { continue };
        let mut apply = |step: Step<'_>, schema: &mut Value| {
            if is_schema(schema) {
                change(keyword, step, schema, place);
            }
        };
        match (shape, value) {
            (Shape::Map, Value::Object(entries)) => {
                entries.iter_mut().for_each(|(name, schema)| apply(Step::Key(name), schema));
            }
            (Shape::List | Shape::OneOrList, Value::Array(items)) => {
                items.iter_mut().enumerate().for_each(|(index, schema)| apply(Step::Index(index), schema));
            }
            (Shape::One | Shape::OneOrList, schema) => apply(Step::Itself, schema),
            _ => {}
        }
    }
}

/// The schemas directly inside `node`, in the order of its keys.
pub(super) fn children<'a>(node: &'a Map<String, Value>, pointer: &Pointer) -> Vec<Child<'a>> {
    let mut found = Vec::new();
    each(node, &mut |keyword, step, schema, place| {
        found.push(Child { keyword, pointer: pointer_to(pointer, keyword, step), schema, place });
    });
    found
}

/// The same for who does not ask where they stand.
pub(super) fn inside(node: &Map<String, Value>) -> Vec<(Place, &Value)> {
    let mut found = Vec::new();
    each(node, &mut |_, _, schema, place| found.push((place, schema)));
    found
}

/// Calls `change` with each schema directly inside `node`, in the order of its keys.
pub(super) fn change_inside(node: &mut Map<String, Value>, change: &mut dyn FnMut(&str, &mut Value, Place)) {
    change_each(node, &mut |keyword, _, child, place| change(keyword, child, place));
}

/// Calls `change` with each schema object of the document, the root included, outer ones first.
pub(super) fn change_all(schema: &mut Value, change: &mut dyn FnMut(&mut Map<String, Value>)) {
    let Value::Object(node) = schema else { return };
    change(node);
    change_inside(node, &mut |_, child, _| change_all(child, change));
}

/// Whether a schema object of the document is `so`.
pub(super) fn any(schema: &Value, so: &dyn Fn(&Map<String, Value>) -> bool) -> bool {
    let Value::Object(node) = schema else { return false };
    so(node) || inside(node).into_iter().any(|(_, child)| any(child, so))
}

/// Where a walk is; the pointer is only made for who asks.
pub(super) enum Trail<'a> {
    Root,
    Inside(&'a Trail<'a>, &'a str, Step<'a>),
}

impl Trail<'_> {
    pub(super) fn pointer(&self) -> Pointer {
        match self {
            Self::Root => Pointer::root(),
            Self::Inside(around, keyword, step) => pointer_to(&around.pointer(), keyword, *step),
        }
    }
}

/// The same as [`change_all`] for who asks where it stands.
pub(super) fn change_all_at(schema: &mut Value, change: &mut dyn FnMut(&mut Map<String, Value>, &Trail<'_>)) {
    change_from(schema, &Trail::Root, change);
}

fn change_from(schema: &mut Value, at: &Trail<'_>, change: &mut dyn FnMut(&mut Map<String, Value>, &Trail<'_>)) {
    let Value::Object(node) = schema else { return };
    change(node, at);
    change_each(node, &mut |keyword, step, child, _| change_from(child, &Trail::Inside(at, keyword, step), change));
}

/// Looks up keywords. A schema has a handful, which are found by comparing sooner than by hashing.
pub(super) trait Keywords {
    fn look(&self, keyword: &str) -> Option<&Value>;

    fn says(&self, keyword: &str) -> bool {
        self.look(keyword).is_some()
    }
}

impl Keywords for Map<String, Value> {
    fn look(&self, keyword: &str) -> Option<&Value> {
        if self.len() > 24 {
            return self.get(keyword);
        }
        self.iter().find(|(name, _)| *name == keyword).map(|(_, value)| value)
    }
}

/// Whether `type` is absent or names `wanted`.
pub(super) fn may_be(node: &Map<String, Value>, wanted: &str) -> bool {
    node.look("type").is_none_or(|_| names_type(node, wanted))
}

/// Whether `type` names `wanted`.
pub(super) fn names_type(node: &Map<String, Value>, wanted: &str) -> bool {
    match node.look("type") {
        Some(Value::String(name)) => name == wanted,
        Some(Value::Array(names)) => names.iter().any(|name| name == wanted),
        _ => false,
    }
}

/// A type as a sentence says it.
pub(super) fn type_word(name: &str) -> String {
    match name {
        "null" => "null".to_owned(),
        "array" | "integer" | "object" => format!("an {name}"),
        other => format!("a {other}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn properties_named_like_keywords_are_properties() {
        let schema = json!({"properties": {"items": {"type": "string"}, "enum": true}, "enum": [{"type": "x"}]});
        let found = children(schema.as_object().unwrap(), &Pointer::root());
        let pointers: Vec<_> = found.iter().map(|child| child.pointer.as_str().to_owned()).collect();
        assert_eq!(pointers, ["/properties/items", "/properties/enum"]);
    }
}
