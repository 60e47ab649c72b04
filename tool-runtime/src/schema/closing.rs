//! Closing objects: a key that the type does not know is refused, not lost.
//!
//! A schema is closed where it describes a whole value, and left open where it is only a part of the description, because
//! `additionalProperties` does not see the properties that a neighbouring schema declares. So:
//!
//! * a plain object gets `additionalProperties: false`;
//! * the branches of a union that stands alone are closed one by one, as the targets of references are;
//! * where properties stand beside a reference (a tagged newtype variant) or beside unions (a flattened enum), the
//!   outermost object is closed, and what stands beside is an open copy; with unions left in it, by
//!   `unevaluatedProperties: false`, which sees through them;
//! * alternatives that stand beside something, such as the variants of a flattened untagged enum, are kept apart;
//! * maps stay as they are, and so does what says itself how open it is.

mod apart;

use serde_json::{Map, Value, json};

use super::keywords::Keywords as _;

use super::keywords::{ANNOTATIONS, Place, change_inside, each, inside, names_type};
use super::markers;
use super::references::Names;
use super::violation::Violation;
use crate::json::Pointer;

/// Most schemas that open copies may add.
const MAX_COPIED: usize = 20_000;

/// The document with its objects closed. The survey has shown that chains of references in place end.
///
/// `writes` is true for the schema of what a type serialises to.
pub(super) fn close(root: &Value, names: &Names, writes: bool) -> Result<Value, Vec<Violation>> {
    let mut walk = Closer { root, names, writes, copied: 0 };
    let closed = walk.closed(root);
    if walk.copied > MAX_COPIED {
        let message =
            "the schema is too large: tagged variants that hold tagged enums multiply; nest them in fields instead";
        return Err(vec![Violation::new(Pointer::root(), message)]);
    }
    Ok(closed)
}

/// Closes a [`plain`](super::plain) document, in which each object is described in one place.
pub(super) fn close_plainly(node: &mut Map<String, Value>) {
    change_inside(node, &mut |_, child, _| {
        if let Value::Object(child) = child {
            close_plainly(child);
        }
    });
    if parts_in_place(node) == 0 {
        close_plain(node);
    }
}

/// What an open copy is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    /// For a type that is open by its own wish.
    Itself,
    /// To stand beside other schemas for the same value.
    Part,
    /// To stand beside properties, so that the value is an object.
    PartOfObject,
}

struct Closer<'a> {
    root: &'a Value,
    names: &'a Names,
    writes: bool,
    copied: usize,
}

impl Closer<'_> {
    /// The schema of a whole value, closed.
    fn closed(&mut self, schema: &Value) -> Value {
        let Value::Object(node) = schema else { return schema.clone() };
        if node.says(markers::OPEN) {
            return self.opened(schema, As::Itself);
        }
        let mut out = node.clone();
        self.close_below(&mut out);
        match parts_in_place(node) {
            0 => close_plain(&mut out),
            1 if !owns_object(node) && !is_conditional(node) => self.close_branches(&mut out),
            _ => {
                self.open_in_place(&mut out, owns_object(node));
                // What a condition adds is no whole description, so only properties beside it show that there is one.
                let described = !is_conditional(node) || node.says("properties");
                if described && self.reaches_object(schema) {
                    seal(&mut out);
                }
            }
        }
        Value::Object(out)
    }

    /// The schema of a value, or of a part of it, left open to what its neighbours declare.
    fn opened(&mut self, schema: &Value, role: As) -> Value {
        let Value::Object(node) = schema else { return schema.clone() };
        self.copied += 1;
        if self.copied > MAX_COPIED {
            return schema.clone();
        }
        if role == As::PartOfObject
            && let Some(written) = self.inside_object(node)
        {
            return written;
        }
        let mut out = node.clone();
        let open_itself = out.shift_remove(markers::OPEN).is_some();
        self.close_below(&mut out);
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if out.look(keyword).is_some_and(|value| value == false) {
                out.shift_remove(keyword);
            }
        }
        self.open_in_place(&mut out, role == As::PartOfObject || owns_object(node));
        if role != As::Itself && open_itself && !out.says("additionalProperties") {
            // The outer object, which is closed, must not refuse what this type accepts.
            out.insert("additionalProperties".into(), true.into());
        }
        Value::Object(out)
    }

    /// How serde writes what is no object into the object of a tagged variant: a unit variant of an untagged enum leaves no
    /// trace, one of an externally tagged enum is a key with null.
    fn inside_object(&self, node: &Map<String, Value>) -> Option<Value> {
        if self.writes && node.look("type").is_some_and(|name| name == "null") {
            return Some(json!({"type": "object"}));
        }
        if !names_type(node, "string") {
            return None;
        }
        let variants: Vec<&Value> = match (node.look("const"), node.look("enum")) {
            (Some(only), _) => vec![only],
            (None, Some(Value::Array(several))) => several.iter().collect(),
            _ => return None,
        };
        let unit = |name: &str| json!({"type": "object", "properties": {name: {"type": "null"}}, "required": [name]});
        let units: Vec<Value> = variants.into_iter().filter_map(Value::as_str).map(unit).collect();
        match <[Value; 1]>::try_from(units) {
            Ok([only]) => Some(only),
            Err(several) => Some(json!({"oneOf": several})),
        }
    }

    fn close_below(&mut self, node: &mut Map<String, Value>) {
        change_inside(node, &mut |_, child, place| {
            if place != Place::Same {
                *child = self.closed(child);
            }
        });
    }

    fn close_branches(&mut self, node: &mut Map<String, Value>) {
        change_inside(node, &mut |keyword, child, place| {
            if place == Place::Same {
                // A test describes no value, so closing it would change what it tests.
                let test = matches!(keyword, "not" | "if");
                *child = if test { self.opened(child, As::Part) } else { self.closed(child) };
            }
        });
    }

    /// Opens what applies to the same value as `node`, and copies what it refers to; `object` says that it is an object.
    fn open_in_place(&mut self, node: &mut Map<String, Value>, object: bool) {
        change_inside(node, &mut |keyword, child, place| {
            if place == Place::Same {
                let part = if object && keyword != "not" { As::PartOfObject } else { As::Part };
                *child = self.opened(child, part);
            }
        });
        if object {
            apart::keep_apart(node);
        }
        let Some(reference) = node.look("$ref").and_then(Value::as_str) else { return };
        let Ok((target, _)) = self.names.resolve(self.root, reference) else { return };
        if object || self.reaches_object(target) {
            let copy = self.opened(target, if object { As::PartOfObject } else { As::Part });
            node.shift_remove("$ref");
            merge(node, copy);
        }
    }

    /// Whether an object schema applies to the same value as this one.
    fn reaches_object(&self, schema: &Value) -> bool {
        let Value::Object(node) = schema else { return false };
        if is_object(node) {
            return true;
        }
        let target =
            node.look("$ref").and_then(Value::as_str).and_then(|name| self.names.resolve(self.root, name).ok());
        target.is_some_and(|(target, _)| self.reaches_object(target))
            || inside(node).iter().any(|(place, schema)| *place == Place::Same && self.reaches_object(schema))
    }
}

