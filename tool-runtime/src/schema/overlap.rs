//! Untagged variants that cannot be told apart: what the later one writes, serde reads as the earlier one.
//!
//! Only a value that plainly is both counts. What cannot be decided here, such as two patterns of texts, is taken to be
//! apart; [`assert_output_contract`](crate::testing::assert_output_contract) finds it by samples.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use super::keywords::names_type;
use super::references::Names;
use super::violation::{Violation, in_schema, quoted};
use crate::json::{Pointer, compare, equal};

/// A variant of an untagged enum: where its schema stands, and its name.
pub(super) type Variant = (Pointer, String);

/// Refuses each variant that comes back as another. `variants` are those of what is written.
pub(super) fn refusals(variants: &[Variant], writes: (&Value, &Names), reads: (&Value, &Names)) -> Vec<Violation> {
    let mut found = Vec::new();
    for (at, name) in variants {
        let Some((union, index)) = at.as_str().rsplit_once('/') else { continue };
        let (Ok(index), Some(written)) = (index.parse::<usize>(), writes.0.pointer(at.as_str())) else { continue };
        for earlier in 0..index {
            let place = format!("{union}/{earlier}");
            let Some(read) = reads.0.pointer(&place) else { continue };
            if !(Pairs { reads, writes, open: HashSet::new() }).meet(read, written) {
                continue;
            }
            let known = variants.iter().find(|(at, _)| at.as_str() == place);
            let known = known.map_or_else(|| "another variant".to_owned(), |(_, name)| quoted(name));
            let message = format!(
                "{}: a value of the variant {} may come back as {known}, which serde tries first; make the two differ, or tag \
                 the enum (`#[serde(tag = \"kind\", content = \"value\")]` takes every variant)",
                in_schema(at),
                quoted(name)
            );
            found.push(Violation::new(at.clone(), message));
            break;
        }
    }
    found
}

struct Pairs<'a> {
    reads: (&'a Value, &'a Names),
    writes: (&'a Value, &'a Names),
    /// Pairs on the way here, by address. A value that is both has an end, so it is found without them.
    open: HashSet<(*const Value, *const Value)>,
}

type Node = Map<String, Value>;

const UNIONS: [&str; 2] = ["anyOf", "oneOf"];

impl Pairs<'_> {
    /// Whether some value that `written` describes is read as what `read` describes.
    fn meet(&mut self, read: &Value, written: &Value) -> bool {
        let pair = (std::ptr::from_ref(read), std::ptr::from_ref(written));
        if !self.open.insert(pair) {
            return false;
        }
        let meet = self.meet_new(read, written);
        self.open.remove(&pair);
        meet
    }

    fn meet_new(&mut self, read: &Value, written: &Value) -> bool {
        let (Value::Object(r), Value::Object(w)) = (read, written) else {
            return read != &Value::Bool(false) && written != &Value::Bool(false);
        };
        if let Some(target) = referred(r, self.reads) {
            return self.meet(target, written);
        }
        if let Some(target) = referred(w, self.writes) {
            return self.meet(read, target);
        }
        if says_nothing(r) || says_nothing(w) {
            return true;
        }
        if is_beyond(r) || is_beyond(w) {
            return false;
        }
        if let Some(branches) = union(r) {
            return branches.iter().any(|branch| self.meet(branch, written));
        }
        if let Some(branches) = union(w) {
            return branches.iter().any(|branch| self.meet(read, branch));
        }
        match (fixed(r), fixed(w)) {
            (Some(read), Some(written)) => read.iter().any(|value| written.iter().any(|other| equal(value, other))),
            (Some(values), None) => values.iter().any(|value| is_plainly(w, value)),
            (None, Some(values)) => values.iter().any(|value| is_plainly(r, value)),
            (None, None) => self.meet_as_a_kind(r, w),
        }
    }

    fn meet_as_a_kind(&mut self, r: &Node, w: &Node) -> bool {
        let both = |kind: &str| names_type(r, kind) && names_type(w, kind);
        let number = |node: &Node| names_type(node, "number") || names_type(node, "integer");
        both("null")
            || both("boolean")
            || (number(r) && number(w) && numbers_meet(r, w))
            || (both("string") && texts_meet(r, w))
            || (both("array") && self.arrays_meet(r, w))
            || (both("object") && self.objects_meet(r, w))
    }

    fn arrays_meet(&mut self, r: &Node, w: &Node) -> bool {
        let least = least(r, "minItems").max(least(w, "minItems"));
        if least > most(r, "maxItems").min(most(w, "maxItems")) {
            return false;
        }
        (0..usize::try_from(least).unwrap_or(usize::MAX)).all(|index| self.meet(item(r, index), item(w, index)))
    }

    /// serde reads over keys that a struct does not know, unless it is told not to.
    fn objects_meet(&mut self, r: &Node, w: &Node) -> bool {
        if r.contains_key("patternProperties") || w.contains_key("patternProperties") {
            return false;
        }
        let both = required(r).chain(required(w));
        required(r).all(|name| property(w, name).is_some())
            && both.into_iter().all(|name| match (property(r, name), property(w, name)) {
                (Some(read), Some(written)) => self.meet(read, written),
                _ => true,
            })
    }
}

