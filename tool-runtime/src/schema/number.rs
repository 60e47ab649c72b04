//! What JSON Schema asks of numbers beside bounds, and how they are spelt.

use serde_json::{Number, Value};

use crate::json::whole;

/// The float as an integer, if it is a whole one.
pub(super) fn whole_float(float: f64) -> Option<i128> {
    #[allow(clippy::cast_possible_truncation)] // the range is checked
    (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
}

/// Whether the number is `step` times an integer.
pub(super) fn is_multiple(number: &Number, step: &Number) -> bool {
    match (whole(number), whole(step)) {
        (Some(number), Some(step)) if step != 0 => number % step == 0,
        _ => {
            let (Some(number), Some(step)) = (number.as_f64(), step.as_f64()) else { return true };
            let quotient = number / step;
            // Steps such as 0.01 have no exact binary form; half a unit in the last place is not a remainder.
            (quotient - quotient.round()).abs() <= quotient.abs() * f64::EPSILON
        }
    }
}

/// Spells every number as its value asks. Where another crate has turned on arbitrary precision in `serde_json`, a number
/// that was read keeps the spelling of its text, and the same schema would be other bytes.
pub(super) fn respell(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let spelt = match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(natural), ..) => Some(natural.into()),
                (None, Some(integer), _) => Some(integer.into()),
                (None, None, float) => float.and_then(Number::from_f64),
            };
            if let Some(spelt) = spelt {
                *number = spelt;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(respell),
        Value::Object(entries) => entries.values_mut().for_each(respell),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