fn is_object(node: &Map<String, Value>) -> bool {
    names_type(node, "object") || node.says("properties")
}

/// Whether the node itself, and not only what stands in place of it, describes an object.
fn owns_object(node: &Map<String, Value>) -> bool {
    is_object(node) || node.says("patternProperties")
}

/// Whether schemas apply to the value only under a condition.
fn is_conditional(node: &Map<String, Value>) -> bool {
    ["if", "dependentSchemas", "dependencies"].iter().any(|keyword| node.says(keyword))
}

/// How many schemas or groups of alternatives apply to the same value as `node`.
fn parts_in_place(node: &Map<String, Value>) -> usize {
    let groups = ["$ref", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies"];
    let all_of = node.look("allOf").and_then(Value::as_array).map_or(0, Vec::len);
    groups.iter().filter(|keyword| node.says(keyword)).count() + all_of
}

fn close_plain(node: &mut Map<String, Value>) {
    if is_object(node) && !node.says("properties") && is_bare(node) {
        node.insert("properties".into(), Value::Object(Map::new()));
    }
    if node.says("properties") || (is_object(node) && is_bare(node)) {
        seal(node);
    }
}

/// Whether an object schema says nothing about keys: the schema of an empty struct.
fn is_bare(node: &Map<String, Value>) -> bool {
    let says = [
        "required",
        "additionalProperties",
        "unevaluatedProperties",
        "patternProperties",
        "propertyNames",
        "minProperties",
    ];
    !says.iter().any(|keyword| node.says(keyword))
}

/// Refuses undeclared keys of a whole object, unless the node says itself how open it is.
fn seal(node: &mut Map<String, Value>) {
    if node.says("additionalProperties") || node.says("unevaluatedProperties") || !declares_required(node) {
        return;
    }
    let keyword = if parts_in_place(node) > 0 { "unevaluatedProperties" } else { "additionalProperties" };
    node.insert(keyword.into(), false.into());
}

/// Whether each required property is declared: a hand-written schema may ask for one that it says nothing else about, and
/// would allow no value at all if it were closed.
fn declares_required(node: &Map<String, Value>) -> bool {
    let mut required = Vec::new();
    let mut declared = Vec::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if node.says("patternProperties") || node.says("additionalProperties") {
            return true;
        }
        required
            .extend(node.look("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str));
        declared.extend(node.look("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys));
        each(node, &mut |_, _, schema, place| {
            stack.extend(schema.as_object().filter(|_| place == Place::Same));
        });
    }
    required.iter().all(|name| declared.iter().any(|known| known == name))
}

/// Puts the schema `copy`, which applies to the same value, into `node`; as an `allOf` where both say something different.
fn merge(node: &mut Map<String, Value>, copy: Value) {
    let Value::Object(copy) = copy else { return };
    if !mergeable(node, &copy) {
        let parts = node.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(parts) = parts {
            parts.push(Value::Object(copy));
        }
        return;
    }
    for (keyword, value) in copy {
        match (keyword.as_str(), node.get_mut(&keyword), value) {
            ("properties", Some(Value::Object(own)), Value::Object(added)) => own.extend(added),
            ("required", Some(Value::Array(own)), Value::Array(added)) => {
                for name in added {
                    if !own.contains(&name) {
                        own.push(name);
                    }
                }
            }
            (_, Some(_), _) => {}
            (_, None, value) => {
                node.insert(keyword, value);
            }
        }
    }
}

fn mergeable(node: &Map<String, Value>, copy: &Map<String, Value>) -> bool {
    // `additionalProperties` is about the properties beside it, so it must not meet others than before.
    let open_map = copy.look("additionalProperties").is_some_and(|value| value != true);
    !open_map
        && copy.iter().all(|(keyword, value)| match (keyword.as_str(), node.look(keyword)) {
            (_, None) | ("required", _) => true,
            ("properties", Some(own)) => {
                let added = value.as_object().into_iter().flat_map(Map::keys);
                added.into_iter().all(|name| own.get(name).is_none())
            }
            (_, Some(own)) => own == value || ANNOTATIONS.contains(&keyword.as_str()),
        })
}
