//! The root of an input schema: always an object, and said so in `type`, as
//! [MCP](https://modelcontextprotocol.io/specification/2025-11-25/schema#tool) asks.

use serde_json::{Map, Value, json};

use super::keywords::{ANNOTATIONS, type_word};
use super::references::Names;
use super::violation::{Violation, quoted, shown};
use crate::json::Pointer;

/// Gives the root a shape of its own where it only refers to one, and makes a unit struct an object without properties.
pub(super) fn unfold(root: &mut Map<String, Value>) {
    // Each turn follows one reference; a chain that does not end is the survey's to refuse.
    for _ in 0..super::graph::MAX_CHAIN {
        let bare = root.keys().all(|key| key == "$ref" || key == "$defs" || ANNOTATIONS.contains(&key.as_str()));
        let Some(reference) = root.get("$ref").and_then(Value::as_str).filter(|_| bare) else { break };
        let Some(name) = reference.strip_prefix("#/$defs/") else { break };
        let Some(target) = root.get("$defs").and_then(|defs| defs.get(name)).and_then(Value::as_object) else { break };
        let mut unfolded = target.clone();
        root.shift_remove("$ref");
        unfolded.append(root);
        *root = unfolded;
    }
    if root.get("type").is_some_and(|name| name == "null") && !root.contains_key("const") && !root.contains_key("enum")
    {
        root.insert("type".into(), "object".into());
    }
}

/// Says why the root is not always an object, if it is not.
pub(super) fn refusals(root: &Value, names: &Names) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut walk = Walk { root, names, found: &mut found };
    walk.visit(root, &Pointer::root(), false);
    found
}

struct Walk<'a> {
    root: &'a Value,
    names: &'a Names,
    found: &'a mut Vec<Violation>,
}

impl Walk<'_> {
    fn visit(&mut self, schema: &Value, pointer: &Pointer, branch: bool) {
        let Value::Object(node) = schema else {
            return self.refuse(pointer, branch, "any JSON value");
        };
        if let Some(kind) = node.get("type") {
            if kind != "object" {
                self.refuse(pointer, branch, &written_as(node, kind));
            }
            return;
        }
        if node.contains_key("properties") {
            return;
        }
        if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
            if let Ok((target, _)) = self.names.resolve(self.root, reference) {
                self.visit(target, pointer, branch);
            }
            return;
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = node.get(keyword) {
                let at = pointer.child(keyword);
                for (index, schema) in branches.iter().enumerate() {
                    self.visit(schema, &at.index(index), true);
                }
                return;
            }
        }
        if let Some(Value::Array(parts)) = node.get("allOf") {
            let shows = |part: &Value| refusals_of(self.root, self.names, part).is_empty();
            if parts.iter().any(shows) {
                return;
            }
        }
        self.refuse(pointer, branch, "any JSON value");
    }

    /// In the words of the derive, which says the same of what it can see.
    fn refuse(&mut self, pointer: &Pointer, branch: bool, what: &str) {
        let place = quoted(pointer.as_str());
        let (whose, remedy) = match what {
            _ if !branch => ("this type".to_owned(), "name the fields: `struct Name { field: Type }`"),
            "null" => (
                format!("the variant at {place}"),
                "write it with braces (`Variant {}`), or tag the enum: `#[serde(tag = \"action\")]`",
            ),
            what if what.starts_with("one of the strings") => {
                (format!("the variant at {place}"), "tag the enum: `#[serde(tag = \"action\")]` above the type")
            }
            _ => (format!("the variant at {place}"), "name the fields: `Variant { field: Type }`"),
        };
        let message = format!("the arguments of a tool are an object, but {whose} reads {what}; {remedy}");
        self.found.push(Violation::new(pointer.clone(), message));
    }
}

fn refusals_of(root: &Value, names: &Names, schema: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    Walk { root, names, found: &mut found }.visit(schema, &Pointer::root(), false);
    found
}

fn written_as(node: &Map<String, Value>, kind: &Value) -> String {
    let values = node.get("enum").cloned().or_else(|| node.get("const").map(|value| json!([value])));
    match (kind, values) {
        (Value::String(name), Some(values)) if name == "string" => format!("one of the strings {}", shown(&values)),
        (Value::String(name), _) => type_word(name),
        _ => {
            let names = kind.as_array().into_iter().flatten().filter_map(Value::as_str);
            names.map(type_word).collect::<Vec<_>>().join(" or ")
        }
    }
}

/// Says `type: "object"` beside a union, and gives an object without properties an explicit empty list of them.
pub(super) fn spell_out(root: &mut Map<String, Value>) {
    if !root.contains_key("type") {
        let rest = std::mem::take(root);
        root.insert("type".into(), "object".into());
        root.extend(rest);
    }
    let union = ["oneOf", "anyOf", "allOf", "$ref"].iter().any(|keyword| root.contains_key(*keyword));
    if !union && !root.contains_key("properties") {
        root.insert("properties".into(), json!({}));
    }
}
