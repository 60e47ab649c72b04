//! What starts with neither a bracket, a quote nor a digit: the three words that JSON has, and all that is no JSON.

use super::{Container, JsonValue, ParseErrorKind, Parser, Problem};
use crate::json::excerpt::Clipped;

/// What other languages write, and what JSON writes instead.
const FOREIGN_WORDS: [(&str, &str); 8] = [
    ("True", "`true`"),
    ("TRUE", "`true`"),
    ("False", "`false`"),
    ("FALSE", "`false`"),
    ("None", "`null`"),
    ("NULL", "`null`"),
    ("nil", "`null`"),
    ("undefined", "`null`, or leave it out"),
];

impl Parser<'_> {
    pub(super) fn check_start(&mut self) -> Result<(), Problem> {
        if self.text.starts_with('\u{feff}') {
            let message = "the text starts with a byte order mark; start with the JSON itself";
            return Err(Problem::new(ParseErrorKind::ByteOrderMark, 0, message));
        }
        self.skip_whitespace();
        match &self.bytes[self.at..] {
            [] => Err(Problem::new(
                ParseErrorKind::EndsEarly,
                self.at,
                "the text is empty, and ends early: it needs one JSON value",
            )),
            [b'`', b'`', b'`', ..] => {
                Err(self.syntax("the text starts with a Markdown fence; send the JSON alone, without it"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn word(&mut self) -> Result<JsonValue, Problem> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
        let word = &rest[..length];
        let value = match word {
            "null" => JsonValue::Null,
            "true" => JsonValue::Bool(true),
            "false" => JsonValue::Bool(false),
            _ => return Err(self.no_value(word, length == rest.len())),
        };
        self.at += length;
        Ok(value)
    }

    fn no_value(&self, word: &str, is_last: bool) -> Problem {
        let cut_off = is_last && ["null", "true", "false"].iter().any(|whole| whole.starts_with(word));
        match self.text[self.at..].chars().next() {
            None => self.ends_early_in_container("where a value is due"),
            Some(_) if cut_off => Problem::ends_early(self.bytes.len(), "inside a word"),
            Some('\'') => self.syntax("a string stands in double quotes, not in single ones"),
            Some('“' | '”' | '„' | '‘' | '’') => self.syntax("a string stands in straight double quotes"),
            Some('/' | '#') => self.syntax("JSON has no comments; remove it"),
            Some('+') => self.syntax("a number has no plus sign; remove it"),
            Some('.') => self.syntax("a number needs a digit before the decimal point"),
            Some(',') => self.syntax("a value is missing before the comma"),
            Some(']' | '}' | ':') => self.syntax("a value is missing here"),
            _ => self.no_word(word),
        }
    }

    fn no_word(&self, word: &str) -> Problem {
        if matches!(word, "NaN" | "nan" | "Infinity" | "inf") {
            return not_finite(self.at);
        }
        match FOREIGN_WORDS.iter().find(|(foreign, _)| *foreign == word) {
            Some((_, ours)) => self.syntax(format!("`{word}` is no JSON; write {ours}")),
            None if word.is_empty() => self.syntax("a JSON value is expected here, and this is none"),
            None => self.syntax(format!("`{}` is no JSON value; a text stands in double quotes", Clipped(word))),
        }
    }

    /// There is something behind the whole value.
    pub(super) fn trailing_data(&self) -> Problem {
        let message = "more text follows the complete JSON value; send one value and nothing else";
        Problem::new(ParseErrorKind::TrailingData, self.at, message)
    }

    pub(super) fn too_deep(&self) -> Problem {
        let message = format!("arrays and objects are nested deeper than {} levels; flatten the value", self.max_depth);
        Problem::new(ParseErrorKind::TooDeep, self.at, message)
    }

    /// There is a closing bracket where the comma promised an item.
    pub(super) fn trailing_comma(&self) -> Problem {
        let comma = self.bytes[..self.at].iter().rposition(|&byte| byte == b',').unwrap_or(self.at);
        let message = format!("a comma stands before the end of the {}; remove it", self.container());
        Problem::new(ParseErrorKind::TrailingComma, comma, message).in_container()
    }

    pub(super) fn missing_separator(&self) -> Problem {
        if self.at == self.bytes.len() {
            return self.ends_early_in_container("before its end").in_container();
        }
        let end = if self.in_array() { ']' } else { '}' };
        self.syntax(format!("a comma or `{end}` is expected after an item of the {}", self.container())).in_container()
    }

    /// There is no opening quote where a key must start.
    pub(super) fn no_key(&self) -> Problem {
        let problem = match self.bytes.get(self.at) {
            None => self.ends_early_in_container("where a key is due"),
            Some(b',') => self.syntax("a comma too many; remove it"),
            Some(_) => self.syntax("a key of an object stands in double quotes"),
        };
        problem.in_container()
    }

    pub(super) fn missing_colon(&self) -> Problem {
        let problem = match self.bytes.get(self.at) {
            None => self.ends_early_in_container("after a key"),
            Some(_) => self.syntax("a colon is expected after the key"),
        };
        problem.in_container()
    }

    fn ends_early_in_container(&self, place: &str) -> Problem {
        Problem::ends_early(self.bytes.len(), &format!("inside an {}, {place}", self.container()))
    }

    fn in_array(&self) -> bool {
        matches!(self.open.last(), Some(Container::Array(_)))
    }

    fn container(&self) -> &'static str {
        if self.in_array() { "array" } else { "object" }
    }

    fn syntax(&self, message: impl Into<std::borrow::Cow<'static, str>>) -> Problem {
        Problem::new(ParseErrorKind::Syntax, self.at, message)
    }
}

pub(super) fn not_finite(start: usize) -> Problem {
    let message = "NaN and infinities are no JSON numbers; send a finite number, or leave the value out";
    Problem::new(ParseErrorKind::NotFinite, start, message)
}
