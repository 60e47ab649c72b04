//! The items of arrays, the entries of objects, and the variants of enums. Each adds its segment to the place of an error
//! that comes out of it.
//!
//! What is compiled for each type that is read has no closures and no `?` on what the type decides: without optimisation,
//! each of these is a function of its own in the build of an author.

use super::key::KeyDecoder;
use super::source::{Cursor, Source, not_plain};
use super::{DecodeError, Decoder, JsonValue, expected};
use serde::de::value::{BorrowedStrDeserializer, CowStrDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde_json::{Map, map};
use std::borrow::Cow;
use std::slice;

impl<'a> Decoder<'a> {
    /// The items of the value, if it is an array.
    pub(super) fn array(self) -> Result<Option<Items<'a>>, DecodeError> {
        match self.source {
            Source::Tree(JsonValue::Array(items)) => {
                self.check_depth()?;
                Ok(Some(Items::of_tree(self, items)))
            }
            Source::Text(cursor) if cursor.next() == Some(b'[') => {
                cursor.step(1);
                Ok(Some(Items::of_text(self, cursor)))
            }
            _ => Ok(None),
        }
    }

    /// The entries of the value, if it is an object.
    pub(super) fn object(self) -> Result<Option<Entries<'a>>, DecodeError> {
        match self.source {
            Source::Tree(JsonValue::Object(entries)) => {
                self.check_depth()?;
                Ok(Some(Entries::of_tree(self, entries)))
            }
            Source::Text(cursor) if cursor.next() == Some(b'{') => {
                cursor.step(1);
                Ok(Some(Entries::of_text(self, cursor)))
            }
            _ => Ok(None),
        }
    }
}

pub(super) struct Items<'a> {
    array: Decoder<'a>,
    rest: Rest<'a, slice::Iter<'a, JsonValue>>,
    read: usize,
}

/// What of a container is still to be read.
enum Rest<'a, T> {
    Tree(T),
    Text(&'a Cursor<'a>),
    /// Nothing: the end of the text's container was read too.
    Ended,
}

impl<'a> Items<'a> {
    pub(super) fn of_tree(array: Decoder<'a>, items: &'a [JsonValue]) -> Self {
        Self { array, rest: Rest::Tree(items.iter()), read: 0 }
    }

    pub(super) fn of_text(array: Decoder<'a>, cursor: &'a Cursor<'a>) -> Self {
        Self { array, rest: Rest::Text(cursor), read: 0 }
    }

    /// Refuses an array of more items, as far as its length is known.
    pub(super) fn check_length(&self, most: usize) -> Result<(), DecodeError> {
        match &self.rest {
            Rest::Tree(items) if items.len() > most => Err(expected::too_many_items(items.len(), most)),
            _ => Ok(()),
        }
    }

    /// A visitor that stops before the end would drop items in silence.
    pub(super) fn check_end(&mut self) -> Result<(), DecodeError> {
        let left = match &self.rest {
            Rest::Tree(items) => items.len(),
            Rest::Text(_) => usize::from(self.next()?.is_some()),
            Rest::Ended => 0,
        };
        if left == 0 { Ok(()) } else { Err(expected::too_many_items(self.read + left, self.read)) }
    }

    /// The next item with its index.
    fn item(&mut self) -> Result<Option<(usize, Decoder<'a>)>, DecodeError> {
        let Some(item) = self.next()? else { return Ok(None) };
        let index = self.read;
        self.read += 1;
        Ok(Some((index, self.array.item(item))))
    }

    fn next(&mut self) -> Result<Option<Source<'a>>, DecodeError> {
        match &mut self.rest {
            Rest::Tree(items) => Ok(items.next().map(Source::Tree)),
            Rest::Text(cursor) => {
                let cursor = *cursor;
                if cursor.has_item(self.read == 0).ok_or_else(not_plain)? {
                    return Ok(Some(Source::Text(cursor)));
                }
                self.rest = Rest::Ended;
                Ok(None)
            }
            Rest::Ended => Ok(None),
        }
    }
}

/// How a visitor reads a container whose end is checked afterwards.
///
/// serde's own way, by a reference, is two more functions for each type that is read; and `next_element`, `next_key` and
/// `next_value`, which derived code asks, would each be two more by way of a seed.
pub(super) struct Access<'r, T>(pub(super) &'r mut T);

impl<'a> SeqAccess<'a> for Access<'_, Items<'a>> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let Some((index, item)) = self.0.item()? else { return Ok(None) };
        match seed.deserialize(item) {
            Ok(item) => Ok(Some(item)),
            Err(error) => Err(error.in_index(index)),
        }
    }

    fn next_element<T: Deserialize<'a>>(&mut self) -> Result<Option<T>, DecodeError> {
        let Some((index, item)) = self.0.item()? else { return Ok(None) };
        match T::deserialize(item) {
            Ok(item) => Ok(Some(item)),
            Err(error) => Err(error.in_index(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        match &self.0.rest {
            Rest::Tree(items) => Some(items.len()),
            Rest::Text(_) | Rest::Ended => None,
        }
    }
}

pub(super) struct Entries<'a> {
    object: Decoder<'a>,
    rest: Rest<'a, map::Iter<'a>>,
    first: bool,
    /// The entry of a tree whose key was read and whose value comes next. In a text it is the cursor that knows.
    entry: Option<(&'a str, &'a JsonValue)>,
}

