//! Arrays, structs and maps.

use super::embedded::Embedded;
use super::key::KeyWriter;
use super::{Check, Entry, Key, LossyKind, LossyValue, Variant, Writer};
use crate::json::excerpt::Clipped;
use serde::ser::{self, Serialize};

/// An open array.
pub(super) struct Items<'w, 'c, C: Check> {
    writer: &'w mut Writer<'c, C>,
    array: C::Array,
    written: usize,
}

impl<'w, 'c, C: Check> Items<'w, 'c, C> {
    pub(super) fn open(writer: &'w mut Writer<'c, C>) -> Result<Self, LossyValue> {
        let start = writer.out.len();
        writer.open('[')?;
        let array = writer.check.open_array(start);
        Ok(Self { writer, array, written: 0 })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        self.begin();
        match value.serialize(&mut *self.writer) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.refused(error)),
        }
    }

    // What of an item does not hang on its type is compiled once; so for fields.
    fn begin(&mut self) {
        if self.written > 0 {
            self.writer.out.push(',');
        }
        self.written += 1;
        self.writer.check.item(&mut self.array);
    }

    #[cold]
    fn refused(&mut self, error: LossyValue) -> LossyValue {
        self.writer.refused = true;
        error.in_index(self.written - 1)
    }

    fn close(self) -> &'w mut Writer<'c, C> {
        self.writer.close(']');
        self.writer.check.close_array(self.array, &self.writer.out);
        self.writer
    }
}

/// For how many fields a struct makes room that the check does not know, so that the first does not do it step by step.
const FIRST_FIELDS: usize = 16;

/// An open struct.
pub(super) struct Fields<'w, 'c, C: Check> {
    writer: &'w mut Writer<'c, C>,
    object: C::Object,
    written: bool,
    /// Where its fields start in [`Writer::fields`]: those that the check does not know.
    first: usize,
    /// A field that the check has seen before.
    twice: Option<&'static str>,
}

impl<'w, 'c, C: Check> Fields<'w, 'c, C> {
    pub(super) fn open(writer: &'w mut Writer<'c, C>) -> Result<Self, LossyValue> {
        let (first, start) = (writer.fields.len(), writer.out.len());
        writer.open('{')?;
        let object = writer.check.open_object(start);
        Ok(Self { writer, object, written: false, first, twice: None })
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        self.begin(name);
        match value.serialize(&mut *self.writer) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.refused(name, error)),
        }
    }

    #[inline(never)]
    fn begin(&mut self, name: &'static str) {
        let writer = &mut *self.writer;
        match writer.check.field(&mut self.object, name) {
            Key::First(key) => writer.out.push_str(key),
            Key::Again(key) => {
                writer.out.push_str(key);
                self.twice = self.twice.or(Some(name));
            }
            Key::Unknown => writer.unknown_field(name, !self.written),
        }
        self.written = true;
    }

    #[cold]
    fn refused(&mut self, name: &'static str, error: LossyValue) -> LossyValue {
        self.writer.refused = true;
        error.in_key(name)
    }

    fn close(self) -> Result<&'w mut Writer<'c, C>, LossyValue> {
        let Self { writer, object, first, twice, .. } = self;
        if twice.is_some() || writer.fields.len() > first {
            if let Some(name) = twice.or_else(|| repeated(&mut writer.fields[first..])) {
                return Err(writer.duplicate_key(name));
            }
            writer.fields.truncate(first);
        }
        writer.close('}');
        writer.check.close_object(object, &writer.out);
        Ok(writer)
    }
}

/// What serde calls a struct.
pub(super) enum Struct<'w, 'c, C: Check> {
    Fields(Fields<'w, 'c, C>),
    /// Not a struct at all, but `serde_json`'s way to pass the text of a number or of any JSON.
    Embedded(&'w mut Writer<'c, C>, Embedded),
}

