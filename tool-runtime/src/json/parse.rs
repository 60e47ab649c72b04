//! The bounded parser.
//!
//! It keeps its own stack of open containers, so that no text can overflow the thread's.

mod error;
mod follow;
mod number;
mod so_far;
mod string;
#[cfg(test)]
pub(super) mod tests;
mod word;

use self::error::Problem;
pub use self::error::{ParseError, ParseErrorKind};
pub(crate) use self::follow::follow;
pub(crate) use self::so_far::{SoFar, so_far};
use super::number::Numeric;
use super::{JsonValue, MAX_DEPTH, Pointer};
use serde_json::Map;
use serde_json::map::Entry;
use std::borrow::Cow;

/// How much text, and how deeply nested, [`parse()`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLimits {
    /// The greatest length of the text, in bytes.
    pub max_bytes: usize,
    /// How many containers may be nested. [`MAX_DEPTH`] is the most; a greater number means that one.
    pub max_depth: usize,
}

impl Default for ParseLimits {
    /// 1 MiB (1 048 576 bytes), and [`MAX_DEPTH`].
    fn default() -> Self {
        Self { max_bytes: 1 << 20, max_depth: MAX_DEPTH }
    }
}

/// Reads exactly one JSON value ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)), without repairing, completing or
/// rounding anything.
///
/// Integers keep every digit, as far as i64 and u64 reach; other numbers become the nearest 64-bit float. `-0` is the
/// integer 0, and `-0.0` a float that keeps its sign.
///
/// ```
/// use tool_runtime::json::{ParseErrorKind, ParseLimits, parse};
///
/// let limits = ParseLimits::default();
/// assert_eq!(parse(r#" {"n": 18446744073709551615} "#, &limits)?["n"], u64::MAX);
///
/// let error = parse(r#"{"path": "a", "path": "b"}"#, &limits).unwrap_err();
/// assert_eq!(error.kind(), ParseErrorKind::DuplicateKey);
/// assert_eq!(error.pointer().as_str(), "/path");
///
/// let error = parse(r#"{"path": "Cargo"#, &limits).unwrap_err();
/// assert_eq!(error.kind(), ParseErrorKind::EndsEarly);
/// # Ok::<(), tool_runtime::json::ParseError>(())
/// ```
///
/// # Errors
///
/// The first problem of the text, as a sentence that whoever wrote the text can act on: see [`ParseErrorKind`].
pub fn parse(text: &str, limits: &ParseLimits) -> Result<JsonValue, ParseError> {
    read(text, limits, Floats::Nearest)
}

/// [`parse()`] for a number or a raw text that is embedded in a value: also refuses a float with more digits than 64
/// bits hold, because there the text is the value.
pub(super) fn parse_embedded(text: &str, max_depth: usize) -> Result<JsonValue, ParseError> {
    read(text, &ParseLimits { max_bytes: usize::MAX, max_depth }, Floats::Exact)
}

/// The string whose opening quote stands at `at`, and where it ends; `None` if that is no string.
pub(super) fn string_at(text: &str, at: usize) -> Option<(Cow<'_, str>, usize)> {
    let mut parser = Parser::new(text, at, 0, Floats::Nearest);
    let string = parser.string().ok()?;
    Some((string, parser.at))
}

/// The number that starts at `at`, and where it ends; `None` if that is no number.
pub(super) fn number_at(text: &str, at: usize) -> Option<(Numeric, usize)> {
    let mut parser = Parser::new(text, at, 0, Floats::Nearest);
    parser.bytes.get(at).filter(|byte| matches!(byte, b'-' | b'0'..=b'9'))?;
    let number = parser.number().ok()?;
    Some((number, parser.at))
}

