//! Secrets in values, by their schema: what stands where a field is marked, and what stands where nothing is declared.
//!
//! Derived types mark their fields with `#[tool(secret)]` and `#[tool_output(secret)]`. In any schema, `"writeOnly": true` and
//! the format `password` mark a place too; the arguments of a derived tool are published with the former.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::graph;
use super::keywords::{Place, any, change_all, each, may_be};
use super::markers::SECRET;
use super::references::Names;
use crate::json::{JsonValue, Pointer};
use crate::secret::MARK;

/// The secret places of a schema.
#[derive(Debug)]
pub(crate) struct Secrets {
    /// The schema with the marks in it.
    marked: Value,
    names: Names,
    /// Every name of a property: they are published, and so no secrets.
    published: HashSet<String>,
}

/// What of a value is hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hides {
    /// What stands in a secret place.
    Declared,
    /// That, and what stands where nothing is declared, or where a value of another kind belongs: a misspelt key may hold
    /// what belongs under the right one.
    Everything,
}

/// Values that messages must not show, by address.
#[derive(Debug)]
pub(super) struct Hidden(HashSet<*const Value>);

impl Hidden {
    pub(super) fn has(&self, value: &Value) -> bool {
        self.0.contains(&std::ptr::from_ref(value))
    }
}

/// Takes the marks out of a schema that is about to be published; the schema with its marks, if it has some.
pub(super) fn take(schema: &mut Value) -> Option<Value> {
    if !any(schema, &is_secret) {
        return None;
    }
    let mut marked = schema.clone();
    // What is not looked at need not be kept.
    change_all(&mut marked, &mut |node| {
        node.shift_remove("description");
    });
    remove_secret_defaults(schema);
    change_all(schema, &mut |node| {
        node.shift_remove(SECRET);
    });
    Some(marked)
}

/// A default would be published, and tell what a secret is if it is left out.
fn remove_secret_defaults(schema: &mut Value) {
    let secrets = Secrets::new(schema.clone());
    change_all(schema, &mut |node| {
        let Some(default) = node.get("default") else { return };
        if secrets.hides_in(&Value::Object(node.clone()), default, Hides::Declared) {
            node.shift_remove("default");
        }
    });
}

/// Whether what a schema describes is a secret.
pub(super) fn is_secret(node: &Map<String, Value>) -> bool {
    let says = |keyword: &str| node.get(keyword).is_some_and(|value| value == true);
    says(SECRET) || says("writeOnly") || node.get("format").is_some_and(|format| format == "password")
}

impl Secrets {
    pub(super) fn new(marked: Value) -> Self {
        let names = graph::survey(&marked).map(|survey| survey.names).unwrap_or_default();
        let mut published = HashSet::new();
        change_all(&mut marked.clone(), &mut |node| {
            published
                .extend(node.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned());
        });
        Self { marked, names, published }
    }

    /// The schema with the marks in it.
    pub(super) fn marked(&self) -> &Value {
        &self.marked
    }

