//! Other names under which a field of the arguments is read: `#[serde(alias = "…")]`.
//!
//! An alias is not published, so that the model is told one name for one thing. A call that uses it is read all the same:
//! the alias becomes its field before the schema is checked, and everything after that knows the field's own name only.

use serde_json::{Map, Value};

use super::keywords::{any, change_all};
use super::markers::ALIASES;
use crate::json::JsonValue;

/// The aliases of a schema, at their places in it.
#[derive(Clone, Debug)]
pub(super) struct Aliases {
    /// The schema with the marks in it.
    marked: Value,
}

impl Aliases {
    /// Takes the aliases out of a schema that is about to be published.
    pub(super) fn take(schema: &mut Value) -> Option<Self> {
        if !any(schema, &|node| node.contains_key(ALIASES)) {
            return None;
        }
        let mut marked = schema.clone();
        change_all(schema, &mut |node| {
            node.shift_remove(ALIASES);
        });
        // What is not looked at need not be kept.
        change_all(&mut marked, &mut |node| {
            node.shift_remove("description");
        });
        Some(Self { marked })
    }

    /// Renames, in a value, each alias that stands where its field could. Where both stand, nothing is renamed, and the
    /// alias is refused as the unknown key that it then is.
    pub(super) fn resolve(&self, value: &mut JsonValue) {
        self.visit(&[&self.marked], value);
    }

    /// `schemas` are those that a value may have to follow; the depth of values is bounded where they are parsed.
    fn visit<'a>(&'a self, schemas: &[&'a Value], value: &mut JsonValue) {
        let mut nodes = Vec::new();
        for schema in schemas {
            self.gather(schema, &mut nodes);
        }
        match value {
            Value::Object(entries) => {
                rename(&nodes, entries);
                for (name, entry) in entries {
                    let below: Vec<&Value> = nodes.iter().filter_map(|node| property(node, name)).collect();
                    if !below.is_empty() {
                        self.visit(&below, entry);
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let below: Vec<&Value> = nodes.iter().filter_map(|node| element(node, index)).collect();
                    if !below.is_empty() {
                        self.visit(&below, item);
                    }
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
        if let Some(target) = node.get("$ref").and_then(Value::as_str).and_then(|name| self.target(name)) {
            self.gather(target, nodes);
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            for branch in node.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.gather(branch, nodes);
            }
        }
    }

    fn target(&self, reference: &str) -> Option<&Value> {
        self.marked.pointer(reference.strip_prefix('#')?)
    }
}

fn property<'a>(node: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    node.get("properties").and_then(|properties| properties.get(name)).or_else(|| node.get("additionalProperties"))
}

fn element(node: &Map<String, Value>, index: usize) -> Option<&Value> {
    let fixed = node.get("prefixItems").and_then(|items| items.get(index));
    fixed.or_else(|| node.get("items"))
}

fn rename(nodes: &[&Map<String, Value>], entries: &mut Map<String, Value>) {
    let declared = || nodes.iter().filter_map(|node| node.get("properties")?.as_object()).flatten();
    let mut renamed = Vec::new();
    for (field, schema) in declared() {
        for alias in schema.get(ALIASES).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            let is_field = declared().any(|(name, _)| name == alias);
            if !is_field && entries.contains_key(alias) && !entries.contains_key(field) {
                renamed.push((alias.to_owned(), field.clone()));
            }
        }
    }
    // Two aliases of one field: the second stays, and is refused.
    renamed.dedup_by(|later, earlier| later.1 == earlier.1);
    if renamed.is_empty() {
        return;
    }
    // Each entry keeps its place.
    for (name, value) in std::mem::take(entries) {
        let field = renamed.iter().find(|(alias, _)| *alias == name).map(|(_, field)| field.clone());
        entries.insert(field.unwrap_or(name), value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn resolved(value: Value) -> String {
        let mut schema = json!({
            "type": "object",
            "properties": {
                "type": {"type": "string", "x-tool-aliases": ["kind", "sort"]},
                "rows": {"type": "array", "items": {"$ref": "#/$defs/Row"}},
                "one": {"anyOf": [{"$ref": "#/$defs/Row"}, {"type": "null"}]},
                "by_name": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Row"}},
            },
            "$defs": {
                "Row": {
                    "type": "object",
                    "properties": {
                        "n": {"type": "integer", "x-tool-aliases": ["number"]},
                        "next": {"$ref": "#/$defs/Row"},
                    },
                },
            },
        });
        let aliases = Aliases::take(&mut schema).unwrap();
        assert!(!schema.to_string().contains(ALIASES));
        let mut value = value;
        aliases.resolve(&mut value);
        value.to_string()
    }

    #[test]
    fn an_alias_becomes_its_field_in_its_place() {
        assert_eq!(resolved(json!({"a": 1, "kind": "x", "b": 2})), r#"{"a":1,"type":"x","b":2}"#);
        assert_eq!(resolved(json!({"sort": "x"})), r#"{"type":"x"}"#);
    }

    #[test]
    fn it_is_found_through_references_lists_maps_and_options() {
        assert_eq!(resolved(json!({"rows": [{"number": 1}, {"n": 2}]})), r#"{"rows":[{"n":1},{"n":2}]}"#);
        assert_eq!(resolved(json!({"one": {"number": 1}})), r#"{"one":{"n":1}}"#);
        assert_eq!(resolved(json!({"by_name": {"number": {"number": 1}}})), r#"{"by_name":{"number":{"n":1}}}"#);
        assert_eq!(resolved(json!({"one": {"next": {"next": {"number": 1}}}})), r#"{"one":{"next":{"next":{"n":1}}}}"#);
    }

    #[test]
    fn beside_its_field_it_stays_what_it_is_an_unknown_key() {
        assert_eq!(resolved(json!({"type": "x", "kind": "y"})), r#"{"type":"x","kind":"y"}"#);
        assert_eq!(resolved(json!({"kind": "x", "sort": "y"})), r#"{"type":"x","sort":"y"}"#);
    }

    #[test]
    fn a_schema_without_aliases_costs_nothing() {
        assert!(Aliases::take(&mut json!({"type": "object", "properties": {"a": true}})).is_none());
    }
}
