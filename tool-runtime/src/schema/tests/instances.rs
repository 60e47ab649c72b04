//! Values that a schema was made for, so that many of them are valid, and the rest nearly so.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::verdicts::values;
use crate::json::Pointer;

/// Deepest that a value is made.
const MAX_DEPTH: usize = 5;

/// What decides: one number for each choice, and zeros when they are spent.
pub(super) fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..40)
}

/// A value that the document was made for, as far as that is easily told.
pub(super) fn instance(document: &Value, choices: &[u32]) -> Value {
    let mut maker = Maker { document, choices, next: 0 };
    maker.value(document, 0)
}

/// Changes one part of a value into another, or leaves it out.
pub(super) fn changed(value: Value) -> BoxedStrategy<Value> {
    let places = places(&value, &Pointer::root());
    let change = (prop::sample::select(places), prop::option::of(values()));
    prop_oneof![
        2 => Just(value.clone()),
        1 => change.prop_map(move |(at, other)| {
            let mut value = value.clone();
            replace(&mut value, &at, other);
            value
        }),
    ]
    .boxed()
}

fn places(value: &Value, at: &Pointer) -> Vec<Pointer> {
    let mut found = vec![at.clone()];
    match value {
        Value::Array(items) => {
            found.extend(items.iter().enumerate().flat_map(|(index, item)| places(item, &at.index(index))));
        }
        Value::Object(entries) => {
            found.extend(entries.iter().flat_map(|(name, item)| places(item, &at.child(name))));
            found.push(at.child("c"));
        }
        _ => {}
    }
    found
}

fn replace(value: &mut Value, at: &Pointer, other: Option<Value>) {
    let (parent, key) = at.as_str().rsplit_once('/').unwrap_or_default();
    let parent = if at.as_str().is_empty() { None } else { value.pointer_mut(parent) };
    match (parent, other) {
        (Some(Value::Object(entries)), Some(other)) => drop(entries.insert(key.to_owned(), other)),
        (Some(Value::Object(entries)), None) => drop(entries.shift_remove(key)),
        (Some(Value::Array(items)), other) => {
            let index: usize = key.parse().unwrap_or_default();
            match other {
                Some(other) => items[index] = other,
                None => drop(items.remove(index)),
            }
        }
        (_, other) => *value = other.unwrap_or_default(),
    }
}

struct Maker<'a> {
    document: &'a Value,
    choices: &'a [u32],
    next: usize,
}

