//! Numbers: integers of 64 bits, floats of 64 bits, and where one stands for the other.

use super::{DecodeError, Decoder, JsonValue, WholeFloats};
use serde::de::Visitor;
use serde_json::Number;

/// The numbers that there are.
#[derive(Clone, Copy)]
enum Kind {
    Unsigned(u64),
    /// Less than 0.
    Negative(i64),
    Float(f64),
    /// A number of arbitrary precision, which is none of ours.
    Beyond,
}

impl Kind {
    fn of(number: &Number) -> Self {
        match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Self::Unsigned(number),
            (None, Some(number)) => u64::try_from(number).map_or(Self::Negative(number), Self::Unsigned),
            (None, None) => match number.as_f64() {
                // With arbitrary precision, an integer of any length has a nearest float.
                Some(float) if number.is_f64() => Self::Float(float),
                _ => Self::Beyond,
            },
        }
    }

    /// An integer for a float that is one. Every float in the range of u64 or i64 without a fraction is exactly an
    /// integer of that type.
    fn whole(float: f64) -> Option<Self> {
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

    fn visit<'a, V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Self::Unsigned(number) => visitor.visit_u64(number),
            Self::Negative(number) => visitor.visit_i64(number),
            Self::Float(number) => visitor.visit_f64(number),
            Self::Beyond => Err(DecodeError::new("numbers beyond 64 bits are not supported")),
        }
    }
}

impl<'a> Decoder<'a> {
    /// Where an integer of any width is wanted. The visitor checks its own range.
    pub(super) fn integer<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let JsonValue::Number(number) = self.value else { return Err(self.mismatch(&visitor, "an integer")) };
        match Kind::of(number) {
            Kind::Float(float) => match Kind::whole(float) {
                Some(whole) => whole.visit(visitor),
                None if float.fract() == 0.0 => Err(self.mismatch(&visitor, "an integer within 64 bits")),
                None => Err(self.mismatch(&visitor, "an integer")),
            },
            kind => kind.visit(visitor),
        }
    }

    pub(super) fn float<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let JsonValue::Number(number) = self.value else { return Err(self.mismatch(&visitor, "a number")) };
        Kind::of(number).visit(visitor)
    }

    /// A float of 32 bits: rounded, but not to infinity.
    pub(super) fn single_float<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let JsonValue::Number(number) = self.value else { return Err(self.mismatch(&visitor, "a number")) };
        match Kind::of(number) {
            Kind::Float(float) => match nearest_single(float) {
                Some(single) => visitor.visit_f64(single.into()),
                None => Err(self.mismatch(&visitor, "a number within 32-bit floats (about 3.4e38)")),
            },
            kind => kind.visit(visitor),
        }
    }

    /// Where the type takes whatever there is.
    pub(super) fn any_number<V: Visitor<'a>>(self, number: &Number, visitor: V) -> Result<V::Value, DecodeError> {
        let kind = match (Kind::of(number), self.whole_floats) {
            (kind, WholeFloats::Keep) => kind,
            (Kind::Float(float), WholeFloats::Convert) if is_negative_zero(float) => Kind::Float(float),
            (Kind::Float(float), _) => Kind::whole(float).unwrap_or(Kind::Float(float)),
            (kind, _) => kind,
        };
        kind.visit(visitor)
    }
}

/// The 32-bit float that is nearest to what the text of a 64-bit float says; `None` if that is an infinity.
///
/// Rounding twice, from decimal to 64 and then to 32 bits, goes wrong if the first step ends halfway between two 32-bit
/// floats. The shortest decimal of the 64 bits is then rounded in one step.
fn nearest_single(float: f64) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "rounded on purpose")]
    let single = float as f32;
    let other = if f64::from(single) < float { single.next_up() } else { single.next_down() };
    let distance = |single: f32| (f64::from(single) - float).abs();
    let halfway = distance(single) > 0.0 && distance(single).to_bits() == distance(other).to_bits();
    let single = if halfway { float.to_string().parse().ok()? } else { single };
    single.is_finite().then_some(single)
}

/// What a tree holds of floats without a fraction.
#[derive(Clone, Copy, Default)]
pub(super) struct Held {
    pub(super) any: bool,
    pub(super) negative_zero: bool,
}

pub(super) fn whole_floats(value: &JsonValue) -> Held {
    let mut held = Held::default();
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            JsonValue::Number(number) => {
                if let Kind::Float(float) = Kind::of(number)
                    && Kind::whole(float).is_some()
                {
                    held.negative_zero |= is_negative_zero(float);
                    held.any |= !is_negative_zero(float);
                }
            }
            JsonValue::Array(items) => rest.extend(items),
            JsonValue::Object(entries) => rest.extend(entries.values()),
            _ => {}
        }
    }
    held
}

fn is_negative_zero(float: f64) -> bool {
    float == 0.0 && float.is_sign_negative()
}