impl<'c, C: Check> Struct<'_, 'c, C> {
    /// The writer of the next field.
    fn begin(&mut self, name: &'static str) -> &mut Writer<'c, C> {
        match self {
            Self::Fields(fields) => {
                fields.begin(name);
                fields.writer
            }
            Self::Embedded(writer, embedded) => {
                writer.announce(*embedded);
                writer
            }
        }
    }

    /// The end of a field that was refused, or is an embedded text.
    #[cold]
    fn ended(&mut self, name: &'static str, done: Result<(), LossyValue>) -> Result<(), LossyValue> {
        match self {
            Self::Fields(fields) => done.map_err(|error| fields.refused(name, error)),
            Self::Embedded(writer, _) => writer.announced_end(done),
        }
    }
}

/// The content of a variant, with the object around it.
pub(super) struct InVariant<C: Check, T> {
    content: T,
    variant: Variant<C>,
}

impl<C: Check, T> InVariant<C, T> {
    pub(super) fn open<'w, 'c>(
        writer: &'w mut Writer<'c, C>,
        name: &'static str,
        open: impl FnOnce(&'w mut Writer<'c, C>) -> Result<T, LossyValue>,
    ) -> Result<Self, LossyValue> {
        let variant = writer.open_variant(name)?;
        let content = open(writer).map_err(|error| error.in_key(name))?;
        Ok(Self { content, variant })
    }
}

/// A name that occurs twice. Few names are compared one by one, many are sorted first.
pub(super) fn repeated<'n>(names: &mut [&'n str]) -> Option<&'n str> {
    if names.len() <= 16 {
        let twice = |(index, name): &(usize, &&str)| names[..*index].contains(name);
        return names.iter().enumerate().find(twice).map(|(_, name)| *name);
    }
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// An open map.
pub(super) struct MapEntries<'w, 'c, C: Check> {
    writer: &'w mut Writer<'c, C>,
    object: C::Object,
    /// Where its entries start in [`Writer::entries`].
    first: usize,
    /// Where its keys start in [`Writer::keys`].
    first_key: usize,
    /// Where its text starts in [`Writer::out`], behind the bracket.
    start: usize,
    /// Whether each key so far is greater than the one before it.
    ascends: bool,
}

impl<'w, 'c, C: Check> MapEntries<'w, 'c, C> {
    pub(super) fn open(writer: &'w mut Writer<'c, C>) -> Result<Self, LossyValue> {
        let object = writer.out.len();
        writer.open('{')?;
        let object = writer.check.open_object(object);
        let (first, first_key, start) = (writer.entries.len(), writer.keys.len(), writer.out.len());
        Ok(Self { writer, object, first, first_key, start, ascends: true })
    }

    fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), LossyValue> {
        if self.awaits_value() {
            return Err(self.writer.refuse(LossyKind::Custom, "has a map with a key that has no value"));
        }
        let writer = &mut *self.writer;
        let start = writer.keys.len();
        key.serialize(KeyWriter(writer)).inspect_err(|_| writer.refused = true)?;
        let key = start..writer.keys.len();
        let before = writer.entries.get(self.first..).and_then(<[Entry]>::last);
        let first = before.is_none();
        if let Some(before) = before {
            self.ascends &= writer.keys[before.key.clone()] < writer.keys[key.clone()];
        }
        // Behind the comma.
        let text = writer.out.len() + usize::from(!first);
        match writer.check.key(&mut self.object, &writer.keys[key.clone()]) {
            Key::First(text) | Key::Again(text) => writer.out.push_str(text),
            Key::Unknown => {
                if !first {
                    writer.out.push(',');
                }
                writer.key(key.clone());
                writer.out.push(':');
            }
        }
        // An empty range: the value is still to come.
        writer.entries.push(Entry { key, text: text..text });
        Ok(())
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        if !self.awaits_value() {
            return Err(self.writer.refuse(LossyKind::Custom, "has a map with a value that has no key"));
        }
        let own = self.writer.entries.len() - 1;
        let done = self.writer.value(value);
        let Writer { out, keys, entries, .. } = &mut *self.writer;
        // A map within the value that was refused has left its own entries behind ours.
        let Some(entry) = entries.get_mut(own) else { return done };
        entry.text.end = out.len();
        done.map_err(|error| error.in_key(&keys[entry.key.clone()]))
    }

    fn awaits_value(&self) -> bool {
        self.writer.entries.get(self.first..).and_then(<[Entry]>::last).is_some_and(|entry| entry.text.is_empty())
    }

    fn close(self) -> Result<(), LossyValue> {
        if self.awaits_value() {
            return Err(self.writer.refuse(LossyKind::Custom, "has a map with a key that has no value"));
        }
        if !self.ascends && !self.writer.keeps_order && !self.writer.refused {
            self.writer.order_entries(self.first, self.start)?;
        }
        self.writer.entries.truncate(self.first);
        self.writer.keys.truncate(self.first_key);
        self.writer.close('}');
        self.writer.check.close_object(self.object, &self.writer.out);
        Ok(())
    }
}

