//! What JSON Schema asks of numbers beside bounds.

use serde_json::Number;

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
