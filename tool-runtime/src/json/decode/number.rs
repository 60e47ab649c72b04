//! Numbers: integers of 64 bits, floats of 64 bits, and where one stands for the other.

use super::source::Source;
use super::{DecodeError, Decoder, JsonValue, WholeFloats};
use crate::json::number::Numeric;
use serde::de::Visitor;

impl Numeric {
    fn visit<'a, V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Self::Unsigned(number) => visitor.visit_u64(number),
            Self::Negative(number) => visitor.visit_i64(number),
            Self::Float(number) => visitor.visit_f64(number),
        }
    }
}

impl<'a> Decoder<'a> {
    /// Where an integer of any width is wanted. The visitor checks its own range.
    pub(super) fn integer<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.number(&visitor, "an integer")? {
            Numeric::Float(float) => match Numeric::whole(float) {
                Some(whole) => whole.visit(visitor),
                None if float.fract() == 0.0 => Err(self.mismatch(&visitor, "an integer within 64 bits")),
                None => Err(self.mismatch(&visitor, "an integer")),
            },
            number => number.visit(visitor),
        }
    }

    pub(super) fn float<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.number(&visitor, "a number")?.visit(visitor)
    }

    /// A float of 32 bits: rounded, but not to infinity.
    pub(super) fn single_float<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.number(&visitor, "a number")? {
            Numeric::Float(float) => match nearest_single(float) {
                Some(single) => visitor.visit_f64(single.into()),
                None => Err(self.mismatch(&visitor, "a number within 32-bit floats (about 3.4e38)")),
            },
            number => number.visit(visitor),
        }
    }

    /// Where the type takes whatever there is.
    pub(super) fn any_number<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let number = match (self.number(&visitor, "a number")?, self.whole_floats) {
            (number, WholeFloats::Keep) => number,
            (Numeric::Float(float), WholeFloats::Convert) if is_negative_zero(float) => Numeric::Float(float),
            (Numeric::Float(float), _) => Numeric::whole(float).unwrap_or(Numeric::Float(float)),
            (number, _) => number,
        };
        number.visit(visitor)
    }

    fn number<V: Visitor<'a>>(self, visitor: &V, wanted: &str) -> Result<Numeric, DecodeError> {
        let number = match self.source {
            Source::Tree(JsonValue::Number(number)) => match Numeric::of(number) {
                Some(number) => Some(number),
                None => return Err(DecodeError::new("numbers beyond 64 bits are not supported")),
            },
            Source::Tree(_) => None,
            Source::Text(cursor) => cursor.number(),
        };
        number.ok_or_else(|| self.mismatch(visitor, wanted))
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
                if let Some(Numeric::Float(float)) = Numeric::of(number)
                    && Numeric::whole(float).is_some()
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
