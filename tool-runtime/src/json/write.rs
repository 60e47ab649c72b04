//! The lossless writer: a serializer that refuses what JSON cannot say.

mod compound;
mod embedded;
mod error;
mod key;
#[cfg(test)]
mod properties;
mod scalar;
#[cfg(test)]
mod tests;

use self::compound::{Fields, InVariant, Items, MapEntries, Struct};
use self::embedded::{Announced, Embedded, EmbeddedKind, NUMBER_TOKEN, RAW_TOKEN};
pub use self::error::{LossyKind, LossyValue};
use super::check::{Check, Key, Unchecked};
use super::text::TOKEN as TEXT_TOKEN;
use super::{JsonText, MAX_DEPTH};
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::Range;

/// How many `Some`s and newtypes may be nested around and between the containers of one value. They leave no trace in
/// the text, but each takes its share of the stack.
const MAX_WRAPPERS: usize = 8 * MAX_DEPTH;

/// What is allocated for the text at first: most values of tools fit, and none pays for growing from nothing.
const FIRST_BYTES: usize = 256;

/// Serialises a value as compact JSON text, without loss and in a fixed order.
///
/// Fields stand in the order in which the type declares them, the keys of maps (and of structs with a flattened field,
/// which serde serialises as maps) in the order of their bytes. Floats are the shortest text that reads back to the same
/// bits. For everything that is accepted, this is the text that `serde_json` writes for sorted maps.
///
/// ```
/// use std::collections::HashMap;
/// use tool_runtime::json::{LossyKind, write};
///
/// let ages = HashMap::from([("Zoe", 7), ("Ada", 36)]);
/// assert_eq!(write(&ages)?.as_str(), r#"{"Ada":36,"Zoe":7}"#);
///
/// let error = write(&HashMap::from([("mean", f64::NAN)])).unwrap_err();
/// assert_eq!(error.kind(), LossyKind::NotFinite);
/// assert_eq!(error.to_string(), "\"/mean\" is NaN, which JSON cannot say");
/// # Ok::<(), tool_runtime::json::LossyValue>(())
/// ```
///
/// # Errors
///
/// The first thing that the text could not say, and its place: see [`LossyKind`].
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsonText, LossyValue> {
    write_checked(value, &mut Unchecked, FIRST_BYTES)
}

/// [`write()`] with a check that follows, and room for a text of so many bytes.
pub(crate) fn write_checked<T: Serialize + ?Sized, C: Check>(
    value: &T,
    check: &mut C,
    bytes: usize,
) -> Result<JsonText, LossyValue> {
    let mut writer = Writer::new(check, bytes);
    value.serialize(&mut writer)?;
    writer.finish()
}

/// The text so far, and what the open containers need. One allocation of each serves the whole value.
struct Writer<'c, C> {
    check: &'c mut C,
    out: String,
    depth: usize,
    wrappers: usize,
    /// Whether maps keep their order: within a [`JsonText`], which has its order already.
    keeps_order: bool,
    /// Whether something was refused. A `Serialize` may ignore an error; the text is broken all the same.
    refused: bool,
    /// The next string is JSON that is passed through.
    announced: Option<Announced>,
    /// The fields of the open structs, the innermost last.
    fields: Vec<&'static str>,
    /// The entries of the open maps, the innermost last.
    entries: Vec<Entry>,
    /// The keys of these entries, as they are before escaping.
    keys: String,
}

/// The object of an enum's variant, while its value is written.
struct Variant<C: Check> {
    name: &'static str,
    object: C::Object,
}

/// An entry of a map.
struct Entry {
    /// Its key, in [`Writer::keys`].
    key: Range<usize>,
    /// Its text, key and value, in [`Writer::out`].
    text: Range<usize>,
}

impl<'c, C: Check> Writer<'c, C> {
    fn new(check: &'c mut C, bytes: usize) -> Self {
        Self {
            check,
            out: String::with_capacity(bytes),
            depth: 0,
            wrappers: 0,
            keeps_order: false,
            refused: false,
            announced: None,
            fields: Vec::new(),
            entries: Vec::new(),
            keys: String::new(),
        }
    }

    fn finish(self) -> Result<JsonText, LossyValue> {
        if self.refused {
            return Err(LossyValue::new(LossyKind::Custom, "ignored an error while it was serialised"));
        }
        Ok(JsonText::from_written(self.out))
    }

    fn refuse(&mut self, kind: LossyKind, message: impl Into<String>) -> LossyValue {
        self.refused = true;
        LossyValue::new(kind, message)
    }

