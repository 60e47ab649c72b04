//! Where a value comes from: a tree, or the text that it was written as.

use super::{DecodeError, Decoder, JsonValue};
use crate::json::number::Numeric;
use crate::json::parse::{number_at, string_at};
use crate::json::scan::plain_run;
use std::borrow::Cow;
use std::cell::Cell;

/// One value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    Tree(&'a JsonValue),
    /// The value that comes next.
    Text(&'a Cursor<'a>),
}

/// A text that is read from its start to its end. It was followed before, so it is plain JSON.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: Cell<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl<'a> Decoder<'a> {
    /// What the value is; nothing is read.
    pub(super) fn kind(self) -> Kind {
        match self.source {
            Source::Tree(JsonValue::Null) => Kind::Null,
            Source::Tree(JsonValue::Bool(_)) => Kind::Bool,
            Source::Tree(JsonValue::Number(_)) => Kind::Number,
            Source::Tree(JsonValue::String(_)) => Kind::String,
            Source::Tree(JsonValue::Array(_)) => Kind::Array,
            Source::Tree(JsonValue::Object(_)) => Kind::Object,
            Source::Text(cursor) => match cursor.next() {
                Some(b'"') => Kind::String,
                Some(b'{') => Kind::Object,
                Some(b'[') => Kind::Array,
                Some(b't' | b'f') => Kind::Bool,
                Some(b'n') => Kind::Null,
                _ => Kind::Number,
            },
        }
    }

    pub(super) fn is_null(self) -> bool {
        match self.source {
            Source::Tree(value) => value.is_null(),
            Source::Text(cursor) => cursor.next() == Some(b'n'),
        }
    }

    /// The value, if it is a string.
    pub(super) fn name(self) -> Result<Option<Cow<'a, str>>, DecodeError> {
        match self.source {
            Source::Tree(value) => Ok(value.as_str().map(Cow::Borrowed)),
            Source::Text(cursor) => cursor.string().map(Some).ok_or_else(not_plain),
        }
    }

    /// Reads past the value.
    pub(super) fn skip(self) -> Result<(), DecodeError> {
        match self.source {
            Source::Tree(_) => Ok(()),
            Source::Text(cursor) => cursor.skip().ok_or_else(not_plain),
        }
    }
}

/// Such texts are refused before they are decoded.
pub(super) fn not_plain() -> DecodeError {
    DecodeError::new("the text is not plain JSON")
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: Cell::new(0) }
    }

    /// The next byte that is no white space.
    #[inline]
    pub(super) fn next(&self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        let mut at = self.at.get();
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
            at += 1;
        }
        self.at.set(at);
        bytes.get(at).copied()
    }

    pub(super) fn step(&self, bytes: usize) {
        self.at.set(self.at.get() + bytes);
    }

    /// Whether another item of a container follows; if not, the container's end is read too.
    #[inline]
    pub(super) fn has_item(&self, first: bool) -> Option<bool> {
        match self.next()? {
            b']' | b'}' => {
                self.step(1);
                return Some(false);
            }
            b',' if !first => self.step(1),
            _ if first => {}
            _ => return None,
        }
        Some(true)
    }

    /// A key with its colon.
    pub(super) fn key(&self) -> Option<Cow<'a, str>> {
        self.next()?;
        let key = self.string()?;
        self.next()?;
        self.step(1);
        Some(key)
    }

    /// `None` if the next value is no string.
    #[inline]
    pub(super) fn string(&self) -> Option<Cow<'a, str>> {
        let start = self.at.get() + 1;
        let rest = self.text.get(start..)?;
        let run = plain_run(rest.as_bytes());
        if rest.as_bytes().get(run) == Some(&b'"') {
            self.at.set(start + run + 1);
            return Some(Cow::Borrowed(&rest[..run]));
        }
        let (text, end) = string_at(self.text, self.at.get())?;
        self.at.set(end);
        Some(text)
    }

    /// `None` if the next value is no boolean.
    pub(super) fn boolean(&self) -> Option<bool> {
        let value = match self.next()? {
            b't' => true,
            b'f' => false,
            _ => return None,
        };
        self.step(if value { 4 } else { 5 });
        Some(value)
    }

    /// `None` if the next value is no number.
    #[inline]
    pub(super) fn number(&self) -> Option<Numeric> {
        self.next();
        let at = self.at.get();
        let (number, end) = Numeric::short(self.text.as_bytes(), at).or_else(|| number_at(self.text, at))?;
        self.at.set(end);
        Some(number)
    }

    fn skip(&self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            match self.next()? {
                b'"' => drop(self.string()?),
                b'{' | b'[' => {
                    open += 1;
                    self.step(1);
                }
                b'}' | b']' => {
                    open = open.checked_sub(1)?;
                    self.step(1);
                }
                b'-' | b'0'..=b'9' => drop(self.number()?),
                // Of a word the first letter tells enough; what is between values is passed.
                _ => self.step(1),
            }
            if open == 0 && !self.continues_word() {
                return Some(());
            }
        }
    }

    fn continues_word(&self) -> bool {
        self.text.as_bytes().get(self.at.get()).is_some_and(u8::is_ascii_lowercase)
    }
}
