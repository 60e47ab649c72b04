//! The properties of arguments that are part of their canonical input: `#[tool(canonical)]`.

use serde_json::{Map, Value};

use super::keywords::{any, change_all};
use super::markers::CANONICAL;
use crate::json::JsonValue;

/// Where the canonical input of a tool's arguments is.
#[derive(Clone, Debug)]
pub(crate) struct Projected {
    /// The schema with the marks in it.
    marked: Value,
}

impl Projected {
    /// Takes the marks out of a schema that is about to be published.
    pub(super) fn take(schema: &mut Value) -> Option<Self> {
        if !any(schema, &|node| node.contains_key(CANONICAL)) {
            return None;
        }
        let mut marked = schema.clone();
        change_all(schema, &mut |node| {
            node.shift_remove(CANONICAL);
        });
        // What is not looked at need not be kept.
        change_all(&mut marked, &mut |node| {
            node.shift_remove("description");
        });
        Some(Self { marked })
    }

    /// Calls `found` with each key and what stands there, in the order of the arguments.
    pub(crate) fn each<'v>(&self, arguments: &'v JsonValue, found: &mut dyn FnMut(String, &'v JsonValue)) {
        visit(&[&self.marked], arguments, found);
    }
}

/// The marks are on properties of the root, or of a variant of it, which may stand under its name.
fn visit<'v>(schemas: &[&Value], value: &'v JsonValue, found: &mut dyn FnMut(String, &'v JsonValue)) {
    let JsonValue::Object(entries) = value else { return };
    let mut nodes = Vec::new();
    for schema in schemas {
        gather(schema, &mut nodes);
    }
    for (name, entry) in entries {
        let below: Vec<&Value> = nodes.iter().filter_map(|node| node.get("properties")?.get(name)).collect();
        match below.iter().find_map(|schema| schema.get(CANONICAL)) {
            Some(Value::String(key)) => found(key.clone(), entry),
            Some(_) => found(name.clone(), entry),
            None => visit(&below, entry, found),
        }
    }
}

fn gather<'a>(schema: &'a Value, nodes: &mut Vec<&'a Map<String, Value>>) {
    let Value::Object(node) = schema else { return };
    nodes.push(node);
    for keyword in ["allOf", "anyOf", "oneOf"] {
        node.get(keyword).and_then(Value::as_array).into_iter().flatten().for_each(|branch| gather(branch, nodes));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marked_properties_are_found_under_their_keys_in_variants_too() {
        let mut schema = json!({
            "properties": {
                "path": {"type": "string", "x-tool-canonical": true},
                "from": {"type": "integer", "x-tool-canonical": "offset"},
                "text": {"type": "string"},
            },
            "oneOf": [
                {"properties": {"Move": {"properties": {"to": {"type": "string", "x-tool-canonical": true}}}}},
                {"properties": {"Copy": {"properties": {"to": {"type": "string"}}}}},
            ],
        });
        let projected = Projected::take(&mut schema).unwrap();
        assert!(!schema.to_string().contains("x-tool"));
        let arguments = json!({"from": 1, "text": "t", "path": "p", "Move": {"to": "q"}, "Copy": {"to": "r"}});
        let mut found = Vec::new();
        projected.each(&arguments, &mut |key, value| found.push(format!("{key}={value}")));
        assert_eq!(found, ["offset=1", "path=\"p\"", "to=\"q\""]);
        assert!(Projected::take(&mut schema).is_none());
    }
}
