use super::super::excerpt::{Clipped, around};
use super::Pointer;
use std::borrow::Cow;
use std::fmt;

/// Why a text was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The text is longer than the limit.
    TooLarge,
    /// Containers are nested deeper than the limit.
    TooDeep,
    /// The text ends before the value does: it was cut off, or it is empty.
    EndsEarly,
    /// More text follows the complete value.
    TrailingData,
    /// An object holds the same key twice.
    DuplicateKey,
    /// The text starts with a byte order mark (U+FEFF).
    ByteOrderMark,
    /// A control character below U+0020 stands in a string unescaped.
    ControlCharacter,
    /// A backslash in a string starts no escape that JSON has.
    BadEscape,
    /// A `\u` escape is half of a surrogate pair.
    LoneSurrogate,
    /// NaN or an infinity, by one of its names.
    NotFinite,
    /// A number that JSON spells otherwise: a leading zero, a bare point, a sign alone.
    BadNumber,
    /// An integer that neither i64 nor u64 holds.
    IntegerOutOfRange,
    /// A float too great, too close to 0, or (embedded in an output) of more digits than 64 bits hold.
    FloatOutOfRange,
    /// A comma before the end of a container.
    TrailingComma,
    /// Anything else that is no JSON.
    Syntax,
}

/// Why, and where, a text is no JSON that [`parse`](super::parse()) takes.
///
/// It displays as one sentence for whoever wrote the text: a language model, most of the time.
///
/// ```
/// use tool_runtime::json::{ParseLimits, parse};
///
/// let error = parse("{\"n\": 1,}", &ParseLimits::default()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "invalid JSON at line 1, column 8, near `{\"n\": 1,}`: a comma stands before the end of the object; remove it"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    kind: ParseErrorKind,
    offset: usize,
    line: usize,
    column: usize,
    pointer: Pointer,
    excerpt: String,
    message: Cow<'static, str>,
}

impl ParseError {
    pub(super) fn new(text: &str, problem: Problem, pointer: Pointer) -> Self {
        let before = &text[..text.floor_char_boundary(problem.offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self(Box::new(Details {
            kind: problem.kind,
            offset: before.len(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            pointer,
            excerpt: around(text, before.len()),
            message: problem.message,
        }))
    }

    pub(super) fn too_large(text: &str, max_bytes: usize) -> Self {
        let message = format!("the text has {} bytes, and at most {max_bytes} are read; send less", text.len());
        Self::new(text, Problem::new(ParseErrorKind::TooLarge, max_bytes, message), Pointer::root())
    }

    /// What is wrong.
    pub fn kind(&self) -> ParseErrorKind {
        self.0.kind
    }

    /// Where the problem starts, in bytes from 0.
    pub fn offset(&self) -> usize {
        self.0.offset
    }

    /// The line of the problem, counted from 1. Lines end with a line feed.
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The column of the problem, in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.0.column
    }

    /// What is wrong in words, without its place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The whole sentence, quoting nothing of the text.
    pub(crate) fn without_quotes(&self) -> String {
        let Details { kind, line, column, message, .. } = &*self.0;
        let what = match (kind, message) {
            (ParseErrorKind::TooLarge, message) => return format!("invalid JSON: {message}"),
            // What is always the same quotes nothing.
            (_, Cow::Borrowed(message)) => message,
            (ParseErrorKind::EndsEarly, _) => {
                "the text ends early; nothing was completed or guessed, send the whole JSON again"
            }
            (ParseErrorKind::DuplicateKey, _) => "a key stands twice in the same object; keep one of the two",
            _ => "this is not read as JSON; write it as JSON has it",
        };
        format!("invalid JSON at line {line}, column {column}: {what}")
    }

    /// The value that was being read, or the container if the problem is between its items. The root if nothing is
    /// known of the structure yet.
    pub fn pointer(&self) -> &Pointer {
        &self.0.pointer
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { kind, line, column, pointer, excerpt, message, .. } = &*self.0;
        if *kind == ParseErrorKind::TooLarge {
            return write!(f, "invalid JSON: {message}");
        }
        write!(f, "invalid JSON at line {line}, column {column}")?;
        if !excerpt.is_empty() {
            write!(f, ", near `{excerpt}`")?;
        }
        if !pointer.is_root() {
            write!(f, ", in \"{}\"", Clipped(pointer.as_str()))?;
        }
        write!(f, ": {message}")
    }
}

impl std::error::Error for ParseError {}

/// A problem as the parser meets it, before its place is worked out.
pub(super) struct Problem {
    kind: ParseErrorKind,
    offset: usize,
    message: Cow<'static, str>,
    in_item: bool,
}

impl Problem {
    /// A problem within an item that is being read.
    pub(super) fn new(kind: ParseErrorKind, offset: usize, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, offset, message: message.into(), in_item: true }
    }

    /// The problem is not in an item but between two of them.
    pub(super) fn in_container(self) -> Self {
        Self { in_item: false, ..self }
    }

    pub(super) fn is_in_item(&self) -> bool {
        self.in_item
    }

    pub(super) fn duplicate_key(offset: usize, key: &str) -> Self {
        let message = format!("the key \"{}\" stands twice in the same object; keep one of the two", Clipped(key));
        Self::new(ParseErrorKind::DuplicateKey, offset, message)
    }

    /// The text ends at `offset`, in the middle of `what`.
    pub(super) fn ends_early(offset: usize, what: &str) -> Self {
        let message =
            format!("the text ends early, {what}; nothing was completed or guessed, send the whole JSON again");
        Self::new(ParseErrorKind::EndsEarly, offset, message)
    }
}
