//! Maps whose keys are texts of one kind only.
//!
//! The keys of a JSON object are texts, and a map by integers takes those that print such an integer. schemars publishes
//! any digits, and any text for a `bool` or a `char`; the schema would then accept keys that the type does not take.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::keywords::type_word;
use super::markers::NO_TEXT_KEY;
use super::number::integer_bounds;
use super::violation::{Violation, in_schema};
use crate::json::Pointer;

/// Stands for a map from `K` to `V` in a schema; `K` is no `String`.
#[derive(Debug)]
pub struct Keyed<K, V>(PhantomData<(K, V)>);

impl<K: JsonSchema, V: JsonSchema> JsonSchema for Keyed<K, V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<K, V>::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        BTreeMap::<K, V>::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> schemars::Schema {
        let key = K::json_schema(generator);
        let mut schema = BTreeMap::<K, V>::json_schema(generator);
        let resolved = resolved(key.as_value(), generator);
        if let Some(kind) = resolved.and_then(kind_of_no_text) {
            schema.insert(NO_TEXT_KEY.to_owned(), kind.into());
        }
        match resolved.and_then(pattern) {
            Some(pattern) => {
                let value = generator.subschema_for::<V>();
                schemars::json_schema!({
                    "type": "object",
                    "patternProperties": {pattern: value},
                    "additionalProperties": false,
                })
            }
            None => schema,
        }
    }
}

/// Follows newtypes, which refer to what they are.
fn resolved<'a>(key: &'a Value, generator: &'a SchemaGenerator) -> Option<&'a Map<String, Value>> {
    let mut node = key.as_object()?;
    for _ in 0..super::graph::MAX_CHAIN {
        let Some(name) = node.get("$ref").and_then(Value::as_str) else { return Some(node) };
        node = generator.definitions().get(name.rsplit('/').next()?)?.as_object()?;
    }
    None
}

/// What keys are, if some of them do not print as text.
fn kind_of_no_text(key: &Map<String, Value>) -> Option<String> {
    const TEXTS: [&str; 3] = ["string", "integer", "boolean"];
    let kinds = match key.get("type") {
        Some(Value::Array(kinds)) => kinds.as_slice(),
        Some(kind) => std::slice::from_ref(kind),
        None => &[],
    };
    let other = kinds.iter().filter_map(Value::as_str).find(|kind| !TEXTS.contains(kind)).map(type_word);
    other.or_else(|| {
        let branches = ["oneOf", "anyOf"].into_iter().filter_map(|keyword| key.get(keyword)?.as_array()).flatten();
        branches.filter_map(Value::as_object).find_map(kind_of_no_text)
    })
}

/// Whether such a map is noted in a schema, at its root or deeper.
pub(super) fn is_noted_within(node: &Map<String, Value>) -> bool {
    fn is_noted(value: &Value) -> bool {
        match value {
            Value::Object(node) => is_noted_within(node),
            Value::Array(values) => values.iter().any(is_noted),
            _ => false,
        }
    }
    node.contains_key(NO_TEXT_KEY) || node.values().any(is_noted)
}

/// Refuses a map by what does not print as text: serde writes it while it is empty, and fails on the first entry.
pub(super) fn refuse_noted(node: &mut Map<String, Value>, pointer: &Pointer, violations: &mut Vec<Violation>) {
    if let Some(kind) = node.shift_remove(NO_TEXT_KEY) {
        let message = format!(
            "{}: the keys of a JSON object are strings, but a key of this map may be {}; use `String`, an integer or a plain \
             enum as key, or a `Vec` of pairs",
            in_schema(pointer),
            kind.as_str().unwrap_or("something else")
        );
        violations.push(Violation::new(pointer.clone(), message));
    }
}