    /// The value with a mark in the place of whatever is hidden.
    pub(crate) fn masked<'v>(&self, value: &'v JsonValue, hides: Hides) -> Cow<'v, JsonValue> {
        let mut hidden = HashSet::new();
        self.visit(&[&self.marked], value, hides, &mut |value| {
            hidden.insert(std::ptr::from_ref(value));
        });
        if hidden.is_empty() { Cow::Borrowed(value) } else { Cow::Owned(rebuilt(value, &hidden)) }
    }

    /// The texts and numbers that are hidden, and the keys that nobody publishes.
    pub(crate) fn texts(&self, value: &JsonValue, hides: Hides) -> Vec<String> {
        let mut texts = Vec::new();
        self.visit(&[&self.marked], value, hides, &mut |value| self.collect(value, &mut texts));
        texts
    }

    /// Whether a place of a value is hidden, or is none of it.
    pub(crate) fn hides(&self, value: &JsonValue, place: &Pointer) -> bool {
        let hidden = self.hidden_in(value);
        let mut at = value;
        for segment in place.segments() {
            let below = match at {
                Value::Array(items) => segment.parse::<usize>().ok().and_then(|index| items.get(index)),
                other => other.get(segment.as_ref()),
            };
            match below {
                Some(below) => at = below,
                None => return hidden.has(at),
            }
        }
        hidden.has(at)
    }

    /// What messages must not show of a value.
    pub(super) fn hidden_in(&self, value: &JsonValue) -> Hidden {
        let mut hidden = HashSet::new();
        self.visit(&[&self.marked], value, Hides::Everything, &mut |value| add_all(value, &mut hidden));
        Hidden(hidden)
    }

    fn hides_in(&self, schema: &Value, value: &Value, hides: Hides) -> bool {
        let mut found = false;
        self.visit(&[schema], value, hides, &mut |_| found = true);
        found
    }

    fn collect(&self, value: &Value, texts: &mut Vec<String>) {
        match value {
            Value::String(text) => texts.push(text.clone()),
            Value::Number(number) => {
                texts.push(number.to_string());
                let whole = crate::json::whole(number).map(|whole| whole.to_string());
                texts.extend(whole);
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item, texts)),
            Value::Object(entries) => {
                for (key, entry) in entries {
                    if !self.published.contains(key) {
                        texts.push(key.clone());
                    }
                    self.collect(entry, texts);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Calls `found` with each outermost value that is hidden. `schemas` are those that the value may have to follow; the
    /// depth of values is bounded where they are parsed.
    fn visit<'v>(&self, schemas: &[&Value], value: &'v Value, hides: Hides, found: &mut dyn FnMut(&'v Value)) {
        let mut nodes = Vec::new();
        for schema in schemas {
            self.gather(schema, &mut nodes);
        }
        if nodes.iter().any(|node| is_secret(node)) || (hides == Hides::Everything && is_misplaced(&nodes, value)) {
            return found(value);
        }
        match value {
            Value::Object(entries) => {
                let is_described = nodes.iter().any(|node| describes_keys(node));
                for (name, entry) in entries {
                    let below: Vec<&Value> = nodes.iter().flat_map(|node| properties(node, name)).collect();
                    if !below.is_empty() || !is_described {
                        self.visit(&below, entry, hides, found);
                    } else if hides == Hides::Everything {
                        found(entry);
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let below: Vec<&Value> = nodes.iter().filter_map(|node| element(node, index)).collect();
                    self.visit(&below, item, hides, found);
                }
            }
            _ => {}
        }
    }

    /// The objects among the schemas that apply in one place, each once, so that recursion through references ends.
    fn gather<'a>(&'a self, schema: &'a Value, nodes: &mut Vec<&'a Map<String, Value>>) {
        let Value::Object(node) = schema else { return };
        if nodes.iter().any(|known| std::ptr::eq(*known, node)) {
            return;
        }
        nodes.push(node);
        if let Some(reference) = node.get("$ref").and_then(Value::as_str)
            && let Ok((target, _)) = self.names.resolve(&self.marked, reference)
        {
            self.gather(target, nodes);
        }
        each(node, &mut |keyword, _, child, place| {
            // What a test describes says nothing of the value.
            if place == Place::Same && !matches!(keyword, "not" | "if") {
                self.gather(child, nodes);
            }
        });
    }
}

/// Whether a value is where one of another kind belongs: an object or a list anywhere else, or a text (which may hold JSON) or
/// a number in place of one.
fn is_misplaced(nodes: &[&Map<String, Value>], value: &Value) -> bool {
    let mut typed =
        nodes.iter().filter(|node| ["type", "const", "enum"].iter().any(|keyword| node.contains_key(*keyword)));
    let takes = |kind: &str| {
        let fixed = |node: &Map<String, Value>| node.contains_key("const") || node.contains_key("enum");
        nodes.iter().any(|node| node.contains_key("type") && may_be(node, kind))
            || nodes.iter().any(|node| fixed(node) && !node.contains_key("type"))
    };
    if typed.next().is_none() {
        return false;
    }
    match value {
        Value::Object(_) => !takes("object"),
        Value::Array(_) => !takes("array"),
        Value::String(_) => !takes("string") && (takes("object") || takes("array")),
        Value::Number(_) => !takes("number") && !takes("integer") && (takes("object") || takes("array")),
        Value::Null | Value::Bool(_) => false,
    }
}

/// Whether a schema says which keys an object has. One that takes any value under any key says nothing.
fn describes_keys(node: &Map<String, Value>) -> bool {
    ["properties", "patternProperties"].iter().any(|keyword| node.contains_key(*keyword))
        || node.get("additionalProperties").is_some_and(|rest| rest != true)
}

fn properties<'a>(node: &'a Map<String, Value>, name: &str) -> Vec<&'a Value> {
    if let Some(property) = node.get("properties").and_then(|properties| properties.get(name)) {
        return vec![property];
    }
    // Whichever pattern the name matches: one too many hides too much.
    let patterns = node.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::values);
    let rest = ["additionalProperties", "unevaluatedProperties"].into_iter().filter_map(|keyword| node.get(keyword));
    patterns.chain(rest.filter(|rest| rest.is_object())).collect()
}

fn element(node: &Map<String, Value>, index: usize) -> Option<&Value> {
    let fixed = node.get("prefixItems").or_else(|| node.get("items")).and_then(|items| items.get(index));
    fixed.or_else(|| node.get("items")).or_else(|| node.get("additionalItems"))
}

fn rebuilt(value: &Value, hidden: &HashSet<*const Value>) -> Value {
    if hidden.contains(&std::ptr::from_ref(value)) {
        return MARK.into();
    }
    match value {
        Value::Array(items) => items.iter().map(|item| rebuilt(item, hidden)).collect(),
        Value::Object(entries) => {
            Value::Object(entries.iter().map(|(key, entry)| (key.clone(), rebuilt(entry, hidden))).collect())
        }
        other => other.clone(),
    }
}

