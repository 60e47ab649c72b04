//! Arrays, structs and maps.

use super::embedded::{Embedded, EmbeddedKind};
use super::key::KeyWriter;
use super::{Entry, LossyKind, LossyValue, Writer};
use crate::json::excerpt::Clipped;
use serde::ser::{self, Serialize};

/// An open array; of a tuple variant, with the object around it.
pub(super) struct Items<'w> {
    writer: &'w mut Writer,
    written: usize,
    variant: Option<&'static str>,
}

impl<'w> Items<'w> {
    pub(super) fn open(writer: &'w mut Writer, variant: Option<&'static str>) -> Result<Self, LossyValue> {
        if let Some(variant) = variant {
            writer.open_variant(variant)?;
        }
        writer.open('[').map_err(|error| error.in_variant(variant))?;
        Ok(Self { writer, written: 0, variant })
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        if self.written > 0 {
            self.writer.out.push(',');
        }
        let index = self.written;
        self.written += 1;
        self.writer.value(value).map_err(|error| error.in_index(index).in_variant(self.variant))
    }

    fn close(self) {
        self.writer.close(']');
        if self.variant.is_some() {
            self.writer.close('}');
        }
    }
}

/// For how many fields a struct makes room, so that the first struct of a value does not do it step by step.
const FIRST_FIELDS: usize = 16;

/// An open struct; of a struct variant, with the object around it.
pub(super) struct StructFields<'w> {
    writer: &'w mut Writer,
    /// Where its fields start in [`Writer::fields`].
    first: usize,
    variant: Option<&'static str>,
    /// Where its text starts in [`Writer::out`], if it is not a struct at all, but `serde_json`'s way to pass the text of
    /// a number or of any JSON.
    embedded: Option<Embedded>,
}

impl<'w> StructFields<'w> {
    pub(super) fn open(writer: &'w mut Writer, variant: Option<&'static str>) -> Result<Self, LossyValue> {
        if let Some(variant) = variant {
            writer.open_variant(variant)?;
        }
        writer.open('{').map_err(|error| error.in_variant(variant))?;
        let first = writer.fields.len();
        writer.fields.reserve(FIRST_FIELDS);
        Ok(Self { writer, first, variant, embedded: None })
    }

    pub(super) fn embedded(writer: &'w mut Writer, kind: EmbeddedKind) -> Self {
        let (first, start) = (writer.fields.len(), writer.out.len());
        Self { writer, first, variant: None, embedded: Some(Embedded { kind, start }) }
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        if let Some(embedded) = &self.embedded {
            return embedded.write(self.writer, value);
        }
        if self.writer.fields.len() > self.first {
            self.writer.out.push(',');
        }
        self.writer.fields.push(name);
        self.writer.string(name);
        self.writer.out.push(':');
        self.writer.value(value).map_err(|error| error.in_key(name).in_variant(self.variant))
    }

    fn close(self) -> Result<(), LossyValue> {
        if let Some(embedded) = &self.embedded {
            return embedded.check_written(self.writer);
        }
        if let Some(name) = repeated(&mut self.writer.fields[self.first..]) {
            return Err(self.writer.duplicate_key(name).in_variant(self.variant));
        }
        self.writer.fields.truncate(self.first);
        self.writer.close('}');
        if self.variant.is_some() {
            self.writer.close('}');
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
pub(super) struct MapEntries<'w> {
    writer: &'w mut Writer,
    /// Where its entries start in [`Writer::entries`].
    first: usize,
    /// Where its keys start in [`Writer::keys`].
    first_key: usize,
    /// Where its text starts in [`Writer::out`], behind the bracket.
    start: usize,
    /// Whether each key so far is greater than the one before it.
    ascends: bool,
}

impl<'w> MapEntries<'w> {
    pub(super) fn open(writer: &'w mut Writer) -> Result<Self, LossyValue> {
        writer.open('{')?;
        let (first, first_key, start) = (writer.entries.len(), writer.keys.len(), writer.out.len());
        Ok(Self { writer, first, first_key, start, ascends: true })
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
        writer.key(key.clone());
        writer.out.push(':');
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
        Ok(())
    }
}

impl Writer {
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

impl ser::SerializeSeq for Items<'_> {
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

impl ser::SerializeTuple for Items<'_> {
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

impl ser::SerializeTupleStruct for Items<'_> {
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

impl ser::SerializeTupleVariant for Items<'_> {
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

impl ser::SerializeStruct for StructFields<'_> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        self.field(name, value)
    }

    fn end(self) -> Result<(), LossyValue> {
        self.close()
    }
}

impl ser::SerializeStructVariant for StructFields<'_> {
    type Ok = ();
    type Error = LossyValue;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        self.field(name, value)
    }

    fn end(self) -> Result<(), LossyValue> {
        self.close()
    }
}

impl ser::SerializeMap for MapEntries<'_> {
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
