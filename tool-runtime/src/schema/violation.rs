//! What is wrong, and where.

use std::error::Error;
use std::fmt;

use crate::json::{DecodeError, Pointer};

/// At most this many violations are told one by one; a last line says how many more there are.
pub(super) const MAX_VIOLATIONS: usize = 32;

/// Once this many are found, no more are looked for.
pub(super) const MAX_FAULTS: usize = 1000;

/// A value that is quoted in a message is cut after this many bytes.
const MAX_QUOTED: usize = 80;

/// Which side of a tool a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The arguments of a call.
    Input,
    /// The canonical value.
    Output,
}

impl Side {
    /// How messages name the root.
    pub(super) fn root_name(self) -> &'static str {
        match self {
            Self::Input => "arguments",
            Self::Output => "value",
        }
    }
}

/// One violation: a place, and a sentence about it that a model can act on.
///
/// The sentence names the place itself, as `"/items/0/name"`, or as `arguments` or `value` for the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pointer: Pointer,
    message: String,
}

impl Violation {
    pub(crate) fn new(pointer: Pointer, message: impl Into<String>) -> Self {
        Self { pointer, message: message.into() }
    }

    /// The same of another place: that which somebody else knows.
    #[must_use]
    pub(crate) fn moved(&self, to: &Pointer) -> Self {
        if self.pointer.is_root() || *to == self.pointer {
            return self.clone();
        }
        let message = self.message.replacen(&quoted(self.pointer.as_str()), &quoted(to.as_str()), 1);
        Self { pointer: to.clone(), message }
    }

    /// Where: in the value for a violation of a schema, in the schema for a [`SchemaError`].
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    /// The whole sentence, the place included.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<DecodeError> for Violation {
    fn from(error: DecodeError) -> Self {
        let message = error.to_string();
        Self { pointer: error.pointer().clone(), message }
    }
}

/// A schema that cannot be used, with everything that is wrong with it (code `UNSUPPORTED_SCHEMA`).
///
/// The pointers are into the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    violations: Vec<Violation>,
}

impl SchemaError {
    pub(crate) fn new(violations: Vec<Violation>) -> Self {
        Self { violations: bounded(violations) }
    }

    pub(super) fn one(pointer: Pointer, message: impl Into<String>) -> Self {
        Self::new(vec![Violation::new(pointer, message)])
    }

    /// Everything that is wrong, in the order of the schema.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.violations.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            violation.fmt(f)?;
        }
        Ok(())
    }
}

impl Error for SchemaError {}

/// `Ok` if there is nothing to tell.
pub(super) fn refuse_if_any(violations: Vec<Violation>) -> Result<(), SchemaError> {
    if violations.is_empty() { Ok(()) } else { Err(SchemaError::new(violations)) }
}

/// Cuts a list at [`MAX_VIOLATIONS`] and says how many are left out.
pub(super) fn bounded(mut violations: Vec<Violation>) -> Vec<Violation> {
    if violations.len() > MAX_VIOLATIONS {
        let more = violations.len() - MAX_VIOLATIONS;
        let at_least = if violations.len() > MAX_FAULTS { "at least " } else { "" };
        violations.truncate(MAX_VIOLATIONS);
        violations.push(Violation::new(Pointer::root(), format!("and {at_least}{more} more")));
    }
    violations
}

/// A place in a schema, as messages name it.
pub(super) fn in_schema(pointer: &Pointer) -> String {
    if pointer.as_str().is_empty() { "the schema".to_owned() } else { quoted(pointer.as_str()) }
}

/// Text in quotes, escaped as JSON and clipped.
pub(super) fn quoted(text: &str) -> String {
    clipped(&serde_json::Value::from(clip(text, MAX_QUOTED * 4)).to_string(), MAX_QUOTED * 4)
}

/// Text of at most `limit` bytes and an ellipsis if it was longer, cut at a character boundary.
pub(super) fn clipped(text: &str, limit: usize) -> String {
    let kept = clip(text, limit);
    if kept.len() == text.len() { text.to_owned() } else { format!("{kept}…") }
}

fn clip(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A value as compact JSON for a message, clipped without writing all of it first.
pub(super) fn shown(value: &crate::json::JsonValue) -> String {
    match value {
        serde_json::Value::String(text) => {
            clipped(&serde_json::Value::from(clip(text, MAX_QUOTED * 2)).to_string(), MAX_QUOTED)
        }
        other => {
            let mut sink = Clipped { text: String::new() };
            // The sink ends the writing when it is full, so that a large value costs no more than what is shown of it.
            let _full = fmt::write(&mut sink, format_args!("{other}"));
            clipped(&sink.text, MAX_QUOTED)
        }
    }
}

struct Clipped {
    text: String,
}

impl fmt::Write for Clipped {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(clip(text, MAX_QUOTED * 2));
        if self.text.len() > MAX_QUOTED * 2 { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn many_violations_end_with_their_number() {
        let all = (0..100).map(|i| Violation::new(Pointer::root(), format!("{i}"))).collect();
        let kept = bounded(all);
        assert_eq!(kept.len(), MAX_VIOLATIONS + 1);
        assert_eq!(kept[MAX_VIOLATIONS].message(), "and 68 more");
    }

    #[test]
    fn values_are_clipped_at_a_character() {
        let shown_text = shown(&json!("ä".repeat(1000)));
        assert!(shown_text.len() <= MAX_QUOTED + '…'.len_utf8(), "{shown_text}");
        assert!(shown_text.ends_with('…'));
        let long: Vec<u32> = (0..100_000).collect();
        assert!(shown(&json!(long)).len() <= MAX_QUOTED + '…'.len_utf8());
        assert_eq!(shown(&json!("5")), r#""5""#);
    }
}