fn add_all(value: &Value, hidden: &mut HashSet<*const Value>) {
    hidden.insert(std::ptr::from_ref(value));
    match value {
        Value::Array(items) => items.iter().for_each(|item| add_all(item, hidden)),
        Value::Object(entries) => entries.values().for_each(|entry| add_all(entry, hidden)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn secrets() -> Secrets {
        let mut schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "password": {"type": "string", "x-tool-secret": true, "default": "dflt"},
                "pin": {"anyOf": [{"$ref": "#/$defs/Pin"}, {"type": "null"}], "writeOnly": true},
                "logins": {"type": "array", "items": {"$ref": "#/$defs/Login"}},
                "by_name": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Login"}},
                "headers": {"type": "object", "additionalProperties": {"type": "string", "format": "password"}},
                "any": true,
                "open": {"type": "object", "additionalProperties": true},
                "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "string", "writeOnly": true}]},
            },
            "additionalProperties": false,
            "$defs": {
                "Pin": {"type": "integer"},
                "Login": {
                    "default": {"key": "dflt"},
                    "oneOf": [
                        {"type": "object", "properties": {"kind": {"const": "key"}, "key": {"type": "string", "x-tool-secret": true}}},
                        {"type": "object", "properties": {"kind": {"const": "all"}, "next": {"$ref": "#/$defs/Login"}}},
                    ],
                },
            },
        });
        let marked = take(&mut schema).unwrap();
        assert!(!schema.to_string().contains("x-tool"), "{schema}");
        assert!(!schema.to_string().contains("dflt"), "{schema}");
        Secrets::new(marked)
    }

    fn masked(value: &Value) -> Value {
        secrets().masked(value, Hides::Everything).into_owned()
    }

    #[test]
    fn marked_places_are_masked_through_references_lists_maps_and_unions() {
        let login = json!({"kind": "key", "key": "k"});
        let hidden = json!({"kind": "key", "key": MARK});
        for (value, shown) in [
            (json!({"name": "n", "password": "p"}), json!({"name": "n", "password": MARK})),
            (json!({"pin": 12}), json!({"pin": MARK})),
            (
                json!({"logins": [login, {"next": {"next": login}}]}),
                json!({"logins": [hidden, {"next": {"next": hidden}}]}),
            ),
            (json!({"by_name": {"key": login}}), json!({"by_name": {"key": hidden}})),
            (json!({"headers": {"a": "b"}}), json!({"headers": {"a": MARK}})),
            (json!({"pair": ["a", "b"]}), json!({"pair": ["a", MARK]})),
            (json!({"any": {"a": [1]}, "open": {"b": {}}}), json!({"any": {"a": [1]}, "open": {"b": {}}})),
        ] {
            assert_eq!(masked(&value), shown);
            assert_eq!(masked(&shown), shown, "twice changes nothing");
        }
    }

    #[test]
    fn what_is_not_declared_or_out_of_place_is_masked_too() {
        for (value, shown) in [
            (json!({"pasword": "p", "name": "n"}), json!({"pasword": MARK, "name": "n"})),
            (json!({"name": {"password": "p"}}), json!({"name": MARK})),
            (json!({"name": ["p"]}), json!({"name": MARK})),
            (json!({"logins": "[{\"key\": \"k\"}]"}), json!({"logins": MARK})),
            (json!({"logins": [["k"]]}), json!({"logins": [MARK]})),
            (json!(["p"]), json!(MARK)),
            (json!("{\"password\": \"p\"}"), json!(MARK)),
            (json!({"name": 5}), json!({"name": 5})),
        ] {
            assert_eq!(masked(&value), shown);
        }
        let declared = secrets();
        let value = json!({"pasword": "p", "password": "p"});
        assert_eq!(*declared.masked(&value, Hides::Declared), json!({"pasword": "p", "password": MARK}));
    }

    #[test]
    fn texts_numbers_and_unpublished_keys_are_told() {
        let value = json!({"password": {"name": "a", "x": [1.0, true, null]}, "pin": 12, "name": "n", "nme": "m"});
        let mut texts = secrets().texts(&value, Hides::Declared);
        texts.sort();
        assert_eq!(texts, ["1", "1.0", "12", "12", "a", "x"]);
        assert!(secrets().texts(&value, Hides::Everything).contains(&"m".to_owned()));
    }

    #[test]
    fn a_place_in_a_secret_is_hidden() {
        let value = json!({"password": {"a": [1]}, "name": "n", "logins": [{"kind": "key", "key": 5}]});
        for (place, hides) in [
            ("/password", true),
            ("/password/a/0", true),
            ("/password/gone", true),
            ("/name", false),
            ("/logins/0/key", true),
            ("/logins/0", false),
            ("/gone", false),
            ("", false),
        ] {
            assert_eq!(secrets().hides(&value, &Pointer::parse(place).unwrap()), hides, "{place}");
        }
    }

    #[test]
    fn a_schema_without_marks_costs_nothing() {
        assert!(take(&mut json!({"type": "object", "properties": {"a": {"type": "string"}}})).is_none());
    }
}
