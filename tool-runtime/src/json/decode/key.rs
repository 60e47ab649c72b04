//! Keys of objects: texts, and what prints as exactly one text.

use super::DecodeError;
use super::expected::in_words;
use crate::json::excerpt::Clipped;
use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;

pub(super) struct KeyDecoder<'a>(pub(super) Cow<'a, str>);

impl<'a> KeyDecoder<'a> {
    /// An integer as it prints: `01` and `1` would otherwise be two keys for one.
    fn integer<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let digits = self.0.strip_prefix('-').unwrap_or(&self.0);
        let canonical = self.0 == "0" || digits.starts_with(|first| matches!(first, '1'..='9'));
        if canonical {
            if let Ok(number) = self.0.parse() {
                return visitor.visit_u64(number);
            }
            if let Ok(number) = self.0.parse() {
                return visitor.visit_i64(number);
            }
        }
        Err(self.mismatch(&visitor))
    }

    fn mismatch<V: Visitor<'a>>(self, visitor: &V) -> DecodeError {
        DecodeError::new(format!("expected a key that is {}, got \"{}\"", in_words(visitor), Clipped(&self.0)))
    }
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            self.integer(visitor)
        }
    )*};
}

impl<'a> Deserializer<'a> for KeyDecoder<'a> {
    type Error = DecodeError;

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Cow::Borrowed(key) => visitor.visit_borrowed_str(key),
            Cow::Owned(key) => visitor.visit_string(key),
        }
    }

    /// The name of a field is compared, and kept by nobody.
    fn deserialize_identifier<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.0 {
            Cow::Borrowed(key) => visitor.visit_borrowed_str(key),
            Cow::Owned(key) => visitor.visit_str(&key),
        }
    }

    fn deserialize_bool<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &*self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(self, _: &'static str, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        match self.0 {
            Cow::Borrowed(key) => visitor.visit_enum(BorrowedStrDeserializer::new(key)),
            Cow::Owned(key) => visitor.visit_enum(StringDeserializer::new(key)),
        }
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct ignored_any
    }
}