fn read(text: &str, limits: &ParseLimits, floats: Floats) -> Result<JsonValue, ParseError> {
    let max_depth = limits.max_depth.min(MAX_DEPTH);
    let mut parser = Parser::new(text, 0, max_depth, floats);
    if text.len() > limits.max_bytes {
        return Err(ParseError::too_large(text, limits.max_bytes));
    }
    parser.document().map_err(|problem| {
        let place = parser.place(&problem);
        ParseError::new(text, problem, place)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Floats {
    /// Any number of digits, rounded to the nearest float.
    Nearest,
    /// No more digits than a float holds.
    Exact,
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// The next byte to read: always at a character boundary.
    at: usize,
    max_depth: usize,
    floats: Floats,
    open: Vec<Container>,
}

/// A container whose end was not read yet.
enum Container {
    Array(Vec<JsonValue>),
    Object {
        entries: Map<String, JsonValue>,
        /// The key whose value comes next, and where it stands.
        key: Option<(String, usize)>,
    },
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, at: usize, max_depth: usize, floats: Floats) -> Self {
        Self { text, bytes: text.as_bytes(), at, max_depth, floats, open: Vec::new() }
    }

    fn document(&mut self) -> Result<JsonValue, Problem> {
        self.check_start()?;
        loop {
            let Some(value) = self.value()? else { continue };
            if let Some(whole) = self.attach(value)? {
                self.skip_whitespace();
                return if self.at == self.bytes.len() { Ok(whole) } else { Err(self.trailing_data()) };
            }
        }
    }

    /// Reads a value, or opens a container that is not empty, which is `None`: its first value comes next.
    fn value(&mut self) -> Result<Option<JsonValue>, Problem> {
        self.skip_whitespace();
        let value = match self.bytes.get(self.at) {
            Some(b'{') => return self.object(),
            Some(b'[') => return self.array(),
            Some(b'"') => JsonValue::String(self.string()?.into_owned()),
            Some(b'-' | b'0'..=b'9') => self.number()?.to_number().map_or(JsonValue::Null, JsonValue::Number),
            _ => self.word()?,
        };
        Ok(Some(value))
    }

    fn array(&mut self) -> Result<Option<JsonValue>, Problem> {
        self.enter()?;
        if self.bytes.get(self.at) == Some(&b']') {
            self.at += 1;
            return Ok(Some(JsonValue::Array(Vec::new())));
        }
        self.open.push(Container::Array(Vec::new()));
        Ok(None)
    }

    fn object(&mut self) -> Result<Option<JsonValue>, Problem> {
        self.enter()?;
        if self.bytes.get(self.at) == Some(&b'}') {
            self.at += 1;
            return Ok(Some(JsonValue::Object(Map::new())));
        }
        self.open.push(Container::Object { entries: Map::new(), key: None });
        self.key()?;
        Ok(None)
    }

    /// Steps over the opening bracket and the whitespace after it.
    fn enter(&mut self) -> Result<(), Problem> {
        if self.open.len() >= self.max_depth {
            return Err(self.too_deep());
        }
        self.at += 1;
        self.skip_whitespace();
        Ok(())
    }

    /// Puts a value where it belongs and closes the containers that end after it. The outermost value comes back.
    fn attach(&mut self, mut value: JsonValue) -> Result<Option<JsonValue>, Problem> {
        loop {
            match self.open.last_mut() {
                None => return Ok(Some(value)),
                Some(Container::Array(items)) => items.push(value),
                Some(Container::Object { entries, key }) => {
                    if let Some((name, offset)) = key.take() {
                        match entries.entry(name) {
                            Entry::Vacant(entry) => {
                                entry.insert(value);
                            }
                            Entry::Occupied(entry) => {
                                let problem = Problem::duplicate_key(offset, entry.key());
                                *key = Some((entry.key().clone(), offset));
                                return Err(problem);
                            }
                        }
                    }
                }
            }
            match self.after_item()? {
                Some(container) => value = container,
                None => return Ok(None),
            }
        }
    }

    /// After an item: the comma before the next one, which is `None`, or the end of the container.
    fn after_item(&mut self) -> Result<Option<JsonValue>, Problem> {
        self.skip_whitespace();
        match (self.bytes.get(self.at), self.open.last()) {
            (Some(b','), Some(container)) => {
                let is_object = matches!(container, Container::Object { .. });
                self.at += 1;
                self.skip_whitespace();
                if matches!(self.bytes.get(self.at), Some(b']' | b'}')) {
                    return Err(self.trailing_comma());
                }
                if is_object {
                    self.key()?;
                }
                Ok(None)
            }
            (Some(b']'), Some(Container::Array(_))) | (Some(b'}'), Some(Container::Object { .. })) => {
                self.at += 1;
                Ok(self.open.pop().map(Container::into_value))
            }
            _ => Err(self.missing_separator()),
        }
    }

    /// A key and the colon after it.
    fn key(&mut self) -> Result<(), Problem> {
        if self.bytes.get(self.at) != Some(&b'"') {
            return Err(self.no_key());
        }
        let offset = self.at;
        let name = self.string().map_err(Problem::in_container)?.into_owned();
        self.skip_whitespace();
        if self.bytes.get(self.at) != Some(&b':') {
            return Err(self.missing_colon());
        }
        self.at += 1;
        if let Some(Container::Object { key, .. }) = self.open.last_mut() {
            *key = Some((name, offset));
        }
        Ok(())
    }

    fn skip_whitespace(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    /// Where a problem is: the containers that are open, and the item within them that was being read.
    fn place(&self, problem: &Problem) -> Pointer {
        let Some((innermost, outer)) = self.open.split_last() else { return Pointer::root() };
        let container = outer.iter().fold(Pointer::root(), |place, container| container.item(place));
        if problem.is_in_item() { innermost.item(container) } else { container }
    }
}

impl Container {
    fn into_value(self) -> JsonValue {
        match self {
            Self::Array(items) => JsonValue::Array(items),
            Self::Object { entries, .. } => JsonValue::Object(entries),
        }
    }

    /// The place of the item that is being read, in the container at `place`.
    fn item(&self, place: Pointer) -> Pointer {
        match self {
            Self::Array(items) => place.index(items.len()),
            Self::Object { key: Some((name, _)), .. } => place.child(name),
            Self::Object { key: None, .. } => place,
        }
    }
}