    /// Serialises a value within another one.
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        // An error may also come from the value itself, which did not tell us.
        let done = value.serialize(&mut *self);
        self.refused |= done.is_err();
        done
    }

    /// Opens a container: one of `bracket`'s kind.
    fn open(&mut self, bracket: char) -> Result<(), LossyValue> {
        if self.depth >= MAX_DEPTH {
            let message = format!("is nested deeper than {MAX_DEPTH} arrays and objects");
            return Err(self.refuse(LossyKind::TooDeep, message));
        }
        self.depth += 1;
        self.out.push(bracket);
        Ok(())
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        self.out.push(bracket);
    }

    /// Serialises what is inside a `Some` or a newtype.
    fn wrapped<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        if self.wrappers >= MAX_WRAPPERS {
            let message = format!("is nested in more than {MAX_WRAPPERS} options and newtypes");
            return Err(self.refuse(LossyKind::TooDeep, message));
        }
        self.wrappers += 1;
        let done = self.value(value);
        self.wrappers -= 1;
        done
    }

    /// Opens the object of an enum's variant, up to its value.
    fn open_variant(&mut self, variant: &'static str) -> Result<Variant<C>, LossyValue> {
        let start = self.out.len();
        self.open('{')?;
        let mut object = self.check.open_object(start);
        match self.check.key(&mut object, variant) {
            Key::First(key) | Key::Again(key) => self.out.push_str(key),
            Key::Unknown => {
                self.quoted(variant);
                self.out.push(':');
            }
        }
        Ok(Variant { name: variant, object })
    }

    fn close_variant(&mut self, variant: Variant<C>) {
        self.close('}');
        self.check.close_object(variant.object, &self.out);
    }
}

impl<'w, 'c, C: Check> Serializer for &'w mut Writer<'c, C> {
    type Ok = ();
    type Error = LossyValue;
    type SerializeSeq = Items<'w, 'c, C>;
    type SerializeTuple = Items<'w, 'c, C>;
    type SerializeTupleStruct = Items<'w, 'c, C>;
    type SerializeTupleVariant = InVariant<C, Items<'w, 'c, C>>;
    type SerializeMap = MapEntries<'w, 'c, C>;
    type SerializeStruct = Struct<'w, 'c, C>;
    type SerializeStructVariant = InVariant<C, Fields<'w, 'c, C>>;

    fn serialize_bool(self, value: bool) -> Result<(), LossyValue> {
        self.check.bool(value);
        self.out.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<(), LossyValue> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<(), LossyValue> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<(), LossyValue> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<(), LossyValue> {
        if let Ok(value) = u64::try_from(value) {
            return self.serialize_u64(value);
        }
        self.check.negative(value);
        self.integer(value);
        Ok(())
    }

    fn serialize_i128(self, value: i128) -> Result<(), LossyValue> {
        if let Ok(value) = i64::try_from(value) {
            return self.serialize_i64(value);
        }
        match u64::try_from(value) {
            Ok(value) => self.serialize_u64(value),
            Err(_) => Err(self.beyond_64_bits(value)),
        }
    }

    fn serialize_u8(self, value: u8) -> Result<(), LossyValue> {
        self.serialize_u64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<(), LossyValue> {
        self.serialize_u64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<(), LossyValue> {
        self.serialize_u64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<(), LossyValue> {
        self.check.unsigned(value);
        self.integer(value);
        Ok(())
    }

    fn serialize_u128(self, value: u128) -> Result<(), LossyValue> {
        match u64::try_from(value) {
            Ok(value) => self.serialize_u64(value),
            Err(_) => Err(self.beyond_64_bits(value)),
        }
    }

    fn serialize_f32(self, value: f32) -> Result<(), LossyValue> {
        self.float(value, value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<(), LossyValue> {
        self.float(value, value)
    }

    fn serialize_char(self, value: char) -> Result<(), LossyValue> {
        self.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), LossyValue> {
        if let Some(announced) = self.announced {
            return self.announced_text(announced, value);
        }
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), LossyValue> {
        let message = "is a byte string, which JSON cannot say; make it a text (base64, for instance) or an array";
        Err(self.refuse(LossyKind::Bytes, message))
    }

    fn serialize_none(self) -> Result<(), LossyValue> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), LossyValue> {
        self.wrapped(value)
    }

    fn serialize_unit(self) -> Result<(), LossyValue> {
        self.check.null();
        self.out.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), LossyValue> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), LossyValue> {
        self.string(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<(), LossyValue> {
        if name != TEXT_TOKEN {
            return self.wrapped(value);
        }
        let outer = std::mem::replace(&mut self.keeps_order, true);
        let done = self.wrapped(value);
        self.keeps_order = outer;
        done
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), LossyValue> {
        let opened = self.open_variant(variant)?;
        self.value(value).map_err(|error| error.in_key(variant))?;
        self.close_variant(opened);
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'w, 'c, C>, LossyValue> {
        Items::open(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'w, 'c, C>, LossyValue> {
        Items::open(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'w, 'c, C>, LossyValue> {
        Items::open(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, LossyValue> {
        InVariant::open(self, variant, Items::open)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapEntries<'w, 'c, C>, LossyValue> {
        MapEntries::open(self)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Struct<'w, 'c, C>, LossyValue> {
        let kind = match name {
            NUMBER_TOKEN => EmbeddedKind::Number,
            RAW_TOKEN => EmbeddedKind::Any,
            _ => return Fields::open(self).map(Struct::Fields),
        };
        let embedded = Embedded::next(self, kind);
        Ok(Struct::Embedded(self, embedded))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, LossyValue> {
        InVariant::open(self, variant, Fields::open)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), LossyValue> {
        self.displayed(value)
    }
}