/// What a key looks like, if its type takes texts of one kind only that schemars does not tell.
fn pattern(key: &Map<String, Value>) -> Option<String> {
    match key.get("type")?.as_str()? {
        "boolean" => Some("^(true|false)$".to_owned()),
        // A dot would leave out line breaks.
        "string" if is_character(key) => Some(r"^[\s\S]$".to_owned()),
        "integer" => {
            let (least, greatest) = integer_bounds(key.get("format")?.as_str()?)?;
            let positive = key.get("minimum").and_then(Value::as_i64) == Some(1);
            let negative = least.as_i64().map_or(0, i64::unsigned_abs);
            Some(integers(negative, greatest.as_u64()?, !positive))
        }
        _ => None,
    }
}

fn is_character(key: &Map<String, Value>) -> bool {
    ["minLength", "maxLength"].iter().all(|keyword| key.get(*keyword).is_some_and(|length| length == &json!(1)))
}

/// The integers from `-negative` to `positive`, as they print.
fn integers(negative: u64, positive: u64, zero: bool) -> String {
    let mut parts = naturals(positive);
    if zero {
        parts.insert(0, "0".to_owned());
    }
    if negative > 0 {
        parts.push(format!("-({})", naturals(negative).join("|")));
    }
    format!("^({})$", parts.join("|"))
}

/// The integers from 1 to `greatest`: all with fewer digits, and those of as many that begin with a smaller prefix.
fn naturals(greatest: u64) -> Vec<String> {
    let digits = greatest.to_string();
    let any = |count: usize| match count {
        0 => String::new(),
        1 => "[0-9]".to_owned(),
        _ => format!("[0-9]{{{count}}}"),
    };
    let mut parts = Vec::new();
    match digits.len() {
        0 | 1 => {}
        2 => parts.push("[1-9]".to_owned()),
        length => parts.push(format!("[1-9][0-9]{{0,{}}}", length - 2)),
    }
    for (at, digit) in digits.bytes().enumerate() {
        let is_last = at + 1 == digits.len();
        let least = if at == 0 { b'1' } else { b'0' };
        // The last place takes its own digit too.
        let most = if is_last { digit } else { digit - 1 };
        if digit == b'0' && !is_last || most < least {
            continue;
        }
        let prefix = &digits[..at];
        let (least, most) = (char::from(least), char::from(most));
        let place = if least == most { least.to_string() } else { format!("[{least}-{most}]") };
        parts.push(format!("{prefix}{place}{}", any(digits.len() - at - 1)));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::engine::string_check;
    use super::*;

    fn takes(pattern: &str, text: &str) -> bool {
        string_check("pattern", pattern).unwrap().is_valid(&json!(text))
    }

    #[test]
    fn integers_are_matched_as_they_print_and_no_others() {
        let bytes = integers(0, 255, true);
        assert_eq!(bytes, "^(0|[1-9][0-9]{0,1}|1[0-9]{2}|2[0-4][0-9]|25[0-5])$");
        for number in 0..=1100_u32 {
            assert_eq!(takes(&bytes, &number.to_string()), number <= 255, "{number}");
        }
        let signed = integers(128, 127, true);
        for number in -1100..=1100_i32 {
            assert_eq!(takes(&signed, &number.to_string()), i8::try_from(number).is_ok(), "{number}");
        }
        assert!(!takes(&integers(0, 255, false), "0"));
        for wrong in ["", "-", "-0", "00", "07", "+1", "1.0", " 1", "1\n", "٣"] {
            assert!(!takes(&bytes, wrong) && !takes(&signed, wrong), "{wrong:?}");
        }
    }

    #[test]
    fn the_edges_of_64_bits_are_the_edges_of_the_pattern() {
        let (unsigned, signed) = (integers(0, u64::MAX, true), integers(1 << 63, i64::MAX as u64, true));
        for (pattern, inside, outside) in [
            (&unsigned, "18446744073709551615", "18446744073709551616"),
            (&signed, "9223372036854775807", "9223372036854775808"),
            (&signed, "-9223372036854775808", "-9223372036854775809"),
        ] {
            assert!(takes(pattern, inside) && !takes(pattern, outside), "{pattern}");
        }
    }
}
