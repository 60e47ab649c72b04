//! What a generated schema says about numbers, formats and null, in words that every reader of JSON Schema knows.

use std::collections::HashSet;

use serde_json::{Map, Number, Value, json};

use super::keywords::Keywords as _;
use super::keywords::{Trail, change_all_at, may_be, names_type};
use super::number::integer_bounds;
use super::overlap::Variant;
use super::violation::{Violation, in_schema};
use super::{flattened, hidden, keyed, markers};
use crate::json::{Pointer, compare};

/// Formats of the JSON Schema specification ([validation, section 7.3](https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3))
/// and of [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.0#data-types) that say something about strings.
const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "byte",
    "binary",
    "password",
];

/// Replaces formats by real bounds, drops unknown ones, and applies the markers; `writes` is true for the contract of what
/// a type serialises to. Gives the variants of untagged enums.
pub(super) fn normalise(root: &mut Value, writes: bool, violations: &mut Vec<Violation>) -> Vec<Variant> {
    let mut variants = Vec::new();
    change_all_at(root, &mut |node, place| {
        if node.keys().any(|keyword| keyword.starts_with(markers::PREFIX)) {
            settle_marks(node, &place.pointer(), writes, &mut variants, violations);
        }
        apply_format(node, place, violations);
        refuse_repeated(node, place, violations);
    });
    variants
}

fn settle_marks(
    node: &mut Map<String, Value>,
    pointer: &Pointer,
    writes: bool,
    variants: &mut Vec<Variant>,
    violations: &mut Vec<Violation>,
) {
    if node.shift_remove(markers::NEVER_NULL).is_some() && writes {
        remove_null(node);
    }
    if let Some(Value::String(name)) = node.shift_remove(markers::VARIANT) {
        variants.push((pointer.clone(), name));
    }
    if !writes && node.shift_remove(markers::SECRET).is_some() {
        // The word that JSON Schema has for it. Of what is written it would say that it is not there.
        node.insert("writeOnly".into(), true.into());
    }
    node.shift_remove(markers::STRICT);
    node.shift_remove(markers::SEES_ALL);
    flattened::refuse_noted(node, pointer, violations);
    hidden::refuse_noted(node, pointer, writes, violations);
    keyed::refuse_noted(node, pointer, violations);
}

/// A flattened field may bring a property that the struct has itself: it would be written twice.
fn refuse_repeated(node: &Map<String, Value>, place: &Trail<'_>, violations: &mut Vec<Violation>) {
    let Some(Value::Array(required)) = node.look("required") else { return };
    let mut seen = HashSet::new();
    for (index, name) in required.iter().enumerate() {
        // Few are compared sooner than hashed.
        let is_new = if required.len() <= 16 { !required[..index].contains(name) } else { seen.insert(name) };
        if is_new {
            continue;
        }
        let Value::String(name) = name else { continue };
        let at = place.pointer().child("properties").child(name);
        let message = format!(
            "{} is there twice, by two fields or through a flattened one; rename one of the two",
            in_schema(&at)
        );
        violations.push(Violation::new(at, message));
    }
}

fn apply_format(node: &mut Map<String, Value>, place: &Trail<'_>, violations: &mut Vec<Violation>) {
    let Some(format) = node.look("format").and_then(Value::as_str).map(str::to_owned) else { return };
    if let Some((least, greatest)) = integer_bounds(&format) {
        node.shift_remove("format");
        if may_be(node, "integer") || names_type(node, "number") {
            tighten(node, "minimum", &least);
            tighten(node, "maximum", &greatest);
        }
        return;
    }
    match format.as_str() {
        "int128" | "uint128" => {
            let at = place.pointer();
            let message = format!(
                "{} is a 128-bit integer, which JSON readers do not hold; use a 64-bit type, or a string of its digits",
                in_schema(&at)
            );
            violations.push(Violation::new(at, message));
        }
        "float" => {
            node.shift_remove("format");
            // `f32::MAX` in its shortest digits, as it is written; read back, it is `f32::MAX` again.
            tighten(node, "minimum", &number(-3.402_823_5e38));
            tighten(node, "maximum", &number(3.402_823_5e38));
        }
        "ip" if !node.says("anyOf") => {
            node.shift_remove("format");
            node.insert("anyOf".into(), json!([{"format": "ipv4"}, {"format": "ipv6"}]));
        }
        known if FORMATS.contains(&known) => {}
        _ => {
            node.shift_remove("format");
        }
    }
}

fn number(float: f64) -> Number {
    Number::from_f64(float).unwrap_or_else(|| Number::from(0))
}

