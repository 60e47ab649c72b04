//! The tree decoder: from a JSON tree to a type.

mod access;
mod error;
mod expected;
mod key;
mod number;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use self::access::{Entries, Items, Variant};
pub use self::error::DecodeError;
use super::{JsonValue, MAX_DEPTH, write};
use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use std::iter;

/// Under this name `serde_json` asks for a value as text.
const RAW_TOKEN: &str = "$serde_json::private::RawValue";

/// Decodes a tree as a `T`, which may borrow its strings.
///
/// This is what `serde_json::from_value` does, with three differences:
///
/// - A float without a fraction is taken where an integer is wanted: `12.0` as 12, `-0.0` as 0. One with a fraction,
///   or outside the integer's range, is refused. Numbers in strings are not numbers.
/// - A struct is decoded from an object alone, not from an array. (Serde's own buffer, which holds the content of
///   untagged and internally tagged enums, still takes an array; a schema refuses it before.)
/// - The error says where it is, with a [`Pointer`](super::Pointer).
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::json::decode;
///
/// #[derive(Deserialize)]
/// struct Window {
///     offset: u32,
/// }
///
/// let window: Window = decode(&serde_json::json!({"offset": 12.0}))?;
/// assert_eq!(window.offset, 12);
///
/// let error = decode::<Window>(&serde_json::json!({"offset": "12"})).err().unwrap();
/// assert_eq!(error.to_string(), "\"/offset\": expected an integer, got \"12\"");
/// # Ok::<(), tool_runtime::json::DecodeError>(())
/// ```
///
/// # Errors
///
/// What did not fit, and its place. One error, as serde stops at the first.
pub fn decode<'a, T: Deserialize<'a>>(value: &'a JsonValue) -> Result<T, DecodeError> {
    decode_with(value, T::deserialize)
}

/// [`decode()`] with a function of its own, for a type that is decoded otherwise than by its `Deserialize`.
///
/// The function may be called again: serde keeps what it reads for an untagged enum, an internally tagged one or a
/// flattened field in a buffer, and there an integer field does not accept a float. If the first call fails and the
/// tree holds floats without a fraction, they are offered as integers.
///
/// # Errors
///
/// Those of the last call.
pub fn decode_with<'a, T>(
    value: &'a JsonValue,
    f: fn(Decoder<'a>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let decode = |whole_floats| f(Decoder { value, depth: 0, wrappers: 0, whole_floats });
    let mut decoded = decode(WholeFloats::Keep);
    if decoded.is_err() {
        let held = number::whole_floats(value);
        if held.any {
            decoded = decode(WholeFloats::Convert);
        }
        // Apart, since a float field beside the integer one must not lose its sign for nothing.
        if decoded.is_err() && held.negative_zero {
            decoded = decode(WholeFloats::ConvertMinusZeroToo);
        }
    }
    decoded
}

/// How a float without a fraction is shown to a type that takes whatever there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WholeFloats {
    Keep,
    /// All but -0.0, whose sign an integer cannot keep.
    Convert,
    ConvertMinusZeroToo,
}

/// A tree that is being decoded: a serde [`Deserializer`] over a borrowed [`JsonValue`].
///
/// [`decode()`] makes one and passes it on.
#[derive(Clone, Copy, Debug)]
pub struct Decoder<'a> {
    value: &'a JsonValue,
    /// How many containers it is in.
    depth: usize,
    /// How many options and newtypes were taken off at this value.
    wrappers: usize,
    whole_floats: WholeFloats,
}

impl<'a> Decoder<'a> {
    /// The decoder of an item of the container that this one is at.
    fn item(self, value: &'a JsonValue) -> Self {
        Self { value, depth: self.depth + 1, wrappers: 0, ..self }
    }

    /// Steps into an option or a newtype, whose content is the same value. A type that contains nothing but itself
    /// would do so for ever.
    fn unwrap(self) -> Result<Self, DecodeError> {
        if self.wrappers >= MAX_DEPTH {
            return Err(DecodeError::new("the type nests options or newtypes without end"));
        }
        Ok(Self { wrappers: self.wrappers + 1, ..self })
    }

