//! Arguments that still stream in.

use std::fmt;

use serde::de::DeserializeOwned;

use crate::json::{self, JsonValue, SoFar};

/// So much of a text is read at most, in bytes: it is read anew each time that more has come.
const MAX_BYTES: usize = 64 * 1024;

/// Arguments that still stream in: the properties that are known so far.
///
/// A value is told only once all of it has come, so that half a path never passes for a path; [`so_far`](Self::so_far)
/// tells the start of a text. What was not checked is not typed: a property may be missing, or of another type than the
/// tool declares. Of very long arguments the first 64 KiB and 64
/// properties are read.
///
/// ```
/// use tool_runtime::present::Partial;
///
/// let partial = Partial::of(r#"{"path": "notes.txt", "content": "Dear Sir"#);
/// assert_eq!(partial.text("path"), Some("notes.txt"));
/// assert_eq!(partial.text("content"), None);
/// assert_eq!(partial.so_far("content"), Some("Dear Sir"));
/// ```
#[derive(Clone, PartialEq)]
pub struct Partial<'a> {
    text: &'a str,
    known: Vec<(String, SoFar)>,
}

impl<'a> Partial<'a> {
    /// What is known from the start of the arguments' text.
    pub fn of(text: &'a str) -> Self {
        let text = &text[..text.floor_char_boundary(MAX_BYTES)];
        Self { text, known: json::so_far(text) }
    }

    /// A text that has come as a whole.
    pub fn text(&self, property: &str) -> Option<&str> {
        self.value(property)?.as_str()
    }

    /// A text, as far as it has come: its start, or the whole of it.
    pub fn so_far(&self, property: &str) -> Option<&str> {
        match self.known(property)? {
            SoFar::Whole(value) => value.as_str(),
            SoFar::Text(text) => Some(text),
        }
    }

    /// A value that has come as a whole.
    pub fn value(&self, property: &str) -> Option<&JsonValue> {
        match self.known(property)? {
            SoFar::Whole(value) => Some(value),
            SoFar::Text(_) => None,
        }
    }

    /// A value that has come as a whole, and is of this type.
    pub fn get<T: DeserializeOwned>(&self, property: &str) -> Option<T> {
        json::decode(self.value(property)?).ok()
    }

    /// The text itself, as far as it is read.
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    fn known(&self, property: &str) -> Option<&SoFar> {
        self.known.iter().find(|(name, _)| name == property).map(|(_, known)| known)
    }
}

impl fmt::Debug for Partial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.known.iter().map(|(name, known)| (name, known))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_when_all_of_them_has_come() {
        let partial = Partial::of(r#"{"path": "a", "limit": 20, "lines": [1, 2], "text": "half"#);
        assert_eq!(partial.get::<u32>("limit"), Some(20));
        assert_eq!(partial.get::<String>("limit"), None);
        assert_eq!(partial.get::<Vec<u8>>("lines"), Some(vec![1, 2]));
        assert_eq!((partial.value("text"), partial.so_far("text")), (None, Some("half")));
        assert_eq!((partial.so_far("path"), partial.so_far("nothing")), (Some("a"), None));
    }

    #[test]
    fn of_a_long_text_the_start_is_read() {
        let text = format!(r#"{{"a": "{}", "b": "c"}}"#, "é".repeat(MAX_BYTES));
        let partial = Partial::of(&text);
        assert!(partial.so_far("a").is_some_and(|text| text.len() > MAX_BYTES - 10));
        assert_eq!((partial.text("a"), partial.text("b")), (None, None));
        let digits = format!("{{\"n\": {}", "1".repeat(2 * MAX_BYTES));
        assert_eq!(Partial::of(&digits).value("n"), None);
    }
}
