//! The items of arrays, the entries of objects, and the variants of enums. Each adds its segment to the place of an error
//! that comes out of it.

use super::key::KeyDecoder;
use super::{DecodeError, Decoder, JsonValue, expected};
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde_json::{Map, map};
use std::slice;

pub(super) struct Items<'a> {
    array: Decoder<'a>,
    rest: slice::Iter<'a, JsonValue>,
    length: usize,
}

impl<'a> Items<'a> {
    pub(super) fn new(array: Decoder<'a>, items: &'a [JsonValue]) -> Self {
        Self { array, rest: items.iter(), length: items.len() }
    }

    /// A visitor that stops before the end would drop items in silence.
    pub(super) fn check_end(&self) -> Result<(), DecodeError> {
        match self.rest.len() {
            0 => Ok(()),
            rest => Err(expected::too_many_items(self.length, self.length - rest)),
        }
    }
}

impl<'a> SeqAccess<'a> for Items<'a> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let index = self.length - self.rest.len();
        let Some(item) = self.rest.next() else { return Ok(None) };
        seed.deserialize(self.array.item(item)).map(Some).map_err(|error| error.in_index(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

pub(super) struct Entries<'a> {
    object: Decoder<'a>,
    rest: map::Iter<'a>,
    /// The entry whose key was read and whose value comes next.
    entry: Option<(&'a str, &'a JsonValue)>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(object: Decoder<'a>, entries: &'a Map<String, JsonValue>) -> Self {
        Self { object, rest: entries.iter(), entry: None }
    }

    /// A visitor that stops before the end would drop entries in silence.
    pub(super) fn check_end(&mut self) -> Result<(), DecodeError> {
        match self.rest.next() {
            None => Ok(()),
            Some((key, _)) => Err(DecodeError::new("this entry is one too many").in_key(key)),
        }
    }
}

impl<'a> MapAccess<'a> for Entries<'a> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.entry = Some((key, value));
        seed.deserialize(KeyDecoder(key)).map(Some).map_err(|error| error.in_key(key))
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let Some((key, value)) = self.entry.take() else {
            return Err(DecodeError::new("the type asked for a value before its key"));
        };
        seed.deserialize(self.object.item(value)).map_err(|error| error.in_key(key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// A variant of an enum: its name alone, or its name with a content.
pub(super) struct Variant<'a> {
    name: &'a str,
    content: Option<Decoder<'a>>,
}

impl<'a> Variant<'a> {
    pub(super) fn unit(name: &'a str) -> Self {
        Self { name, content: None }
    }

    pub(super) fn new(name: &'a str, content: Decoder<'a>) -> Self {
        Self { name, content: Some(content) }
    }

    fn content<T>(
        self,
        wanted: &str,
        decode: impl FnOnce(Decoder<'a>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        match self.content {
            Some(content) => decode(content).map_err(|error| error.in_key(self.name)),
            None => Err(DecodeError::invalid_type(Unexpected::UnitVariant, &wanted)),
        }
    }
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Self), DecodeError> {
        Ok((seed.deserialize(BorrowedStrDeserializer::new(self.name))?, self))
    }
}

impl<'a> VariantAccess<'a> for Variant<'a> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        match self.content {
            Some(content) => <()>::deserialize(content).map_err(|error| error.in_key(self.name)),
            None => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, DecodeError> {
        self.content("newtype variant", |content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'a>>(self, len: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.content("tuple variant", |content| content.items(visitor, Some(len)))
    }

    fn struct_variant<V: Visitor<'a>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, DecodeError> {
        self.content("struct variant", |content| content.entries(visitor))
    }
}
