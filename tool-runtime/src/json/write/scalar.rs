//! Numbers and strings, in the spelling of `serde_json`.

use super::{Check, LossyKind, LossyValue, Writer};
use crate::json::scan::{is_plain, plain_run};
use serde::Serialize;
use std::fmt::{self, Write};
use std::io;
use std::ops::Range;

impl<C: Check> Writer<'_, C> {
    pub(super) fn integer(&mut self, number: impl itoa::Integer) {
        self.out.push_str(itoa::Buffer::new().format(number));
    }

    /// `value` is what is printed; `wide` is the same number, to look at.
    pub(super) fn float(&mut self, value: impl Serialize, wide: f64) -> Result<(), LossyValue> {
        if !wide.is_finite() {
            let name = if wide.is_nan() {
                "NaN"
            } else if wide > 0.0 {
                "infinity"
            } else {
                "-infinity"
            };
            return Err(self.refuse(LossyKind::NotFinite, format!("is {name}, which JSON cannot say")));
        }
        // The shortest digits that read back to the same bits: serde_json's way to them needs no allocation.
        let start = self.out.len();
        let printed = serde_json::to_writer(Ascii(&mut self.out), &value);
        // The text of a narrower float reads as another one of 64 bits.
        self.check.float(if size_of_val(&value) < size_of::<f64>() {
            self.out[start..].parse().unwrap_or(wide)
        } else {
            wide
        });
        printed.map_err(|error| self.refuse(LossyKind::Custom, format!("could not be printed: {error}")))
    }

    pub(super) fn beyond_64_bits(&mut self, value: impl fmt::Display) -> LossyValue {
        let message = format!("is the integer {value}, which is beyond 64 bits; make it a string");
        self.refuse(LossyKind::IntegerOutOfRange, message)
    }

    pub(super) fn string(&mut self, text: &str) {
        self.check.string(text);
        self.quoted(text);
    }

    /// A string that is a key, or was checked.
    pub(super) fn quoted(&mut self, text: &str) {
        if is_plain(text.as_bytes()) {
            self.out.reserve(text.len() + 2);
            self.out.push('"');
            self.out.push_str(text);
            self.out.push('"');
            return;
        }
        self.out.push('"');
        escape_into(&mut self.out, text);
        self.out.push('"');
    }

    /// A key of a map, which stands in [`Writer::keys`].
    pub(super) fn key(&mut self, key: Range<usize>) {
        self.out.push('"');
        escape_into(&mut self.out, &self.keys[key]);
        self.out.push('"');
    }

    pub(super) fn displayed<T: fmt::Display + ?Sized>(&mut self, value: &T) -> Result<(), LossyValue> {
        if self.check.wants_text() {
            let mut text = String::new();
            let displayed = write!(text, "{value}");
            displayed.map_err(|fmt::Error| self.refuse(LossyKind::Custom, "has a Display that failed"))?;
            self.string(&text);
            return Ok(());
        }
        self.check.string("");
        self.out.push('"');
        let displayed = write!(Escaped(&mut self.out), "{value}");
        displayed.map_err(|fmt::Error| self.refuse(LossyKind::Custom, "has a Display that failed"))?;
        self.out.push('"');
        Ok(())
    }
}

/// Takes the bytes of a printed number.
struct Ascii<'a>(&'a mut String);

impl io::Write for Ascii<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.push_str(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Takes pieces of text and escapes them.
struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape_into(self.0, text);
        Ok(())
    }
}

/// Writes what stands between the quotes of a string: only `"`, `\` and control characters are escaped.
fn escape_into(out: &mut String, mut text: &str) {
    loop {
        let (run, rest) = text.split_at(plain_run(text.as_bytes()));
        out.push_str(run);
        // What ends a run is ASCII.
        let Some(&byte) = rest.as_bytes().first() else { return };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            _ => {
                out.push_str("\\u00");
                out.push(if byte < 0x10 { '0' } else { '1' });
                out.push(char::from_digit(u32::from(byte & 0xf), 16).unwrap_or('0'));
            }
        }
        text = &rest[1..];
    }
}