impl Maker<'_> {
    fn below(&mut self, count: usize) -> usize {
        let choice = self.choices.get(self.next).copied().unwrap_or(0) as usize;
        self.next += 1;
        choice % count.max(1)
    }

    fn one_of<'v, T>(&mut self, items: &'v [T]) -> Option<&'v T> {
        let index = self.below(items.len());
        items.get(index)
    }

    fn scalar(&mut self) -> Value {
        let scalars = [json!(null), json!(true), json!(1), json!(0.5), json!("a"), json!([]), json!({})];
        self.one_of(&scalars).cloned().unwrap_or_default()
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(node) = schema else { return self.scalar() };
        if depth > MAX_DEPTH {
            return self.scalar();
        }
        if let Some(only) = node.get("const") {
            return only.clone();
        }
        if let Some(Value::Array(several)) = node.get("enum") {
            return self.one_of(several).cloned().unwrap_or_default();
        }
        let mut value = self.own(node, depth);
        for part in self.parts(node) {
            let of_part = self.value(part, depth + 1);
            match (&mut value, of_part) {
                (Value::Object(entries), Value::Object(more)) => entries.extend(more),
                (_, Value::Object(more)) if more.is_empty() => {}
                (value, of_part) => *value = of_part,
            }
        }
        value
    }

    /// The schemas beside a node that the value follows too.
    fn parts<'v>(&mut self, node: &'v Map<String, Value>) -> Vec<&'v Value>
    where
        Self: 'v,
    {
        let mut parts = Vec::new();
        for keyword in ["anyOf", "oneOf"] {
            let branches = node.get(keyword).and_then(Value::as_array);
            parts.extend(branches.and_then(|branches| self.one_of(branches)));
        }
        parts.extend(node.get("allOf").and_then(Value::as_array).into_iter().flatten());
        if node.contains_key("if") {
            let both = [node.get("if"), node.get("then")];
            let chosen = if self.below(2) == 0 { both } else { [None, node.get("else")] };
            parts.extend(chosen.into_iter().flatten());
        }
        parts
    }

    fn own(&mut self, node: &Map<String, Value>, depth: usize) -> Value {
        let target = node.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        if let Some(target) = target.and_then(|pointer| self.document.pointer(pointer)) {
            return self.value(&target.clone(), depth + 1);
        }
        let kind = match node.get("type") {
            Some(Value::Array(kinds)) => self.one_of(kinds).and_then(Value::as_str).unwrap_or_default(),
            Some(kind) => kind.as_str().unwrap_or_default(),
            None => kind_of(node),
        };
        match kind {
            "null" => Value::Null,
            "boolean" => json!(self.below(2) == 0),
            "integer" => self.number(node, &[json!(0), json!(1), json!(2), json!(6), json!(-3), json!(1.0)]),
            "number" => self.number(node, &[json!(0), json!(0.5), json!(0.07), json!(2.0), json!(6), json!(-2.5)]),
            "string" => {
                let texts = ["a", "", "ab", "bb", "a@b.cd", "ä"];
                self.one_of(&texts).copied().into()
            }
            "array" => self.array(node, depth),
            "object" => self.object(node, depth),
            _ => self.scalar(),
        }
    }

    fn number(&mut self, node: &Map<String, Value>, usual: &[Value]) -> Value {
        let edges = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        let edges: Vec<&Value> = edges.iter().filter_map(|keyword| node.get(*keyword)).collect();
        if !edges.is_empty() && self.below(2) == 0 {
            return self.one_of(&edges).map(|edge| (*edge).clone()).unwrap_or_default();
        }
        self.one_of(usual).cloned().unwrap_or_default()
    }

    fn array(&mut self, node: &Map<String, Value>, depth: usize) -> Value {
        let empty = Vec::new();
        let first = node.get("prefixItems").or(node.get("items")).and_then(Value::as_array).unwrap_or(&empty);
        let rest = node.get("items").filter(|items| !items.is_array()).or(node.get("additionalItems"));
        let contained = node.get("contains");
        let count = first.len() + self.below(3);
        let any = Value::Bool(true);
        let items = (0..count).map(|index| {
            let schema = match first.get(index) {
                Some(schema) => schema,
                None if self.below(2) == 0 => contained.or(rest).unwrap_or(&any),
                None => rest.unwrap_or(&any),
            };
            self.value(schema, depth + 1)
        });
        Value::Array(items.collect())
    }

    fn object(&mut self, node: &Map<String, Value>, depth: usize) -> Value {
        let mut entries = Map::new();
        let empty = Map::new();
        let properties = node.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let required = node.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for name in required {
            let value = match properties.get(name) {
                Some(schema) => self.value(schema, depth + 1),
                None => self.scalar(),
            };
            entries.insert(name.to_owned(), value);
        }
        for (name, schema) in properties {
            if !entries.contains_key(name) && self.below(2) == 0 {
                entries.insert(name.clone(), self.value(schema, depth + 1));
            }
        }
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if let Some(schema) = node.get(keyword).filter(|schema| *schema != &json!(false))
                && self.below(2) == 0
            {
                entries.insert("c".to_owned(), self.value(schema, depth + 1));
            }
        }
        for schema in node.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::values) {
            if self.below(2) == 0 {
                entries.insert("a".to_owned(), self.value(schema, depth + 1));
            }
        }
        Value::Object(entries)
    }
}

/// The kind of value that keywords without a `type` are about.
fn kind_of(node: &Map<String, Value>) -> &'static str {
    const ABOUT: &[(&str, &str)] = &[
        ("properties", "object"),
        ("required", "object"),
        ("additionalProperties", "object"),
        ("unevaluatedProperties", "object"),
        ("patternProperties", "object"),
        ("dependentRequired", "object"),
        ("dependentSchemas", "object"),
        ("propertyNames", "object"),
        ("items", "array"),
        ("prefixItems", "array"),
        ("contains", "array"),
        ("uniqueItems", "array"),
        ("minItems", "array"),
        ("minimum", "number"),
        ("maximum", "number"),
        ("multipleOf", "number"),
        ("pattern", "string"),
        ("minLength", "string"),
        ("maxLength", "string"),
    ];
    ABOUT.iter().find(|(keyword, _)| node.contains_key(*keyword)).map_or("", |(_, kind)| kind)
}
