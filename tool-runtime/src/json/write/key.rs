//! Keys of maps: everything that prints as exactly one text.

use super::{Check, LossyKind, LossyValue, Writer};
use serde::ser::{Impossible, Serialize, Serializer};
use std::fmt::{self, Write};

/// Appends a key to [`Writer::keys`].
pub(super) struct KeyWriter<'w, 'c, C>(pub(super) &'w mut Writer<'c, C>);

impl<C: Check> KeyWriter<'_, '_, C> {
    fn printed(self, key: impl fmt::Display) -> Result<(), LossyValue> {
        let printed = write!(self.0.keys, "{key}");
        printed.map_err(|fmt::Error| self.0.refuse(LossyKind::Custom, "has a key with a Display that failed"))
    }

    fn refused<T>(self, what: &str) -> Result<T, LossyValue> {
        let message = format!("has a key that is {what}; the keys of JSON objects are texts");
        Err(self.0.refuse(LossyKind::KeyIsNoText, message))
    }
}

impl<C: Check> Serializer for KeyWriter<'_, '_, C> {
    type Ok = ();
    type Error = LossyValue;
    type SerializeSeq = Impossible<(), LossyValue>;
    type SerializeTuple = Impossible<(), LossyValue>;
    type SerializeTupleStruct = Impossible<(), LossyValue>;
    type SerializeTupleVariant = Impossible<(), LossyValue>;
    type SerializeMap = Impossible<(), LossyValue>;
    type SerializeStruct = Impossible<(), LossyValue>;
    type SerializeStructVariant = Impossible<(), LossyValue>;

    fn serialize_str(self, key: &str) -> Result<(), LossyValue> {
        self.0.keys.push_str(key);
        Ok(())
    }

    fn serialize_char(self, key: char) -> Result<(), LossyValue> {
        self.0.keys.push(key);
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), LossyValue> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, key: &T) -> Result<(), LossyValue> {
        key.serialize(self)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, key: &T) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_bool(self, key: bool) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_i8(self, key: i8) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_i16(self, key: i16) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_i32(self, key: i32) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_i64(self, key: i64) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_i128(self, key: i128) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_u8(self, key: u8) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_u16(self, key: u16) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_u32(self, key: u32) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_u64(self, key: u64) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_u128(self, key: u128) -> Result<(), LossyValue> {
        self.printed(key)
    }

    fn serialize_f32(self, _: f32) -> Result<(), LossyValue> {
        self.refused("a float")
    }

    fn serialize_f64(self, _: f64) -> Result<(), LossyValue> {
        self.refused("a float")
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), LossyValue> {
        self.refused("a byte string")
    }

    fn serialize_none(self) -> Result<(), LossyValue> {
        self.refused("an option")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), LossyValue> {
        self.refused("an option")
    }

    fn serialize_unit(self) -> Result<(), LossyValue> {
        self.refused("a unit")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), LossyValue> {
        self.refused("a unit")
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), LossyValue> {
        self.refused("an enum variant with a value")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, LossyValue> {
        self.refused("a sequence")
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, LossyValue> {
        self.refused("a tuple")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, LossyValue> {
        self.refused("a tuple")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, LossyValue> {
        self.refused("an enum variant with a value")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, LossyValue> {
        self.refused("a map")
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, LossyValue> {
        self.refused("a struct")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, LossyValue> {
        self.refused("an enum variant with a value")
    }
}
