//! `#[tool(strict)]`: arguments that every provider's strict mode says as they are, without being rewritten.
//!
//! What the macro can see it refuses itself, in the same words.

use serde_json::{Map, Value};

use super::document::Schema;
use super::keywords::{ANNOTATIONS, Place, children};
use super::violation::{SchemaError, Violation, in_schema, refuse_if_any};
use crate::json::Pointer;

const MAP: &str = "strict mode has no word for a map: all its objects are closed; \
                   use a `Vec` of a type with a key and a value, or drop `strict`";
const ANY: &str = "strict mode has no word for any JSON; use a type that names what it may be, or drop `strict`";
const TUPLE: &str = "strict mode has no word for a tuple; use a struct with named fields, or drop `strict`";
const ENUM: &str = "strict mode takes no enum as the arguments of a tool; \
                    use a struct with the enum as a field, or drop `strict`";
const OPEN: &str = "strict mode has no word for an open object; close its type, or drop `strict`";
const RECURSIVE: &str =
    "not every strict mode takes a type that holds itself; end it at a fixed depth, or drop `strict`";

/// The schema, if strict mode says all of it.
///
/// # Errors
/// Every place that it has no word for.
pub fn strict_schema(schema: Result<Schema, SchemaError>) -> Result<Schema, SchemaError> {
    let schema = schema?;
    let mut search = Search { root: schema.tree(), found: Vec::new() };
    if let Value::Object(root) = schema.tree() {
        if ["oneOf", "anyOf", "allOf"].iter().any(|keyword| root.contains_key(*keyword)) {
            search.refuse(&Pointer::root(), ENUM);
        }
        search.node(root, &Pointer::root(), false);
    }
    refuse_if_any(search.found)?;
    Ok(schema)
}

struct Search<'a> {
    root: &'a Value,
    found: Vec<Violation>,
}

impl Search<'_> {
    /// `is_closed` says whether a schema around it closes the same object.
    fn node(&mut self, node: &Map<String, Value>, at: &Pointer, is_closed: bool) {
        let is_closed = is_closed || node.get("unevaluatedProperties") == Some(&Value::Bool(false));
        if let Some(fault) = fault(node, is_closed) {
            self.refuse(at, fault);
        }
        for child in children(node, at) {
            match (child.place, child.schema) {
                (place, Value::Object(inner)) => {
                    if child.place == Place::Definition && self.holds_itself(child.schema, &child.pointer) {
                        self.refuse(&child.pointer, RECURSIVE);
                    }
                    self.node(inner, &child.pointer, is_closed && place == Place::Same);
                }
                (Place::Below, Value::Bool(true)) if child.keyword != "additionalProperties" => {
                    self.refuse(&child.pointer, ANY);
                }
                _ => {}
            }
        }
    }

    fn holds_itself(&self, schema: &Value, at: &Pointer) -> bool {
        let (mut seen, mut waiting) = (Vec::new(), vec![schema]);
        while let Some(value) = waiting.pop() {
            match value {
                Value::Object(entries) => {
                    if let Some(place) = entries.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#'))
                    {
                        if place == at.as_str() {
                            return true;
                        }
                        if !seen.contains(&place) {
                            seen.push(place);
                            waiting.extend(self.root.pointer(place));
                        }
                    }
                    waiting.extend(entries.values());
                }
                Value::Array(items) => waiting.extend(items),
                _ => {}
            }
        }
        false
    }

    fn refuse(&mut self, at: &Pointer, why: &str) {
        self.found.push(Violation::new(at.clone(), format!("{}: {why}", in_schema(at))));
    }
}

fn fault(node: &Map<String, Value>, is_closed: bool) -> Option<&'static str> {
    let says = |keyword: &str| node.contains_key(keyword);
    let others = node.get("additionalProperties");
    if says("patternProperties") || others.is_some_and(|others| others != false) {
        return Some(MAP);
    }
    if says("prefixItems") {
        return Some(TUPLE);
    }
    if node.keys().all(|keyword| ANNOTATIONS.contains(&keyword.as_str())) {
        return Some(ANY);
    }
    let is_union = ["oneOf", "anyOf", "allOf"].into_iter().any(says);
    let is_open = says("properties") && others.is_none() && !is_closed && !is_union;
    is_open.then_some(OPEN)
}
