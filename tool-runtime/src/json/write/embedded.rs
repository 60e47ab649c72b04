//! JSON that comes as text: `serde_json` passes its raw values, and its numbers if it was built with arbitrary
//! precision, through a struct with a private name and one field, a string.

use super::{Check, LossyKind, LossyValue, MAX_DEPTH, Writer};
use crate::json::JsonValue;
use crate::json::parse::{ParseErrorKind, parse_embedded};
use serde::ser::Serializer;

pub(super) const NUMBER_TOKEN: &str = "$serde_json::private::Number";
pub(super) const RAW_TOKEN: &str = "$serde_json::private::RawValue";

#[derive(Clone, Copy)]
pub(super) enum EmbeddedKind {
    Number,
    Any,
}

/// A text that is being passed through.
#[derive(Clone, Copy)]
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

    fn text<C: Check>(&self, writer: &mut Writer<'_, C>, text: &str) -> Result<(), LossyValue> {
        if writer.out.len() > self.start {
            return Err(LossyValue::new(LossyKind::Custom, "embeds two texts in the place of one"));
        }
        match (parse_embedded(text, MAX_DEPTH - writer.depth), self.kind) {
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
    /// The next value is the text, and has to be a plain string: through this writer, as another serializer for it would
    /// be made for the type of every field that there is.
    pub(super) fn announce(&mut self, embedded: Embedded) {
        self.announced = Some(Announced { embedded, depth: self.depth, wrappers: self.wrappers });
    }

    /// A string, while a text is announced.
    #[cold]
    pub(super) fn announced_text(&mut self, announced: Announced, text: &str) -> Result<(), LossyValue> {
        if announced.depth != self.depth || announced.wrappers != self.wrappers {
            return Err(no_text());
        }
        self.announced = None;
        announced.embedded.text(self, text)
    }

    /// What became of the value that was announced as text.
    pub(super) fn announced_end(&mut self, done: Result<(), LossyValue>) -> Result<(), LossyValue> {
        let came = self.announced.take().is_none();
        let done = if came { done } else { Err(no_text()) };
        self.refused |= done.is_err();
        done
    }

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

/// A text that comes next.
#[derive(Clone, Copy)]
pub(super) struct Announced {
    embedded: Embedded,
    depth: usize,
    wrappers: usize,
}

fn no_text() -> LossyValue {
    LossyValue::new(LossyKind::Custom, "embeds JSON that is not given as text")
}