/// What a node refers to, if it says nothing else.
fn referred<'a>(node: &Node, (root, names): (&'a Value, &Names)) -> Option<&'a Value> {
    let reference = node.get("$ref")?.as_str()?;
    let alone = node.keys().all(|key| key == "$ref" || super::keywords::ANNOTATIONS.contains(&key.as_str()));
    names.resolve(root, reference).ok().map(|(target, _)| target).filter(|_| alone)
}

fn says_nothing(node: &Node) -> bool {
    node.keys().all(|key| super::keywords::ANNOTATIONS.contains(&key.as_str()))
}

/// Whether a node says more than is understood here.
fn is_beyond(node: &Node) -> bool {
    const BEYOND: [&str; 14] = [
        "$ref",
        "allOf",
        "not",
        "if",
        "dependentSchemas",
        "dependentRequired",
        "unevaluatedProperties",
        "unevaluatedItems",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "uniqueItems",
        "contains",
        "multipleOf",
    ];
    let is_part = UNIONS.iter().any(|keyword| node.contains_key(*keyword)) && union(node).is_none();
    is_part || BEYOND.iter().any(|keyword| node.contains_key(*keyword))
}

/// The branches of a node that is nothing but a union.
fn union(node: &Node) -> Option<&Vec<Value>> {
    let alone = |keyword: &&&str| {
        node.keys().all(|key| key == **keyword || super::keywords::ANNOTATIONS.contains(&key.as_str()))
    };
    UNIONS.iter().find(alone).and_then(|keyword| node.get(*keyword)?.as_array())
}

fn fixed(node: &Node) -> Option<Vec<&Value>> {
    match (node.get("const"), node.get("enum")) {
        (Some(only), _) => Some(vec![only]),
        (None, Some(Value::Array(several))) => Some(several.iter().collect()),
        _ => None,
    }
}

/// Whether a scalar is what a node without other rules than its type takes.
fn is_plainly(node: &Node, value: &Value) -> bool {
    let constrained = ["pattern", "format", "minLength", "maxLength", "minimum", "maximum"];
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::String(_) => "string",
        _ => return false,
    };
    names_type(node, kind) && !constrained.iter().any(|keyword| node.contains_key(*keyword))
}

fn numbers_meet(r: &Node, w: &Node) -> bool {
    let number = |node: &Node, keyword: &str| node.get(keyword).and_then(Value::as_number).cloned();
    let exclusive = |node: &Node| node.contains_key("exclusiveMinimum") || node.contains_key("exclusiveMaximum");
    if exclusive(r) || exclusive(w) {
        return false;
    }
    let reaches = |least: Option<Number>, most: Option<Number>| match (least, most) {
        (Some(least), Some(most)) => !compare(&least, &most).is_gt(),
        _ => true,
    };
    reaches(number(r, "minimum"), number(w, "maximum")) && reaches(number(w, "minimum"), number(r, "maximum"))
}

/// Texts of any form meet; of two forms nothing is known, unless they are one.
fn texts_meet(r: &Node, w: &Node) -> bool {
    let rules = ["pattern", "format", "minLength", "maxLength"];
    let free = |node: &Node| !rules.iter().any(|keyword| node.contains_key(*keyword));
    let same = ["pattern", "format"].iter().all(|keyword| r.get(*keyword) == w.get(*keyword));
    let lengths = least(r, "minLength").max(least(w, "minLength")) <= most(r, "maxLength").min(most(w, "maxLength"));
    free(r) || free(w) || (same && lengths)
}

