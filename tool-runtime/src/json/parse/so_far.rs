//! The properties of an object whose text has not ended yet.

use super::{Floats, MAX_DEPTH, Parser};
use crate::json::JsonValue;

/// So many properties are told at most: each is compared with those before it.
const MAX_PROPERTIES: usize = 64;

/// What is known of a property.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SoFar {
    /// All of it.
    Whole(JsonValue),
    /// The start of a text.
    Text(String),
}

/// The properties that stand in the start of an object's text, in their order: whole values, and at the end perhaps the
/// start of a text. What follows a mistake, a key given twice included, is not read.
pub(crate) fn so_far(text: &str) -> Vec<(String, SoFar)> {
    let mut parser = Parser::new(text, 0, MAX_DEPTH - 1, Floats::Nearest);
    let mut known: Vec<(String, SoFar)> = Vec::new();
    let mut opening = b'{';
    while known.len() < MAX_PROPERTIES && parser.takes(opening) {
        opening = b',';
        let Some(name) = parser.name_so_far().filter(|name| known.iter().all(|(other, _)| other != name)) else {
            break;
        };
        match parser.value_so_far() {
            Some(whole @ SoFar::Whole(_)) => known.push((name, whole)),
            Some(cut) => {
                known.push((name, cut));
                break;
            }
            None => break,
        }
    }
    known
}

impl Parser<'_> {
    /// Steps over this byte and the white space around it, if it comes next.
    fn takes(&mut self, byte: u8) -> bool {
        self.skip_whitespace();
        let comes = self.bytes.get(self.at) == Some(&byte);
        if comes {
            self.at += 1;
            self.skip_whitespace();
        }
        comes
    }

    fn name_so_far(&mut self) -> Option<String> {
        let name = match self.bytes.get(self.at) {
            Some(b'"') => self.string().ok()?.into_owned(),
            _ => return None,
        };
        self.takes(b':').then_some(name)
    }

    fn value_so_far(&mut self) -> Option<SoFar> {
        let start = self.at;
        let first = *self.bytes.get(start)?;
        if first != b'"' {
            let value = self.whole_value()?;
            // At the end of the text, more digits may follow.
            let ends = self.at < self.bytes.len() || !matches!(first, b'-' | b'0'..=b'9');
            return ends.then_some(SoFar::Whole(value));
        }
        if let Ok(text) = self.string() {
            return Some(SoFar::Whole(JsonValue::String(text.into_owned())));
        }
        self.at = start;
        Some(SoFar::Text(self.string_so_far()))
    }

    /// A value that is not within another.
    fn whole_value(&mut self) -> Option<JsonValue> {
        loop {
            if let Some(value) = self.value().ok()?
                && let Some(whole) = self.attach(value).ok()?
            {
                return Some(whole);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let one = |(name, known): &(String, SoFar)| match known {
            SoFar::Whole(value) => format!("{name}={value}"),
            SoFar::Text(text) => format!("{name}={text}…"),
        };
        so_far(text).iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_has_come_is_known_and_nothing_else() {
        for (text, known) in [
            ("", ""),
            ("[1", ""),
            ("{", ""),
            (r#"{"pa"#, ""),
            (r#"{"path""#, ""),
            (r#"{"path":"#, ""),
            (r#"{"path": ""#, "path=…"),
            (r#"{"path": "a\"#, "path=a…"),
            (r#"{"path": "a\u00"#, "path=a…"),
            (r#"{"path": "a\ud83d"#, "path=a…"),
            (r#"{"path": "a\ud83d\ude00"#, "path=a😀…"),
            (r#"{"path": "a\n""#, r#"path="a\n""#),
            (r#"{"n": 12"#, ""),
            (r#"{"n": 12}"#, "n=12"),
            (r#"{"n": 1e"#, ""),
            (r#"{"n": tru"#, ""),
            (r#"{"n": true"#, "n=true"),
            (r#"{"l": [1, {"a": "]"}"#, ""),
            (r#"{"l": [1, {"a": "]"}], "b": "c"#, r#"l=[1,{"a":"]"}] b=c…"#),
            (r#"{"a": 1, "a": 2, "b": 3}"#, "a=1"),
            (r#"{"a": 1 "b": 2}"#, "a=1"),
            (r#"{"a": 1,, "b": 2}"#, "a=1"),
        ] {
            assert_eq!(told(text), known, "{text}");
        }
    }
}
