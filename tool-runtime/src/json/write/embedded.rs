//! JSON that comes as text: `serde_json` passes its raw values, and its numbers if it was built with arbitrary
//! precision, through a struct with a private name and one field, a string.

use super::{Check, LossyKind, LossyValue, MAX_DEPTH, Writer};
use crate::json::JsonValue;
use crate::json::parse::{ParseErrorKind, parse_embedded};
use serde::ser::{Impossible, Serialize, Serializer};

pub(super) const NUMBER_TOKEN: &str = "$serde_json::private::Number";
pub(super) const RAW_TOKEN: &str = "$serde_json::private::RawValue";

pub(super) enum EmbeddedKind {
    Number,
    Any,
}

/// A text that is being passed through.
pub(super) struct Embedded {
    kind: EmbeddedKind,
    /// Where what it says starts in [`Writer::out`].
    start: usize,
}

impl Embedded {
    /// It comes next.
    pub(super) fn next<C: Check>(writer: &Writer<'_, C>, kind: EmbeddedKind) -> Self {
        Self { kind, start: writer.out.len() }
    }

    /// Writes what the text says, in our spelling.
    pub(super) fn write<T: Serialize + ?Sized, C: Check>(
        &self,
        writer: &mut Writer<'_, C>,
        value: &T,
    ) -> Result<(), LossyValue> {
        let written = value.serialize(TextOnly).and_then(|text| self.text(writer, &text));
        written.inspect_err(|_| writer.refused = true)
    }

    fn text<C: Check>(&self, writer: &mut Writer<'_, C>, text: &str) -> Result<(), LossyValue> {
        if writer.out.len() > self.start {
            return Err(LossyValue::new(LossyKind::Custom, "embeds two texts in the place of one"));
        }
        match (parse_embedded(text, MAX_DEPTH - writer.depth), &self.kind) {
            (Ok(JsonValue::Number(number)), _) => writer.json_number(&number),
            (Ok(value), EmbeddedKind::Any) => writer.value(&value),
            (Ok(_), EmbeddedKind::Number) => Err(LossyValue::new(LossyKind::Custom, "embeds a number that is none")),
            (Err(error), _) => {
                let kind = match error.kind() {
                    ParseErrorKind::DuplicateKey => LossyKind::DuplicateKey,
                    ParseErrorKind::TooDeep => LossyKind::TooDeep,
                    ParseErrorKind::IntegerOutOfRange => LossyKind::IntegerOutOfRange,
                    ParseErrorKind::FloatOutOfRange => LossyKind::FloatOutOfRange,
                    _ => LossyKind::Custom,
                };
                let message = format!("embeds a text that is refused: {}", error.message());
                Err(LossyValue::new(kind, message).at(error.pointer().clone()))
            }
        }
    }

    /// A text that was announced must also have come.
    pub(super) fn check_written<C: Check>(&self, writer: &mut Writer<'_, C>) -> Result<(), LossyValue> {
        if writer.out.len() > self.start {
            return Ok(());
        }
        Err(writer.refuse(LossyKind::Custom, "embeds no text where it announced one"))
    }
}

impl<C: Check> Writer<'_, C> {
    /// Not through `Serialize`: with arbitrary precision, that would come back here as text.
    fn json_number(&mut self, number: &serde_json::Number) -> Result<(), LossyValue> {
        match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(number), ..) => self.serialize_u64(number),
            (None, Some(number), _) => self.serialize_i64(number),
            (None, None, Some(number)) => self.float(number, number),
            (None, None, None) => Err(self.refuse(LossyKind::FloatOutOfRange, "is a number beyond 64 bits")),
        }
    }
}

/// Takes a string and nothing else.
struct TextOnly;

fn no_text<T>() -> Result<T, LossyValue> {
    Err(LossyValue::new(LossyKind::Custom, "embeds JSON that is not given as text"))
}

impl Serializer for TextOnly {
    type Ok = String;
    type Error = LossyValue;
    type SerializeSeq = Impossible<String, LossyValue>;
    type SerializeTuple = Impossible<String, LossyValue>;
    type SerializeTupleStruct = Impossible<String, LossyValue>;
    type SerializeTupleVariant = Impossible<String, LossyValue>;
    type SerializeMap = Impossible<String, LossyValue>;
    type SerializeStruct = Impossible<String, LossyValue>;
    type SerializeStructVariant = Impossible<String, LossyValue>;

    fn serialize_str(self, text: &str) -> Result<String, LossyValue> {
        Ok(text.to_owned())
    }

    fn serialize_bool(self, _: bool) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_i8(self, _: i8) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_i16(self, _: i16) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_i32(self, _: i32) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_i64(self, _: i64) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_i128(self, _: i128) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_u8(self, _: u8) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_u16(self, _: u16) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_u32(self, _: u32) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_u64(self, _: u64) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_u128(self, _: u128) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_f32(self, _: f32) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_f64(self, _: f64) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_char(self, _: char) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_none(self) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_unit(self) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String, LossyValue> {
        no_text()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, LossyValue> {
        no_text()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, LossyValue> {
        no_text()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, LossyValue> {
        no_text()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, LossyValue> {
        no_text()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, LossyValue> {
        no_text()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, LossyValue> {
        no_text()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, LossyValue> {
        no_text()
    }
}