static ANY: Value = Value::Bool(true);

fn item(node: &Node, index: usize) -> &Value {
    let first = node.get("prefixItems").and_then(|items| items.get(index));
    first.or_else(|| node.get("items")).unwrap_or(&ANY)
}

fn least(node: &Node, keyword: &str) -> u64 {
    node.get(keyword).and_then(Value::as_u64).unwrap_or(0)
}

fn most(node: &Node, keyword: &str) -> u64 {
    node.get(keyword).and_then(Value::as_u64).unwrap_or(u64::MAX)
}

fn required(node: &Node) -> impl Iterator<Item = &str> {
    node.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The schema of a key, which may be one of a map.
fn property<'a>(node: &'a Node, name: &str) -> Option<&'a Value> {
    node.get("properties").and_then(|properties| properties.get(name)).or_else(|| node.get("additionalProperties"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::references::names_of;

    fn meet(read: &Value, written: &Value) -> bool {
        let (reads, writes) = (names_of(read), names_of(written));
        Pairs { reads: (read, &reads), writes: (written, &writes), open: HashSet::new() }.meet(read, written)
    }

    #[test]
    fn kinds_ranges_and_forms_tell_scalars_apart() {
        let small = json!({"type": "integer", "minimum": 0, "maximum": 255});
        let large = json!({"type": "integer", "minimum": 256, "maximum": 65535});
        let (float, text) = (json!({"type": "number"}), json!({"type": "string"}));
        assert!(meet(&small, &small) && meet(&small, &float) && meet(&float, &small));
        assert!(!meet(&small, &large) && !meet(&small, &text) && !meet(&text, &json!({"type": "null"})));
        let (uuid, date) = (json!({"type": "string", "format": "uuid"}), json!({"type": "string", "format": "date"}));
        assert!(meet(&uuid, &text) && meet(&text, &uuid) && meet(&uuid, &uuid) && !meet(&uuid, &date));
        let (one, two) = (json!({"const": "one"}), json!({"type": "string", "enum": ["two", "three"]}));
        assert!(meet(&one, &text) && meet(&text, &two) && !meet(&one, &two) && !meet(&one, &uuid));
        assert!(meet(&json!({}), &small) && meet(&small, &json!(true)) && !meet(&small, &json!(false)));
        assert!(meet(&json!({"type": ["integer", "null"]}), &json!({"type": ["string", "null"]})));
    }

    #[test]
    fn lists_meet_in_the_empty_one_and_in_their_items() {
        let (numbers, texts) = (
            json!({"type": "array", "items": {"type": "number"}}),
            json!({"type": "array", "items": {"type": "string"}}),
        );
        assert!(meet(&numbers, &texts));
        let pair = json!({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "minItems": 2, "maxItems": 2});
        assert!(!meet(&numbers, &pair) && !meet(&pair, &texts) && meet(&pair, &pair));
        assert!(!meet(&pair, &json!({"type": "array", "maxItems": 1})));
        let endless = json!({"$ref": "#/$defs/E", "$defs": {"E": {"type": "array", "items": {"$ref": "#/$defs/E"}, "minItems": 1}}});
        let endless_too = endless.clone();
        assert!(!meet(&endless["$defs"]["E"], &endless_too["$defs"]["E"]));
    }

    #[test]
    fn objects_meet_where_what_is_needed_is_written() {
        let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
        let number = json!({"type": "number"});
        let (a, ab) =
            (object(json!({"a": number}), json!(["a"])), object(json!({"a": number, "b": number}), json!(["a", "b"])));
        assert!(meet(&a, &ab) && !meet(&ab, &a));
        assert!(!meet(&a, &object(json!({"a": {"type": "string"}}), json!(["a"]))));
        let map = json!({"type": "object", "additionalProperties": number});
        assert!(
            meet(&map, &ab) && meet(&a, &map) && !meet(&map, &object(json!({"t": {"type": "string"}}), json!(["t"])))
        );
        let optional = object(json!({"z": number}), json!([]));
        assert!(meet(&optional, &a));
        let mut strict = optional.clone();
        strict["additionalProperties"] = false.into();
        assert!(!meet(&strict, &a));
    }
}
