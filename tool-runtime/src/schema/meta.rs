//! What the meta-schemas of [2020-12](https://json-schema.org/draft/2020-12/schema) and
//! [draft-07](https://json-schema.org/draft-07/schema) say about the keywords of a schema.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use super::dialect::Dialect;
use super::keywords::{children, inside};
use super::references::Names;
use super::violation::{Violation, in_schema, quoted, shown};
use crate::json::{Pointer, compare, equal, whole};

/// What a keyword's value must be.
#[derive(Clone, Copy)]
enum Shape {
    Schema,
    Schemas,
    SchemaMap,
    Types,
    Text,
    /// A name within the document.
    Anchor,
    /// The document's own address.
    Id,
    Flag,
    Number,
    Step,
    Count,
    Names,
    List,
    Map,
    /// Per key, names or a schema.
    Dependencies,
    NameMap,
    /// A schema; in draft-07 also a list of them.
    Items,
}

const SHAPES: &[(&str, Shape)] = &[
    ("type", Shape::Types),
    ("enum", Shape::List),
    ("minimum", Shape::Number),
    ("maximum", Shape::Number),
    ("exclusiveMinimum", Shape::Number),
    ("exclusiveMaximum", Shape::Number),
    ("multipleOf", Shape::Step),
    ("minLength", Shape::Count),
    ("maxLength", Shape::Count),
    ("minItems", Shape::Count),
    ("maxItems", Shape::Count),
    ("minContains", Shape::Count),
    ("maxContains", Shape::Count),
    ("minProperties", Shape::Count),
    ("maxProperties", Shape::Count),
    ("pattern", Shape::Text),
    ("format", Shape::Text),
    ("uniqueItems", Shape::Flag),
    ("required", Shape::Names),
    ("properties", Shape::SchemaMap),
    ("patternProperties", Shape::SchemaMap),
    ("additionalProperties", Shape::Schema),
    ("unevaluatedProperties", Shape::Schema),
    ("propertyNames", Shape::Schema),
    ("dependentRequired", Shape::NameMap),
    ("dependentSchemas", Shape::SchemaMap),
    ("dependencies", Shape::Dependencies),
    ("items", Shape::Items),
    ("prefixItems", Shape::Schemas),
    ("additionalItems", Shape::Schema),
    ("unevaluatedItems", Shape::Schema),
    ("contains", Shape::Schema),
    ("allOf", Shape::Schemas),
    ("anyOf", Shape::Schemas),
    ("oneOf", Shape::Schemas),
    ("not", Shape::Schema),
    ("if", Shape::Schema),
    ("then", Shape::Schema),
    ("else", Shape::Schema),
    ("$defs", Shape::SchemaMap),
    ("definitions", Shape::SchemaMap),
    ("contentSchema", Shape::Schema),
    ("$ref", Shape::Text),
    ("$dynamicRef", Shape::Text),
    ("$schema", Shape::Text),
    ("$id", Shape::Id),
    ("$anchor", Shape::Anchor),
    ("$dynamicAnchor", Shape::Anchor),
    ("$comment", Shape::Text),
    ("$vocabulary", Shape::Map),
    ("title", Shape::Text),
    ("description", Shape::Text),
    ("contentEncoding", Shape::Text),
    ("contentMediaType", Shape::Text),
    ("deprecated", Shape::Flag),
    ("readOnly", Shape::Flag),
    ("writeOnly", Shape::Flag),
    ("examples", Shape::List),
];

/// Everything that is wrong with the keywords of a document, and of what it refers to where no keyword holds schemas. The
/// depth of the document is bounded.
pub(super) fn violations(root: &Value, dialect: Dialect, names: Option<&Names>) -> Vec<Violation> {
    if dialect == Dialect::Draft202012 && is_plain(root) {
        return Vec::new();
    }
    let mut walk = Walk { root, dialect, names, seen: HashSet::new(), waiting: Vec::new(), found: Vec::new() };
    walk.schema(root, &Pointer::root());
    // A list of what is still to do, as references may lead on in a chain of any length.
    while let Some((schema, pointer)) = walk.waiting.pop() {
        walk.schema(schema, &pointer);
    }
    walk.found
}

