//! Arrays, structs and maps.

use super::embedded::{Embedded, EmbeddedKind};
use super::key::KeyWriter;
use super::{Check, Entry, Key, LossyKind, LossyValue, Variant, Writer};
use crate::json::excerpt::Clipped;
use serde::ser::{self, Serialize};

/// An open array; of a tuple variant, with the object around it.
pub(super) struct Items<'w, 'c, C: Check> {
    writer: &'w mut Writer<'c, C>,
    array: C::Array,
    written: usize,
    variant: Option<Variant<C>>,
}

impl<'w, 'c, C: Check> Items<'w, 'c, C> {
    pub(super) fn open(writer: &'w mut Writer<'c, C>, variant: Option<&'static str>) -> Result<Self, LossyValue> {
        let opened = variant.map(|variant| writer.open_variant(variant)).transpose()?;
        let start = writer.out.len();
        writer.open('[').map_err(|error| error.in_variant(variant))?;
        let array = writer.check.open_array(start);
        Ok(Self { writer, array, written: 0, variant: opened })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        self.begin_item();
        match value.serialize(&mut *self.writer) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.item_refused(error)),
        }
    }

    fn begin_item(&mut self) {
        if self.written > 0 {
            self.writer.out.push(',');
        }
        self.written += 1;
        self.writer.check.item(&mut self.array);
    }

    fn item_refused(&mut self, error: LossyValue) -> LossyValue {
        self.writer.refused = true;
        error.in_index(self.written - 1).in_variant(self.variant.as_ref().map(|variant| variant.name))
    }

    fn close(self) {
        self.writer.close(']');
        self.writer.check.close_array(self.array, &self.writer.out);
        if let Some(variant) = self.variant {
            self.writer.close_variant(variant);
        }
    }
}

/// For how many fields a struct makes room that the check does not know, so that the first does not do it step by step.
const FIRST_FIELDS: usize = 16;

/// An open struct; of a struct variant, with the object around it.
pub(super) struct StructFields<'w, 'c, C: Check> {
    writer: &'w mut Writer<'c, C>,
    object: Option<C::Object>,
    written: bool,
    /// Where its fields start in [`Writer::fields`]: those that the check does not know.
    first: usize,
    /// A field that the check has seen before.
    twice: Option<&'static str>,
    variant: Option<Variant<C>>,
    /// Where its text starts in [`Writer::out`], if it is not a struct at all, but `serde_json`'s way to pass the text of
    /// a number or of any JSON.
    embedded: Option<Embedded>,
}

impl<'w, 'c, C: Check> StructFields<'w, 'c, C> {
    pub(super) fn open(writer: &'w mut Writer<'c, C>, variant: Option<&'static str>) -> Result<Self, LossyValue> {
        let opened = variant.map(|variant| writer.open_variant(variant)).transpose()?;
        let (first, start) = (writer.fields.len(), writer.out.len());
        writer.open('{').map_err(|error| error.in_variant(variant))?;
        let object = Some(writer.check.open_object(start));
        Ok(Self { writer, object, written: false, first, twice: None, variant: opened, embedded: None })
    }

    pub(super) fn embedded(writer: &'w mut Writer<'c, C>, kind: EmbeddedKind) -> Self {
        let (first, start) = (writer.fields.len(), writer.out.len());
        let embedded = Some(Embedded { kind, start });
        Self { writer, object: None, written: false, first, twice: None, variant: None, embedded }
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        self.begin_field(name);
        match value.serialize(&mut *self.writer) {
            Ok(()) if self.embedded.is_none() => Ok(()),
            done => self.end_field(name, done),
        }
    }

    fn begin_field(&mut self, name: &'static str) {
        if let Some(embedded) = self.embedded {
            return self.writer.announce(embedded);
        }
        let writer = &mut *self.writer;
        let first = !std::mem::replace(&mut self.written, true);
        let key = self.object.as_mut().map_or(Key::Unknown, |object| writer.check.key(object, name));
        if let Key::Again(_) = key {
            self.twice = self.twice.or(Some(name));
        }
        match key {
            Key::First(key) | Key::Again(key) => writer.out.push_str(if first { &key[1..] } else { key }),
            Key::Unknown => writer.unknown_field(name, first),
        }
    }

    /// The end of a field that was refused, or is an embedded text.
    #[cold]
    fn end_field(&mut self, name: &'static str, done: Result<(), LossyValue>) -> Result<(), LossyValue> {
        if self.embedded.is_some() {
            return self.writer.announced_end(done);
        }
        self.writer.refused = true;
        let variant = self.variant.as_ref().map(|variant| variant.name);
        done.map_err(|error| error.in_key(name).in_variant(variant))
    }

    fn close(self) -> Result<(), LossyValue> {
        if let Some(embedded) = &self.embedded {
            return embedded.check_written(self.writer);
        }
        let Self { writer, object, first, twice, variant, .. } = self;
        if twice.is_some() || writer.fields.len() > first {
            if let Some(name) = twice.or_else(|| repeated(&mut writer.fields[first..])) {
                return Err(writer.duplicate_key(name).in_variant(variant.map(|variant| variant.name)));
            }
            writer.fields.truncate(first);
        }
        writer.close('}');
        if let Some(object) = object {
            writer.check.close_object(object, &writer.out);
        }
        if let Some(variant) = variant {
            writer.close_variant(variant);
        }
        Ok(())
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
        if let Some(before) = writer.entries.get(self.first..).and_then(<[Entry]>::last) {
            self.ascends &= writer.keys[before.key.clone()] < writer.keys[key.clone()];
            writer.out.push(',');
        }
        let text = writer.out.len();
        match writer.check.key(&mut self.object, &writer.keys[key.clone()]) {
            Key::First(text) | Key::Again(text) => writer.out.push_str(&text[1..]),
            Key::Unknown => {
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

impl<C: Check> ser::SerializeTupleVariant for Items<'_, '_, C> {
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

impl<C: Check> ser::SerializeStruct for StructFields<'_, '_, C> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        self.field(name, value)
    }

    fn end(self) -> Result<(), LossyValue> {
        self.close()
    }
}

impl<C: Check> ser::SerializeStructVariant for StructFields<'_, '_, C> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        self.field(name, value)
    }

    fn end(self) -> Result<(), LossyValue> {
        self.close()
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