/// Sets a bound unless the node has a tighter one.
fn tighten(node: &mut Map<String, Value>, keyword: &str, bound: &Number) {
    use std::cmp::Ordering::Greater;
    let (exclusive, looser) = match keyword {
        "minimum" => ("exclusiveMinimum", Greater),
        _ => ("exclusiveMaximum", Greater.reverse()),
    };
    let own = |keyword: &str| node.look(keyword).and_then(Value::as_number);
    let inclusive_holds = own(keyword).is_some_and(|own| compare(bound, own) != looser);
    let exclusive_holds = own(exclusive).is_some_and(|own| compare(bound, own) != looser);
    let holds = inclusive_holds || (exclusive_holds && own(keyword).is_none());
    if !holds {
        node.insert(keyword.into(), Value::Number(bound.clone()));
    }
}

/// Takes the null alternative out of the schema of a field that is left out instead of written as null.
fn remove_null(node: &mut Map<String, Value>) {
    let is_null = |schema: &Value| schema.get("type").is_some_and(|name| name == "null");
    if let Some(Value::Array(names)) = node.get_mut("type") {
        names.retain(|name| name != "null");
        if let [only] = names.as_slice() {
            let only = only.clone();
            node.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = node.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if node.look("default").is_some_and(Value::is_null) {
        node.shift_remove("default");
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(mut branches)) = node.shift_remove(keyword) else { continue };
        branches.retain(|branch| !is_null(branch));
        match branches.as_mut_slice() {
            [Value::Object(only)] if only.keys().all(|key| !node.says(key)) => {
                // In front, where a reference stands when no null was there.
                let rest = std::mem::replace(node, std::mem::take(only));
                node.extend(rest);
            }
            _ => {
                node.insert(keyword.into(), Value::Array(branches));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(mut schema: Value, writes: bool) -> Value {
        let mut violations = Vec::new();
        normalise(&mut schema, writes, &mut violations);
        assert!(violations.is_empty(), "{violations:?}");
        schema
    }

    #[test]
    fn integer_formats_become_bounds() {
        let schema = json!({"type": "integer", "format": "uint64", "minimum": 0});
        assert_eq!(normalised(schema, false), json!({"type": "integer", "minimum": 0, "maximum": u64::MAX}));
        let schema = json!({"type": ["integer", "null"], "format": "int32"});
        let expected = json!({"type": ["integer", "null"], "minimum": i32::MIN, "maximum": i32::MAX});
        assert_eq!(normalised(schema, false), expected);
        let text = json!({"type": "string", "format": "int64"});
        assert_eq!(normalised(text, false), json!({"type": "string"}));
    }

    #[test]
    fn bounds_of_the_author_are_never_widened() {
        let schema = json!({"type": "integer", "format": "uint8", "minimum": 1, "maximum": 10});
        assert_eq!(normalised(schema, false), json!({"type": "integer", "minimum": 1, "maximum": 10}));
        let schema = json!({"type": "integer", "format": "uint8", "minimum": -5, "maximum": 1000.5});
        assert_eq!(normalised(schema, false), json!({"type": "integer", "minimum": 0, "maximum": 255}));
        let schema = json!({"type": "integer", "format": "uint8", "exclusiveMinimum": 0, "maximum": 9});
        assert_eq!(normalised(schema, false), json!({"type": "integer", "exclusiveMinimum": 0, "maximum": 9}));
    }

    #[test]
    fn only_known_formats_survive() {
        for (format, survives) in
            [("email", true), ("byte", true), ("double", false), ("phone", false), ("date-time", true)]
        {
            let schema = normalised(json!({"type": "string", "format": format}), false);
            assert_eq!(schema.get("format").is_some(), survives, "{format}");
        }
        let address = normalised(json!({"type": "string", "format": "ip"}), false);
        assert_eq!(address, json!({"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}));
    }

    #[test]
    fn never_null_holds_for_what_is_written() {
        let schema =
            json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}], "description": "d", "x-tool-never-null": true});
        assert_eq!(normalised(schema.clone(), true), json!({"$ref": "#/$defs/A", "description": "d"}));
        let expected = json!({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}], "description": "d"});
        assert_eq!(normalised(schema, false), expected);
        let schema = json!({"type": ["string", "null"], "enum": ["a", null], "x-tool-never-null": true});
        assert_eq!(normalised(schema, true), json!({"type": "string", "enum": ["a"]}));
    }

    #[test]
    fn wide_integers_are_refused_with_their_place() {
        let mut violations = Vec::new();
        let mut schema = json!({"properties": {"n": {"type": "integer", "format": "int128"}}});
        normalise(&mut schema, false, &mut violations);
        assert_eq!(violations[0].pointer().as_str(), "/properties/n");
    }
}
