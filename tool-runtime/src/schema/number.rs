//! What JSON Schema asks of numbers beside bounds, and how they are spelt.

use serde_json::{Number, Value};

use crate::json::whole;

/// The bounds that a format of schemars stands for.
pub(super) fn integer_bounds(format: &str) -> Option<(Number, Number)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        // A schema must not depend on the machine that makes it, so pointer-sized integers are those of a 64-bit one.
        "int64" | "int" => (i64::MIN.into(), i64::MAX.into()),
        "uint8" => (0.into(), u8::MAX.into()),
        "uint16" => (0.into(), u16::MAX.into()),
        "uint32" => (0.into(), u32::MAX.into()),
        "uint64" | "uint" => (0.into(), u64::MAX.into()),
        _ => return None,
    })
}

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