impl<C: Check> Writer<'_, C> {
    /// A field that the check does not know.
    fn unknown_field(&mut self, name: &'static str, first: bool) {
        if !first {
            self.out.push(',');
        }
        if self.fields.capacity() == 0 {
            self.fields.reserve(FIRST_FIELDS);
        }
        self.fields.push(name);
        self.quoted(name);
        self.out.push(':');
    }

    /// Sorts the entries from `first` on by their keys, and the text from `start` on with them.
    fn order_entries(&mut self, first: usize, start: usize) -> Result<(), LossyValue> {
        let Self { out, keys, entries, .. } = &mut *self;
        let entries = &mut entries[first..];
        let key = |entry: &Entry| &keys.as_bytes()[entry.key.clone()];
        entries.sort_unstable_by(|one, other| key(one).cmp(key(other)));
        let twice = entries.array_windows().find(|[one, next]| key(one) == key(next));
        if let Some([entry, _]) = twice {
            let key = keys[entry.key.clone()].to_owned();
            return Err(self.duplicate_key(&key));
        }
        let written = out.split_off(start);
        out.reserve(written.len());
        for (index, entry) in entries.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&written[entry.text.start - start..entry.text.end - start]);
        }
        Ok(())
    }

    fn duplicate_key(&mut self, key: &str) -> LossyValue {
        let message = format!("has the key \"{}\" twice", Clipped(key));
        self.refuse(LossyKind::DuplicateKey, message)
    }
}

impl<C: Check> ser::SerializeSeq for Items<'_, '_, C> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        self.item(value)
    }

    fn end(self) -> Result<(), LossyValue> {
        self.close();
        Ok(())
    }
}

impl<C: Check> ser::SerializeTuple for Items<'_, '_, C> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        self.item(value)
    }

    fn end(self) -> Result<(), LossyValue> {
        self.close();
        Ok(())
    }
}

impl<C: Check> ser::SerializeTupleStruct for Items<'_, '_, C> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        self.item(value)
    }

    fn end(self) -> Result<(), LossyValue> {
        self.close();
        Ok(())
    }
}

impl<C: Check> ser::SerializeTupleVariant for InVariant<C, Items<'_, '_, C>> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        self.content.item(value).map_err(|error| error.in_key(self.variant.name))
    }

    fn end(self) -> Result<(), LossyValue> {
        self.content.close().close_variant(self.variant);
        Ok(())
    }
}

impl<C: Check> ser::SerializeStruct for Struct<'_, '_, C> {
    type Ok = ();
    type Error = LossyValue;

    // Through one writer for both, as another serializer for the embedded text would be made for the type of every field.
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        let done = value.serialize(self.begin(name));
        match (done, &self) {
            (Ok(()), Self::Fields(_)) => Ok(()),
            (done, _) => self.ended(name, done),
        }
    }

    fn end(self) -> Result<(), LossyValue> {
        match self {
            Self::Fields(fields) => fields.close().map(|_| ()),
            Self::Embedded(writer, embedded) => embedded.check_written(writer),
        }
    }
}

impl<C: Check> ser::SerializeStructVariant for InVariant<C, Fields<'_, '_, C>> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        self.content.field(name, value).map_err(|error| error.in_key(self.variant.name))
    }

    fn end(self) -> Result<(), LossyValue> {
        let Self { content, variant } = self;
        match content.close() {
            Ok(writer) => writer.close_variant(variant),
            Err(error) => return Err(error.in_key(variant.name)),
        }
        Ok(())
    }
}

impl<C: Check> ser::SerializeMap for MapEntries<'_, '_, C> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), LossyValue> {
        self.key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        self.value(value)
    }

    fn end(self) -> Result<(), LossyValue> {
        self.close()
    }
}