impl<'a> Entries<'a> {
    pub(super) fn of_tree(object: Decoder<'a>, entries: &'a Map<String, JsonValue>) -> Self {
        Self { object, rest: Rest::Tree(entries.iter()), first: true, entry: None }
    }

    pub(super) fn of_text(object: Decoder<'a>, cursor: &'a Cursor<'a>) -> Self {
        Self { object, rest: Rest::Text(cursor), first: true, entry: None }
    }

    /// A visitor that stops before the end would drop entries in silence.
    pub(super) fn check_end(&mut self) -> Result<(), DecodeError> {
        if let Rest::Ended = self.rest {
            return Ok(());
        }
        match self.next_key()? {
            None => Ok(()),
            Some(key) => Err(DecodeError::new("this entry is one too many").in_key(&key)),
        }
    }

    /// The one entry of an object that stands for a variant, if there is exactly one.
    pub(super) fn only(mut self) -> Result<Option<Variant<'a>>, DecodeError> {
        let Some(name) = self.next_key()? else { return Ok(None) };
        // What follows in a text is read behind the content.
        if let Rest::Tree(rest) = &self.rest
            && rest.len() > 0
        {
            return Ok(None);
        }
        let (_, content) = self.value()?;
        Ok(Some(Variant { name, content: Some((content, self)) }))
    }

    fn next_key(&mut self) -> Result<Option<Cow<'a, str>>, DecodeError> {
        match &mut self.rest {
            Rest::Tree(entries) => {
                let Some((key, value)) = entries.next() else { return Ok(None) };
                self.entry = Some((key, value));
                Ok(Some(Cow::Borrowed(key)))
            }
            Rest::Text(cursor) => {
                if cursor.has_item(std::mem::take(&mut self.first)).ok_or_else(not_plain)? {
                    return cursor.key().map(Some).ok_or_else(not_plain);
                }
                self.rest = Rest::Ended;
                Ok(None)
            }
            Rest::Ended => Ok(None),
        }
    }

    /// The key that was read, if it is told where it is.
    fn place(&self) -> Option<&'a str> {
        self.entry.map(|(key, _)| key)
    }

    /// The value of the key that was read, with the key if it is told where the value is.
    fn value(&mut self) -> Result<(Option<&'a str>, Decoder<'a>), DecodeError> {
        match (&self.rest, self.entry.take()) {
            (Rest::Text(cursor), _) => Ok((None, self.object.item(Source::Text(cursor)))),
            (_, Some((key, value))) => Ok((Some(key), self.object.item(Source::Tree(value)))),
            _ => Err(DecodeError::new("the type asked for a value before its key")),
        }
    }
}

impl<'a> MapAccess<'a> for Access<'_, Entries<'a>> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let Some(key) = self.0.next_key()? else { return Ok(None) };
        match seed.deserialize(KeyDecoder(key)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.in_optional_key(self.0.place())),
        }
    }

    fn next_key<K: Deserialize<'a>>(&mut self) -> Result<Option<K>, DecodeError> {
        let Some(key) = self.0.next_key()? else { return Ok(None) };
        match K::deserialize(KeyDecoder(key)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.in_optional_key(self.0.place())),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let (place, value) = self.0.value()?;
        match seed.deserialize(value) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.in_optional_key(place)),
        }
    }

    fn next_value<V: Deserialize<'a>>(&mut self) -> Result<V, DecodeError> {
        let (place, value) = self.0.value()?;
        match V::deserialize(value) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.in_optional_key(place)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        match &self.0.rest {
            Rest::Tree(entries) => Some(entries.len()),
            Rest::Text(_) | Rest::Ended => None,
        }
    }
}

/// A variant of an enum: its name alone, or its name with a content, in an object that has nothing else.
pub(super) struct Variant<'a> {
    name: Cow<'a, str>,
    content: Option<(Decoder<'a>, Entries<'a>)>,
}

impl<'a> Variant<'a> {
    pub(super) fn unit(name: Cow<'a, str>) -> Self {
        Self { name, content: None }
    }

    fn content<T>(
        self,
        wanted: &str,
        decode: impl FnOnce(Decoder<'a>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let Some((content, mut object)) = self.content else {
            return Err(DecodeError::invalid_type(Unexpected::UnitVariant, &wanted));
        };
        let decoded = decode(content).map_err(|error| error.in_key(&self.name))?;
        object.check_end()?;
        Ok(decoded)
    }
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Self), DecodeError> {
        let variant = match &self.name {
            Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::new(name))?,
            Cow::Owned(name) => seed.deserialize(CowStrDeserializer::new(Cow::Borrowed(name)))?,
        };
        Ok((variant, self))
    }
}

impl<'a> VariantAccess<'a> for Variant<'a> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        match self.content {
            Some(_) => self.content("unit variant", <()>::deserialize),
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
