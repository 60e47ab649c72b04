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

/// The schemas directly inside `node`, in the order of its keys.
pub(super) fn children<'a>(node: &'a Map<String, Value>, pointer: &Pointer) -> Vec<Child<'a>> {
    let mut found = Vec::new();
    for (keyword, value) in node {
        let Some((shape, place)) = entry(keyword) else { continue };
        let at = pointer.child(keyword);
        let mut add = |pointer, schema: &'a Value| {
            if schema.is_object() || schema.is_boolean() {
                found.push(Child { keyword, pointer, schema, place });
            }
        };
        match (shape, value) {
            (Shape::Map, Value::Object(entries)) => {
                entries.iter().for_each(|(name, schema)| add(at.child(name), schema));
            }
            (Shape::List | Shape::OneOrList, Value::Array(items)) => {
                items.iter().enumerate().for_each(|(index, schema)| add(at.index(index), schema));
            }
            (Shape::One | Shape::OneOrList, schema) => add(at, schema),
            _ => {}
        }
    }
    found
}

/// Calls `change` with each schema directly inside `node`, in the order of its keys.
pub(super) fn change_children(
    node: &mut Map<String, Value>,
    pointer: &Pointer,
    change: &mut dyn FnMut(&str, &mut Value, Place, &Pointer),
) {
    for (keyword, value) in node {
        let Some((shape, place)) = entry(keyword) else { continue };
        let at = pointer.child(keyword);
        let mut apply = |schema: &mut Value, pointer: &Pointer| {
            if schema.is_object() || schema.is_boolean() {
                change(keyword, schema, place, pointer);
            }
        };
        match (shape, value) {
            (Shape::Map, Value::Object(entries)) => {
                entries.iter_mut().for_each(|(name, schema)| apply(schema, &at.child(name)));
            }
            (Shape::List | Shape::OneOrList, Value::Array(items)) => {
                items.iter_mut().enumerate().for_each(|(index, schema)| apply(schema, &at.index(index)));
            }
            (Shape::One | Shape::OneOrList, schema) => apply(schema, &at),
            _ => {}
        }
    }
}

/// Calls `change` with each schema object of the document, the root included, outer ones first.
pub(super) fn change_all(
    schema: &mut Value,
    pointer: &Pointer,
    change: &mut dyn FnMut(&mut Map<String, Value>, &Pointer),
) {
    let Value::Object(node) = schema else { return };
    change(node, pointer);
    change_children(node, pointer, &mut |_, child, _, at| change_all(child, at, change));
}

/// Whether `type` is absent or names `wanted`.
pub(super) fn may_be(node: &Map<String, Value>, wanted: &str) -> bool {
    node.get("type").is_none_or(|_| names_type(node, wanted))
}

/// Whether `type` names `wanted`.
pub(super) fn names_type(node: &Map<String, Value>, wanted: &str) -> bool {
    match node.get("type") {
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
