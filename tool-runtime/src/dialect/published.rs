//! Schemas that a provider takes as they are published.

use serde_json::{Map, Value};

use super::rules::{Published, Rules};
use crate::schema::Schema;

/// The published schema, if nothing in it has to be said in another way.
pub(super) fn as_it_is(schema: &Schema, rules: &Rules) -> Option<Value> {
    let published = rules.takes_published.as_ref()?;
    let root = schema.tree().as_object()?;
    let refuses_root = published.not_at_root.iter().any(|keyword| root.contains_key(*keyword));
    let is_draft_07 = root.get("$schema").and_then(Value::as_str).is_some_and(|uri| uri.contains("draft-07"));
    if refuses_root || (is_draft_07 && !published.draft_07) || !suits(root, published, rules) {
        return None;
    }
    let mut root = root.clone();
    root.retain(|keyword, _| !(keyword == "$schema" && published.nowhere.contains(&"$schema")));
    if !["properties", "anyOf", "oneOf", "allOf", "$ref"].iter().any(|keyword| root.contains_key(*keyword)) {
        // Some readers insist on it.
        root.insert("properties".into(), Value::Object(Map::new()));
    }
    if schema.is_foreign() {
        spell_out(&mut root);
    }
    Some(Value::Object(root))
}

/// Boolean schemas of properties and items as objects, since readers of the Model Context Protocol take no others there.
fn spell_out(node: &mut Map<String, Value>) {
    for (keyword, value) in node.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "$defs" | "definitions", Value::Object(named)) => named.values_mut().for_each(spelt_out),
            ("items", schema @ (Value::Object(_) | Value::Bool(_)))
            | ("not" | "additionalProperties", schema @ Value::Object(_)) => spelt_out(schema),
            ("items" | "prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(spelt_out);
            }
            _ => {}
        }
    }
}

fn spelt_out(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = Value::Object(Map::new()),
        Value::Bool(false) => *schema = serde_json::json!({"not": {}}),
        Value::Object(node) => spell_out(node),
        _ => {}
    }
}

fn suits(node: &Map<String, Value>, published: &Published, rules: &Rules) -> bool {
    node.iter().all(|(keyword, value)| {
        let is_refused = keyword != "$schema" && published.nowhere.contains(&keyword.as_str());
        if is_refused {
            return false;
        }
        match (keyword.as_str(), value) {
            // What stands in them is no schema.
            ("const" | "enum" | "default" | "examples", _) => true,
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                Value::Object(named),
            ) => {
                let all_taken = keyword != "properties" || named.keys().all(|name| rules.property_names.takes(name));
                all_taken && named.values().filter_map(Value::as_object).all(|node| suits(node, published, rules))
            }
            (_, Value::Object(node)) => suits(node, published, rules),
            (_, Value::Array(nodes)) => {
                nodes.iter().filter_map(Value::as_object).all(|node| suits(node, published, rules))
            }
            _ => true,
        }
    })
}