/// Whether all of it is right at first sight, as schemas mostly are: where things stand is only spelt out for the others.
fn is_plain(schema: &Value) -> bool {
    let Value::Object(node) = schema else { return schema.is_boolean() };
    let shape = |keyword: &str| SHAPES.iter().find(|(name, _)| *name == keyword);
    node.iter().all(|(keyword, value)| shape(keyword).is_none_or(|(name, shape)| has_shape(name, *shape, value)))
        && inside(node).into_iter().all(|(_, child)| is_plain(child))
}

fn has_shape(keyword: &str, shape: Shape, value: &Value) -> bool {
    let is_schema = |value: &Value| value.is_boolean() || value.is_object();
    match (shape, value) {
        (Shape::Schema | Shape::Items, value) => is_schema(value),
        (Shape::SchemaMap, Value::Object(entries)) => entries.values().all(is_schema),
        (Shape::Schemas, Value::Array(items)) => !items.is_empty() && items.iter().all(is_schema),
        (Shape::Types, Value::String(name)) => TYPES.contains(&name.as_str()),
        // What a definition is stands where the walk comes to it; other places may be no schemas.
        (Shape::Text, Value::String(text)) if keyword == "$ref" => {
            text.strip_prefix("#/$defs/").is_some_and(|name| !name.contains('/'))
        }
        (Shape::Text, Value::String(_)) => keyword != "$dynamicRef",
        (Shape::Names, Value::Array(names)) => {
            let twice = |(index, name): (usize, &Value)| names[..index].contains(name);
            names.iter().all(Value::is_string) && !names.iter().enumerate().any(twice)
        }
        (Shape::Count, Value::Number(count)) => count.is_u64(),
        (Shape::Number, Value::Number(_))
        | (Shape::Flag, Value::Bool(_))
        | (Shape::List, Value::Array(_))
        | (Shape::Map, Value::Object(_)) => true,
        _ => false,
    }
}

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// A pattern, and the check of it.
type TextRule = (&'static str, fn(&str) -> bool);

struct Walk<'a> {
    root: &'a Value,
    dialect: Dialect,
    names: Option<&'a Names>,
    seen: HashSet<*const Value>,
    waiting: Vec<(&'a Value, Pointer)>,
    found: Vec<Violation>,
}

impl<'a> Walk<'a> {
    fn schema(&mut self, schema: &'a Value, at: &Pointer) {
        if !self.seen.insert(std::ptr::from_ref(schema)) {
            return;
        }
        let node = match schema {
            Value::Object(node) => node,
            Value::Bool(_) => return,
            other => return self.refuse(at, "must be a boolean or an object", other),
        };
        let dialect = self.dialect;
        for (keyword, value) in node.iter().filter(|(keyword, _)| dialect.has(keyword)) {
            if let Some((_, shape)) = SHAPES.iter().find(|(name, _)| name == keyword) {
                self.keyword(*shape, value, &at.child(keyword));
            }
        }
        for child in children(node, at).into_iter().filter(|child| dialect.has(child.keyword)) {
            self.schema(child.schema, &child.pointer);
        }
        self.refer(node);
    }

    /// What a reference points at is a schema too, wherever it stands.
    fn refer(&mut self, node: &'a Map<String, Value>) {
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(reference) = node.get(keyword).and_then(Value::as_str) else { continue };
            if let Some(Ok((target, pointer))) = self.names.map(|names| names.resolve(self.root, reference)) {
                self.waiting.push((target, pointer));
            }
        }
    }

    fn keyword(&mut self, shape: Shape, value: &'a Value, at: &Pointer) {
        match shape {
            Shape::Schema => self.is_schema(value, at),
            Shape::Schemas => self.schemas(value, at, 1),
            Shape::SchemaMap => self.each(value, at, Self::is_schema),
            Shape::Types => self.types(value, at),
            Shape::Anchor => self.text(value, at, Some(("^[A-Za-z_][-A-Za-z0-9._]*$", is_anchor))),
            Shape::Id if self.dialect == Dialect::Draft202012 => {
                self.text(value, at, Some(("^[^#]*#?$", |text| !text.trim_end_matches('#').contains('#'))));
            }
            Shape::Text | Shape::Id => self.text(value, at, None),
            Shape::Flag => self.is(value.is_boolean(), at, "must be a boolean", value),
            Shape::Number => self.is(value.is_number(), at, "must be a number", value),
            Shape::Step => self.step(value, at),
            Shape::Count => self.count(value, at),
            Shape::Names => self.names(value, at),
            Shape::List => self.is(value.is_array(), at, "must be an array", value),
            Shape::Map => self.is(value.is_object(), at, "must be an object", value),
            Shape::Dependencies => self.each(value, at, |walk, value, at| match value {
                Value::Array(_) => walk.names(value, at),
                other => walk.is_schema(other, at),
            }),
            Shape::NameMap => self.each(value, at, Self::names),
            Shape::Items => match value {
                Value::Array(_) if self.dialect == Dialect::Draft07 => self.schemas(value, at, 1),
                other => self.is_schema(other, at),
            },
        }
    }

    fn refuse(&mut self, at: &Pointer, what: &str, got: &Value) {
        let keyword = at.segments().next_back().unwrap_or_default();
        let message = format!("{} {what}, got {}{}", in_schema(at), shown(got), hint(&keyword, got));
        self.found.push(Violation::new(at.clone(), message));
    }

    fn is(&mut self, holds: bool, at: &Pointer, what: &str, got: &Value) {
        if !holds {
            self.refuse(at, what, got);
        }
    }

    /// What is a schema is looked into where the walk comes to it.
    fn is_schema(&mut self, value: &'a Value, at: &Pointer) {
        self.is(value.is_boolean() || value.is_object(), at, "must be a boolean or an object", value);
    }

    fn each(&mut self, value: &'a Value, at: &Pointer, check: impl Fn(&mut Self, &'a Value, &Pointer)) {
        match value {
            Value::Object(entries) => {
                for (name, value) in entries {
                    check(self, value, &at.child(name));
                }
            }
            other => self.refuse(at, "must be an object", other),
        }
    }

    fn schemas(&mut self, value: &'a Value, at: &Pointer, least: usize) {
        let Value::Array(items) = value else { return self.refuse(at, "must be an array", value) };
        if items.len() < least {
            self.found.push(Violation::new(at.clone(), format!("{} must have at least {least} items", in_schema(at))));
        }
        for (index, item) in items.iter().enumerate() {
            self.is_schema(item, &at.index(index));
        }
    }

    fn types(&mut self, value: &Value, at: &Pointer) {
        let is_type = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
        let several = |names: &Vec<Value>| {
            let distinct: HashSet<_> = names.iter().filter_map(Value::as_str).collect();
            !names.is_empty() && names.iter().all(is_type) && distinct.len() == names.len()
        };
        let holds = is_type(value) || value.as_array().is_some_and(several);
        let words = "must be one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\" and \"string\", or a list \
                     of them";
        self.is(holds, at, words, value);
    }

    fn text(&mut self, value: &Value, at: &Pointer, pattern: Option<TextRule>) {
        match (value.as_str(), pattern) {
            (None, _) => self.refuse(at, "must be a string", value),
            (Some(text), Some((pattern, holds))) if !holds(text) => {
                self.refuse(at, &format!("must match {}", quoted(pattern)), value);
            }
            _ => {}
        }
    }

    fn step(&mut self, value: &Value, at: &Pointer) {
        match value {
            Value::Number(number) if compare(number, &Number::from(0)).is_gt() => {}
            Value::Number(_) => self.refuse(at, "must be greater than 0", value),
            other => self.refuse(at, "must be a number", other),
        }
    }

    fn count(&mut self, value: &Value, at: &Pointer) {
        let is_whole = |number: &Number| number.as_f64().is_some_and(|float| float.fract() == 0.0);
        match value {
            Value::Number(number) if whole(number).is_some() || is_whole(number) => {
                self.is(!compare(number, &Number::from(0)).is_lt(), at, "must be at least 0", value);
            }
            other => self.refuse(at, "must be an integer", other),
        }
    }

    fn names(&mut self, value: &'a Value, at: &Pointer) {
        let Value::Array(names) = value else { return self.refuse(at, "must be an array", value) };
        for (index, name) in names.iter().enumerate() {
            self.text(name, &at.index(index), None);
        }
        if names.iter().enumerate().any(|(index, name)| names[..index].iter().any(|other| equal(other, name))) {
            self.found.push(Violation::new(at.clone(), format!("{} must not name anything twice", in_schema(at))));
        }
    }
}

fn is_anchor(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
}

/// What older drafts allowed and these do not.
fn hint(keyword: &str, got: &Value) -> &'static str {
    match (keyword, got) {
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => {
            "; only draft-04 has booleans here, write the bound itself"
        }
        ("required", Value::Bool(_)) => "; list the name in the \"required\" of the object around it",
        _ => "",
    }
}
