//! Numbers by their value: `1` and `1.0` are one, and no integer is rounded to compare it.

use std::cmp::Ordering;

use serde_json::Number;

/// Compares two numbers by value; integers exactly.
pub(crate) fn compare(left: &Number, right: &Number) -> Ordering {
    if let (Some(left), Some(right)) = (whole(left), whole(right)) {
        return left.cmp(&right);
    }
    let float = |number: &Number| number.as_f64().unwrap_or(0.0);
    float(left).total_cmp(&float(right))
}

/// The number as an integer, if it is a whole one.
pub(crate) fn whole(number: &Number) -> Option<i128> {
    if let Some(integer) = number.as_i128() {
        return Some(integer);
    }
    let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e38)?;
    #[expect(clippy::cast_possible_truncation, reason = "whole, and within 128 bits")]
    Some(float as i128)
}
