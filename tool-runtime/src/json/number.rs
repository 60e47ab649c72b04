//! The numbers that there are: integers of 64 bits, and floats of 64 bits.

use serde_json::Number;

/// A number, by the narrowest kind that holds it. A float without a fraction stays a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numeric {
    Unsigned(u64),
    /// Less than 0.
    Negative(i64),
    /// Finite.
    Float(f64),
}

impl Numeric {
    /// `None` for a number of arbitrary precision, which is none of ours.
    pub(super) fn of(number: &Number) -> Option<Self> {
        match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Some(Self::Unsigned(number)),
            (None, Some(number)) => Some(u64::try_from(number).map_or(Self::Negative(number), Self::Unsigned)),
            // With arbitrary precision, an integer of any length has a nearest float.
            (None, None) => number.as_f64().filter(|_| number.is_f64()).map(Self::Float),
        }
    }

    /// The integer of few digits that stands at `at`, and where it ends: most numbers are one. `None` is no verdict.
    #[inline]
    pub(super) fn short(bytes: &[u8], at: usize) -> Option<(Self, usize)> {
        /// So many digits can't overflow.
        const MAX_DIGITS: usize = 18;
        let (mut value, mut end) = (0, at);
        while let Some(digit @ b'0'..=b'9') = bytes.get(end) {
            value = value * 10 + u64::from(digit - b'0');
            end += 1;
            if end - at > MAX_DIGITS {
                return None;
            }
        }
        let has_leading_zero = bytes.get(at) == Some(&b'0') && end - at > 1;
        let goes_on = matches!(bytes.get(end), Some(b'.' | b'e' | b'E'));
        (end > at && !has_leading_zero && !goes_on).then_some((Self::Unsigned(value), end))
    }

    /// An integer for a float that is one. Every float in the range of u64 or i64 without a fraction is exactly an
    /// integer of that type.
    pub(super) fn whole(float: f64) -> Option<Self> {
        // 2^64 and -2^63: both are floats, and u64::MAX and i64::MAX are not.
        const PAST_U64: f64 = 18_446_744_073_709_551_616.0;
        const LEAST_I64: f64 = -9_223_372_036_854_775_808.0;
        if float.fract() != 0.0 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range and without a fraction")]
        match float {
            _ if (0.0..PAST_U64).contains(&float) => Some(Self::Unsigned(float as u64)),
            _ if (LEAST_I64..0.0).contains(&float) => Some(Self::Negative(float as i64)),
            _ => None,
        }
    }

    /// The same number for a tree; `None` if the float is not finite.
    pub(super) fn to_number(self) -> Option<Number> {
        match self {
            Self::Unsigned(number) => Some(number.into()),
            Self::Negative(number) => Some(number.into()),
            Self::Float(number) => Number::from_f64(number),
        }
    }
}
