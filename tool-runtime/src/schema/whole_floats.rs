//! Whole floats where integers are wanted: `12.0` is taken as 12.
//!
//! serde reads an untagged enum, an internally tagged one and a flattened field through a buffer in which a float is no
//! integer. There it would not fail on `12.0`, but go on to the next variant, which may take anything. So the float
//! becomes an integer before serde sees it, wherever the schema wants one.

use serde_json::{Map, Number, Value};

use super::keywords::names_type;
use super::references::Names;

/// What the walk looks up.
pub(super) struct Document<'a> {
    pub(super) root: &'a Value,
    pub(super) names: &'a Names,
}

type Node = Map<String, Value>;

impl<'a> Document<'a> {
    /// Turns, in a value that the schema accepts, each whole float into an integer where some part of the schema wants an
    /// integer. Where another part takes any number, that is the same number; only `-0.0`, whose sign an integer does not
    /// keep, then stays.
    pub(super) fn settle(&self, value: &mut Value) {
        if holds_whole_float(value) {
            self.visit(&[self.root], value);
        }
    }

    /// `schemas` are those that the value may have to follow; the depth of values is bounded.
    fn visit(&self, schemas: &[&'a Value], value: &mut Value) {
        let mut nodes = Vec::new();
        let mut takes_anything = false;
        for schema in schemas {
            self.gather(schema, &mut nodes, &mut takes_anything);
        }
        match value {
            Value::Number(number) => {
                let Some(integer) = whole(number) else { return };
                let takes_float = takes_anything || nodes.iter().any(|node| names_type(node, "number"));
                let loses_sign = takes_float && number.as_f64().is_some_and(|float| float == 0.0);
                if nodes.iter().any(|node| names_type(node, "integer")) && !loses_sign {
                    *number = integer;
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let below: Vec<&Value> = nodes.iter().filter_map(|node| element(node, index)).collect();
                    self.visit(&below, item);
                }
            }
            Value::Object(entries) => {
                for (name, entry) in entries {
                    let below: Vec<&Value> = nodes.iter().flat_map(|node| properties(node, name)).collect();
                    self.visit(&below, entry);
                }
            }
            _ => {}
        }
    }

    /// The schemas that apply in one place, each once, so that recursion through references ends.
    fn gather(&self, schema: &'a Value, nodes: &mut Vec<&'a Node>, takes_anything: &mut bool) {
        let Value::Object(node) = schema else {
            *takes_anything |= schema == &Value::Bool(true);
            return;
        };
        if nodes.iter().any(|known| std::ptr::eq(*known, node)) {
            return;
        }
        nodes.push(node);
        let says = ["type", "const", "enum", "$ref", "allOf", "anyOf", "oneOf"];
        *takes_anything |= !says.iter().any(|keyword| node.contains_key(*keyword));
        if let Some(reference) = node.get("$ref").and_then(Value::as_str)
            && let Ok((target, _)) = self.names.resolve(self.root, reference)
        {
            self.gather(target, nodes, takes_anything);
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            for branch in node.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.gather(branch, nodes, takes_anything);
            }
        }
    }
}

fn element(node: &Node, index: usize) -> Option<&Value> {
    let fixed = node.get("prefixItems").and_then(|items| items.get(index));
    fixed.or_else(|| node.get("items"))
}

fn properties<'a>(node: &'a Node, name: &str) -> Vec<&'a Value> {
    if let Some(property) = node.get("properties").and_then(|properties| properties.get(name)) {
        return vec![property];
    }
    // Whichever pattern the name matches: one too many changes no number.
    let patterns = node.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::values);
    patterns.chain(node.get("additionalProperties")).collect()
}

fn holds_whole_float(value: &Value) -> bool {
    match value {
        Value::Number(number) => whole(number).is_some(),
        Value::Array(items) => items.iter().any(holds_whole_float),
        Value::Object(entries) => entries.values().any(holds_whole_float),
        _ => false,
    }
}

/// The integer that a float is, within 64 bits. Every float without a fraction is exactly one.
fn whole(number: &Number) -> Option<Number> {
    // 2^64 and -2^63: both are floats, and `u64::MAX` and `i64::MAX` are not.
    const PAST_U64: f64 = 18_446_744_073_709_551_616.0;
    const LEAST_I64: f64 = -9_223_372_036_854_775_808.0;
    let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range and without a fraction")]
    match float {
        _ if (0.0..PAST_U64).contains(&float) => Some(Number::from(float as u64)),
        _ if (LEAST_I64..0.0).contains(&float) => Some(Number::from(float as i64)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::graph::survey;
    use super::*;

    fn settled(schema: &Value, mut value: Value) -> String {
        Document { root: schema, names: &survey(schema).unwrap().names }.settle(&mut value);
        value.to_string()
    }

    #[test]
    fn integers_are_integers_wherever_the_schema_says_so() {
        let schema = json!({
            "properties": {
                "n": {"type": ["integer", "null"]},
                "f": {"type": "number"},
                "any": true,
                "list": {"items": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "string"}]}},
                "map": {"patternProperties": {"^\\d+$": {"$ref": "#/$defs/N"}}, "additionalProperties": {"type": "number"}},
                "pair": {"prefixItems": [{"type": "integer"}, {"type": "number"}]},
            },
            "$defs": {"N": {"type": "integer"}}
        });
        let value = json!({
            "n": 1.0, "f": 1.0, "any": {"n": 1.0}, "list": ["a", -2.0], "map": {"7": 1.0}, "pair": [1.0, 1.0],
        });
        let expected = r#"{"n":1,"f":1.0,"any":{"n":1.0},"list":["a",-2],"map":{"7":1},"pair":[1,1.0]}"#;
        assert_eq!(settled(&schema, value), expected);
    }

    #[test]
    fn a_zero_keeps_its_sign_where_a_float_may_be_meant() {
        let integer = json!({"type": "integer"});
        assert_eq!(settled(&integer, json!(-0.0)), "0");
        let either = json!({"anyOf": [integer, {"type": "number"}]});
        assert_eq!(settled(&either, json!(-0.0)), "-0.0");
        assert_eq!(settled(&either, json!(3.0)), "3");
    }

    #[test]
    fn what_is_beyond_64_bits_or_has_a_fraction_stays() {
        for float in [1.5, 18_446_744_073_709_551_616.0, -9_223_372_036_854_777_856.0, 1e300] {
            assert_eq!(settled(&json!({"type": "integer"}), json!(float)), json!(float).to_string());
        }
        assert_eq!(settled(&json!({"type": "integer"}), json!(9_223_372_036_854_775_808.0)), "9223372036854775808");
    }

    #[test]
    fn recursion_ends() {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}, "next": {"$ref": "#"}}});
        assert_eq!(settled(&schema, json!({"next": {"next": {"n": 1.0}}})), r#"{"next":{"next":{"n":1}}}"#);
    }
}
