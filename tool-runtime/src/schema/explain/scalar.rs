//! Types, fixed values, numbers and strings.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::super::keywords::type_word;
use super::super::number::is_multiple;
use super::super::violation::{quoted, shown};
use super::fault::listed;
use super::{Fault, Kind, Node, Walk, limit, list, plural};
use crate::json::compare;
use crate::json::{Pointer, equal};

/// A value by its kind alone.
pub(in super::super) fn kind_word(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

pub(super) fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_number().is_some_and(|number| {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
        }),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

impl Walk<'_> {
    /// What is told of the value that was sent; nothing of a secret, and not what is in a container that may hold one.
    pub(super) fn got(&self, value: &Value) -> Option<String> {
        match self.subject.hidden {
            Some(hidden) if hidden.has(value) => None,
            Some(_) if value.is_array() || value.is_object() => Some(kind_word(value).to_owned()),
            _ => Some(shown(value)),
        }
    }

    /// The same as the end of a sentence.
    fn got_words(&self, value: &Value) -> String {
        self.got(value).map(|got| format!(", got {got}")).unwrap_or_default()
    }

    /// The fault of a value that is of another type, or not one of the values that are allowed.
    pub(super) fn kind_fault(&self, node: &Node, value: &Value, at: &Pointer) -> Option<Fault> {
        let allowed: Option<Vec<&Value>> =
            node.get("enum").and_then(Value::as_array).map(|allowed| allowed.iter().collect());
        let fixed = allowed.into_iter().chain(node.get("const").map(|only| vec![only]));
        for allowed in fixed {
            if !allowed.iter().any(|other| equal(other, value)) {
                return Some(Fault::values(at, &allowed, value, self.got(value)));
            }
        }
        let names: Vec<&str> = match node.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(_)) => list(node, "type").iter().filter_map(Value::as_str).collect(),
            _ => return None,
        };
        if names.iter().any(|name| is_of_type(value, name)) {
            return None;
        }
        let expected = names.into_iter().map(type_word).collect();
        Some(Fault { at: at.clone(), kind: Kind::Type { expected, got: self.got(value) } })
    }

    pub(super) fn visit_number(
        &self,
        node: &Node,
        value: &Value,
        number: &Number,
        at: &Pointer,
        faults: &mut Vec<Fault>,
    ) {
        use Ordering::{Equal, Greater, Less};
        let bounds: [(&str, &str, &[Ordering]); 4] = [
            ("minimum", "at least", &[Less]),
            ("exclusiveMinimum", "greater than", &[Less, Equal]),
            ("maximum", "at most", &[Greater]),
            ("exclusiveMaximum", "less than", &[Greater, Equal]),
        ];
        let shown_value = self.got_words(value);
        for (keyword, words, wrong) in bounds {
            if let Some(bound) = node.get(keyword).and_then(Value::as_number)
                && wrong.contains(&compare(number, bound))
            {
                faults.push(Fault::must(at, format!("must be {words} {bound}{shown_value}")));
            }
        }
        if let Some(step) = node.get("multipleOf").and_then(Value::as_number)
            && !is_multiple(number, step)
        {
            faults.push(Fault::must(at, format!("must be a multiple of {step}{shown_value}")));
        }
    }

    pub(super) fn visit_string(
        &mut self,
        node: &Node,
        value: &Value,
        text: &str,
        at: &Pointer,
        faults: &mut Vec<Fault>,
    ) {
        // Lengths are counted in characters, as the specification says.
        let length = text.chars().count();
        if let Some(least) = limit(node, "minLength").filter(|&least| length < least) {
            faults.push(Fault::must(
                at,
                format!("must have at least {}, has {length}", plural(least, "character", "characters")),
            ));
        }
        if let Some(most) = limit(node, "maxLength").filter(|&most| length > most) {
            faults.push(Fault::must(
                at,
                format!("must have at most {}, has {length}", plural(most, "character", "characters")),
            ));
        }
        let shown_value = self.got_words(value);
        if let Some(pattern) = node.get("pattern").and_then(Value::as_str)
            && !self.pattern_holds(pattern, text)
        {
            faults.push(Fault::must(at, format!("must match the pattern {}{shown_value}", quoted(pattern))));
        }
        if let Some(format) = node.get("format").and_then(Value::as_str)
            && self.subject.formats
            && !self.format_holds(format, text)
        {
            faults.push(Fault::must(at, format!("must be in the format {}{shown_value}", quoted(format))));
        }
    }

    /// The fault of a value that satisfies what `not` forbids.
    pub(super) fn not_fault(&self, schema: &Value, value: &Value, at: &Pointer) -> Fault {
        let forbidden = schema.get("const").map(|only| vec![only]).unwrap_or_default();
        let forbidden = match schema.get("enum").and_then(Value::as_array) {
            Some(values) => values.iter().collect(),
            None => forbidden,
        };
        match forbidden.as_slice() {
            [] => Fault::must(at, format!("must not match {}{}", shown(schema), self.got_words(value))),
            [only] => Fault::must(at, format!("must not be {}", shown(only))),
            several => {
                let several: Vec<Value> = several.iter().map(|&value| value.clone()).collect();
                Fault::must(at, format!("must be none of {}", listed(&several, 0)))
            }
        }
    }
}