    fn check_depth(&self) -> Result<(), DecodeError> {
        if self.depth >= MAX_DEPTH {
            return Err(DecodeError::new(format!("arrays and objects are nested deeper than {MAX_DEPTH} levels")));
        }
        Ok(())
    }

    /// The value is of another kind than `wanted`, in the words of JSON, unless the visitor has better ones.
    fn mismatch<V: Visitor<'a>>(&self, visitor: &V, wanted: &str) -> DecodeError {
        expected::mismatch(self.value, visitor, wanted)
    }

    fn string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::String(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.mismatch(&visitor, "a string")),
        }
    }

    fn null<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::Null => visitor.visit_unit(),
            _ => Err(self.mismatch(&visitor, "null")),
        }
    }

    /// An array, of at most `most` items.
    fn items<V: Visitor<'a>>(self, visitor: V, most: Option<usize>) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::Array(items) => {
                self.check_depth()?;
                if let Some(most) = most.filter(|&most| items.len() > most) {
                    return Err(expected::too_many_items(items.len(), most));
                }
                let mut access = Items::new(self, items);
                let value = visitor.visit_seq(&mut access)?;
                access.check_end()?;
                Ok(value)
            }
            _ => Err(self.mismatch(&visitor, "an array")),
        }
    }

    fn entries<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::Object(entries) => {
                self.check_depth()?;
                let mut access = Entries::new(self, entries);
                let value = visitor.visit_map(&mut access)?;
                access.check_end()?;
                Ok(value)
            }
            _ => Err(self.mismatch(&visitor, "an object")),
        }
    }
}

macro_rules! forward {
    ($($method:ident => $to:ident,)*) => {$(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            self.$to(visitor)
        }
    )*};
}

impl<'a> Deserializer<'a> for Decoder<'a> {
    type Error = DecodeError;

    forward! {
        deserialize_i8 => integer,
        deserialize_i16 => integer,
        deserialize_i32 => integer,
        deserialize_i64 => integer,
        deserialize_i128 => integer,
        deserialize_u8 => integer,
        deserialize_u16 => integer,
        deserialize_u32 => integer,
        deserialize_u64 => integer,
        deserialize_u128 => integer,
        deserialize_f32 => single_float,
        deserialize_f64 => float,
        deserialize_char => string,
        deserialize_str => string,
        deserialize_string => string,
        deserialize_identifier => string,
        deserialize_unit => null,
        deserialize_map => entries,
    }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::Null => visitor.visit_unit(),
            JsonValue::Bool(value) => visitor.visit_bool(*value),
            JsonValue::Number(number) => self.any_number(number, visitor),
            JsonValue::String(_) => self.string(visitor),
            JsonValue::Array(_) => self.items(visitor, None),
            JsonValue::Object(_) => self.entries(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.mismatch(&visitor, "a boolean")),
        }
    }

    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::String(_) => self.string(visitor),
            JsonValue::Array(_) => self.items(visitor, None),
            _ => Err(self.mismatch(&visitor, "a string or an array of bytes")),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::Null => visitor.visit_none(),
            _ => visitor.visit_some(self.unwrap()?),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'a>>(self, _: &'static str, visitor: V) -> Result<V::Value, DecodeError> {
        self.null(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if name == RAW_TOKEN {
            let text = write(self.value).map_err(DecodeError::custom)?.to_string();
            return visitor.visit_map(MapDeserializer::new(iter::once((RAW_TOKEN, text))));
        }
        visitor.visit_newtype_struct(self.unwrap()?)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.items(visitor, None)
    }

    fn deserialize_tuple<V: Visitor<'a>>(self, len: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.items(visitor, Some(len))
    }

    fn deserialize_tuple_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.items(visitor, Some(len))
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.entries(visitor)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.value {
            JsonValue::String(name) => visitor.visit_enum(Variant::unit(name)),
            JsonValue::Object(entries) => {
                self.check_depth()?;
                let mut entries = entries.iter();
                match (entries.next(), entries.next()) {
                    (Some((name, content)), None) => visitor.visit_enum(Variant::new(name, self.item(content))),
                    _ => Err(expected::no_variant(self.value, variants)),
                }
            }
            _ => Err(expected::no_variant(self.value, variants)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }
}
