//! A text that a check follows, without a tree.

use super::{Floats, ParseLimits, Parser};
use crate::json::check::{Check, Key};
use crate::json::number::Numeric;
use std::borrow::Cow;

/// Of keys that the check does not know, how many of one object are compared with one another.
const MAX_UNKNOWN_KEYS: usize = 32;

/// Reads a text as [`parse`](super::parse()) does, and tells each value to a check in the place of making a tree.
///
/// The answer is whether the text is plain JSON, which can be decoded as it stands: what `parse` takes, without floats that
/// have no fraction (where an integer is wanted, they become one first), and without objects of very many keys that the
/// check does not know. If it is not, the check's verdict means nothing.
pub(crate) fn follow<C: Check>(text: &str, limits: &ParseLimits, check: &mut C) -> bool {
    let parser = Parser::new(text, 0, limits.max_depth, Floats::Nearest);
    let mut follower = Follower { parser, check, depth: 0, unknown: Vec::new() };
    text.len() <= limits.max_bytes && follower.document().is_some()
}

struct Follower<'a, 'c, C> {
    parser: Parser<'a>,
    check: &'c mut C,
    /// How many containers are open.
    depth: usize,
    /// The keys of the open objects that the check does not know, the innermost last.
    unknown: Vec<Cow<'a, str>>,
}

impl<C: Check> Follower<'_, '_, C> {
    fn document(&mut self) -> Option<()> {
        self.value()?;
        self.parser.skip_whitespace();
        (self.parser.at == self.parser.bytes.len()).then_some(())
    }

    fn value(&mut self) -> Option<()> {
        match self.next()? {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            b't' => self.word("true").map(|()| self.check.bool(true)),
            b'f' => self.word("false").map(|()| self.check.bool(false)),
            _ => self.word("null").map(|()| self.check.null()),
        }
    }

    /// The next byte that is no white space.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        self.parser.skip_whitespace();
        self.parser.bytes.get(self.parser.at).copied()
    }

    fn number(&mut self) -> Option<()> {
        match self.parser.number().ok()? {
            Numeric::Unsigned(number) => self.check.unsigned(number),
            Numeric::Negative(number) => self.check.negative(number),
            Numeric::Float(float) if float.fract() == 0.0 => return None,
            Numeric::Float(float) => self.check.float(float),
        }
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let text = self.parser.string().ok()?;
        self.check.string(&text);
        Some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let rest = self.parser.bytes[self.parser.at..].strip_prefix(word.as_bytes())?;
        self.parser.at += word.len();
        let ends = rest.first().is_none_or(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_');
        ends.then_some(())
    }

    /// Enters a container; the answer is where its text starts.
    fn enter(&mut self) -> Option<usize> {
        let start = self.parser.at;
        self.parser.at += 1;
        self.depth += 1;
        (self.depth <= self.parser.max_depth).then_some(start)
    }

    fn leave(&mut self) {
        self.parser.at += 1;
        self.depth -= 1;
    }

    /// Whether another item follows, behind its comma if it is not the first.
    fn has_item(&mut self, first: bool, end: u8) -> Option<bool> {
        match self.next()? {
            byte if byte == end => Some(false),
            _ if first => Some(true),
            b',' => {
                self.parser.at += 1;
                Some(true)
            }
            _ => None,
        }
    }

    fn array(&mut self) -> Option<()> {
        let start = self.enter()?;
        let mut array = self.check.open_array(start);
        let mut first = true;
        while self.has_item(first, b']')? {
            first = false;
            self.check.item(&mut array);
            self.value()?;
        }
        self.leave();
        self.check.close_array(array, &self.parser.text[..self.parser.at]);
        Some(())
    }

    fn object(&mut self) -> Option<()> {
        let start = self.enter()?;
        let outer = self.unknown.len();
        let mut object = self.check.open_object(start);
        let mut first = true;
        while self.has_item(first, b'}')? {
            first = false;
            self.key(&mut object, outer)?;
            self.value()?;
        }
        self.leave();
        self.unknown.truncate(outer);
        self.check.close_object(object, &self.parser.text[..self.parser.at]);
        Some(())
    }

    /// A key with its colon. One that is there for the second time ends the reading.
    fn key(&mut self, object: &mut C::Object, outer: usize) -> Option<()> {
        if self.next()? != b'"' {
            return None;
        }
        let name = self.parser.string().ok()?;
        let known = match self.check.key(object, &name) {
            Key::First(_) => true,
            Key::Again(_) => return None,
            Key::Unknown => false,
        };
        if !known {
            let others = &self.unknown[outer..];
            if others.len() == MAX_UNKNOWN_KEYS || others.contains(&name) {
                return None;
            }
            self.unknown.push(name);
        }
        if self.next()? != b':' {
            return None;
        }
        self.parser.at += 1;
        Some(())
    }
}
