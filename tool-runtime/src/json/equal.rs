//! Equality of JSON as data.

use super::JsonValue;
use super::compare::compare;

/// Whether two trees say the same: keys in any order, and numbers by their value, so that `1` equals `1.0`.
///
/// A float's zero has no sign here, since JSON's numbers have none.
pub fn equal(left: &JsonValue, right: &JsonValue) -> bool {
    match (left, right) {
        (JsonValue::Number(left), JsonValue::Number(right)) => compare(left, right).is_eq(),
        (JsonValue::Array(left), JsonValue::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (JsonValue::Object(left), JsonValue::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| equal(left, right)))
        }
        (left, right) => left == right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_equal_by_value_and_never_by_rounding() {
        assert!(equal(&json!(1), &json!(1.0)));
        assert!(equal(&json!(0), &json!(-0.0)));
        assert!(!equal(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992.0)));
        assert!(!equal(&json!(u64::MAX), &json!(18_446_744_073_709_551_616.0)));
        assert!(equal(&json!(1e300), &json!(1e300)));
        assert!(!equal(&json!(1), &json!("1")));
    }

    #[test]
    fn the_order_of_keys_does_not_matter() {
        assert!(equal(&json!({"a": [1, {"b": null}], "c": 2.5}), &json!({"c": 2.5, "a": [1.0, {"b": null}]})));
        assert!(!equal(&json!({"a": 1}), &json!({"a": 1, "b": 2})));
        assert!(!equal(&json!([1, 2]), &json!([2, 1])));
    }
}
