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
mod source;
#[cfg(test)]
mod tests;

use self::access::{Access, Variant};
pub use self::error::DecodeError;
use self::source::{Cursor, Kind, Source, not_plain};
use super::{JsonValue, MAX_DEPTH, write};
use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use std::borrow::Cow;
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
    let mut decoded = None;
    attempt(value, &mut |decoder| f(decoder).map(|value| decoded = Some(value)))?;
    decoded.ok_or_else(|| DecodeError::new("nothing was decoded"))
}

/// The attempts of [`decode_with()`], which are the same for every type.
pub(crate) fn attempt<'a>(value: &'a JsonValue, f: Attempt<'_, 'a>) -> Result<(), DecodeError> {
    let mut decode = |whole_floats| f(Decoder { source: Source::Tree(value), depth: 0, wrappers: 0, whole_floats });
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

/// Decodes, and keeps what it got.
pub(crate) type Attempt<'f, 'a> = &'f mut dyn FnMut(Decoder<'a>) -> Result<(), DecodeError>;

/// The one attempt at a text that was followed, and found to be plain JSON: it decodes to what its tree decodes to.
///
/// # Errors
///
/// What did not fit; the words are those for a tree only where serde or the type has them.
pub(crate) fn attempt_text(
    text: &str,
    f: &mut dyn FnMut(Decoder<'_>) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    let cursor = Cursor::new(text);
    f(Decoder { source: Source::Text(&cursor), depth: 0, wrappers: 0, whole_floats: WholeFloats::Keep })
}

/// How a float without a fraction is shown to a type that takes whatever there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WholeFloats {
    Keep,
    /// All but -0.0, whose sign an integer cannot keep.
    Convert,
    ConvertMinusZeroToo,
}

/// A value that is being decoded: a serde [`Deserializer`] over a borrowed [`JsonValue`], or over text that was checked.
///
/// [`decode()`] makes one and passes it on.
#[derive(Clone, Copy, Debug)]
pub struct Decoder<'a> {
    source: Source<'a>,
    /// How many containers it is in.
    depth: usize,
    /// How many options and newtypes were taken off at this value.
    wrappers: usize,
    whole_floats: WholeFloats,
}

impl<'a> Decoder<'a> {
    /// The decoder of an item of the container that this one is at.
    fn item(self, source: Source<'a>) -> Self {
        Self { source, depth: self.depth + 1, wrappers: 0, ..self }
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
        match self.source {
            Source::Tree(value) => expected::mismatch(value, visitor, wanted),
            // The tree has better ones.
            Source::Text(_) => DecodeError::new(format!("expected {wanted}")),
        }
    }

    fn string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.source {
            Source::Tree(JsonValue::String(text)) => visitor.visit_borrowed_str(text),
            Source::Text(cursor) if cursor.next() == Some(b'"') => match cursor.string().ok_or_else(not_plain)? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            _ => Err(self.mismatch(&visitor, "a string")),
        }
    }

    fn null<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if !self.is_null() {
            return Err(self.mismatch(&visitor, "null"));
        }
        self.skip()?;
        visitor.visit_unit()
    }

    /// An array, of at most `most` items.
    fn items<V: Visitor<'a>>(self, visitor: V, most: Option<usize>) -> Result<V::Value, DecodeError> {
        let Some(mut items) = self.array()? else { return Err(self.mismatch(&visitor, "an array")) };
        if let Some(most) = most {
            items.check_length(most)?;
        }
        // Matched for the sake of an author's build; see `access`.
        match visitor.visit_seq(Access(&mut items)) {
            Ok(value) => {
                items.check_end()?;
                Ok(value)
            }
            Err(error) => Err(error),
        }
    }

    fn entries<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let Some(mut entries) = self.object()? else { return Err(self.mismatch(&visitor, "an object")) };
        match visitor.visit_map(Access(&mut entries)) {
            Ok(value) => {
                entries.check_end()?;
                Ok(value)
            }
            Err(error) => Err(error),
        }
    }

    fn boolean<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let value = match self.source {
            Source::Tree(JsonValue::Bool(value)) => Some(*value),
            Source::Tree(_) => None,
            Source::Text(cursor) => cursor.boolean(),
        };
        match value {
            Some(value) => visitor.visit_bool(value),
            None => Err(self.mismatch(&visitor, "a boolean")),
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
        deserialize_bool => boolean,
        deserialize_char => string,
        deserialize_str => string,
        deserialize_string => string,
        deserialize_identifier => string,
        deserialize_unit => null,
        deserialize_map => entries,
    }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.kind() {
            Kind::Null => self.null(visitor),
            Kind::Bool => self.boolean(visitor),
            Kind::Number => self.any_number(visitor),
            Kind::String => self.string(visitor),
            Kind::Array => self.items(visitor, None),
            Kind::Object => self.entries(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.kind() {
            Kind::String => self.string(visitor),
            Kind::Array => self.items(visitor, None),
            _ => Err(self.mismatch(&visitor, "a string or an array of bytes")),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.is_null() {
            self.skip()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self.unwrap()?)
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
            let Source::Tree(value) = self.source else { return Err(not_plain()) };
            let text = write(value).map_err(DecodeError::custom)?.to_string();
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
        let variant = match self.kind() {
            Kind::String => self.name()?.map(Variant::unit),
            Kind::Object => self.object()?.map_or(Ok(None), access::Entries::only)?,
            _ => None,
        };
        match (variant, self.source) {
            (Some(variant), _) => visitor.visit_enum(variant),
            (None, Source::Tree(value)) => Err(expected::no_variant(value, variants)),
            (None, Source::Text(_)) => Err(DecodeError::new("expected a variant")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.skip()?;
        visitor.visit_unit()
    }
}
