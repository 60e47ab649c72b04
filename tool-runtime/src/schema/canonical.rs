//! A text for each JSON value as JSON Schema means it: `1` and `1.0` are one number, and the order of keys says nothing.

use serde_json::Value;

/// A text that two values share exactly if they are the same JSON value.
pub(super) fn key(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Number(number) => text.push_str(&number_key(number)),
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write(item, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(entries) => {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_unstable_by_key(|&(name, _)| name);
            text.push('{');
            for (name, item) in sorted {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(item, text);
                text.push(',');
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

fn number_key(number: &serde_json::Number) -> String {
    // Whole floats below 2^63 print as integers; above, no integer of 64 bits prints like a float's digits.
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9_223_372_036_854_775_808.0 => {
            #[allow(clippy::cast_possible_truncation)] // the range is checked
            let whole = float as i64;
            whole.to_string()
        }
        Some(float) if number.is_f64() && float.fract() == 0.0 => format!("{float:.0}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::equal;

    /// The key must tell what equality tells.
    fn same(left: &Value, right: &Value) -> bool {
        assert_eq!(key(left) == key(right), equal(left, right));
        key(left) == key(right)
    }

    #[test]
    fn numbers_are_equal_by_value() {
        assert!(same(&json!(1), &json!(1.0)));
        assert!(same(&json!(0), &json!(-0.0)));
        assert!(same(&json!([1, {"a": 2, "b": 3}]), &json!([1.0, {"b": 3.0, "a": 2}])));
        assert!(!same(&json!(1), &json!("1")));
        assert!(!same(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992.0)));
        assert!(same(&json!(9_223_372_036_854_775_808_u64), &json!(9_223_372_036_854_775_808.0)));
    }
}
