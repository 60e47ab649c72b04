//! Patterns: the regular expressions of [ECMA-262](https://tc39.es/ecma262/#sec-regexp-regular-expression-objects), as far
//! as an engine runs them in linear time.
//!
//! Without the feature `foreign-schemas` that is everything but look-around, back-references and `\p{…}`; with it, `\p{…}`
//! works too.

use std::borrow::Cow;
use std::fmt::Write as _;

use regex_lite::{Regex, RegexBuilder};

use super::graph::MAX_REGEX;

/// A compiled pattern.
pub(super) enum Pattern {
    Own(Regex),
    #[cfg(feature = "foreign-schemas")]
    Foreign(super::engine::Engine),
}

impl Pattern {
    /// Compiles a pattern, unless no engine of this build takes it.
    pub(super) fn compile(pattern: &str) -> Option<Self> {
        let own = translated(pattern).and_then(|text| RegexBuilder::new(&text).size_limit(MAX_REGEX).build().ok());
        match own {
            Some(regex) => Some(Self::Own(regex)),
            #[cfg(feature = "foreign-schemas")]
            None => super::engine::string_check("pattern", pattern).map(Self::Foreign),
            #[cfg(not(feature = "foreign-schemas"))]
            None => None,
        }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Own(regex) => regex.is_match(text),
            #[cfg(feature = "foreign-schemas")]
            Self::Foreign(engine) => engine.is_valid(&text.into()),
        }
    }
}

/// What `\s` stands for: white space and line terminators, as ranges within a class.
const SPACE: &str = r"\t-\r\x20\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF";

/// What `\S` stands for within a class.
const NO_SPACE: &str = r"\x00-\x08\x0E-\x1F\x21-\x9F\xA1-\u167F\u1681-\u1FFF\u200B-\u2027\u202A-\u202E\u2030-\u205E\u2060-\u2FFF\u3001-\uFEFE\u{FF00}-\u{10FFFF}";

/// The pattern in the syntax of the engine; `None` if it holds something that the engine would read otherwise.
fn translated(pattern: &str) -> Option<Cow<'_, str>> {
    if !pattern.contains(['\\', '.', '[']) {
        return Some(Cow::Borrowed(pattern));
    }
    let mut text = String::with_capacity(pattern.len() + 16);
    let mut rest = pattern.chars();
    let mut class = None;
    while let Some(character) = rest.next() {
        match (character, class) {
            ('\\', _) => escape(&mut rest, class.is_some(), &mut text)?,
            ('.', None) => text.push_str(r"[^\n\r\u2028\u2029]"),
            ('[', None) => {
                class = Some(text.len());
                text.push('[');
                if rest.as_str().starts_with('^') {
                    rest.next();
                    text.push('^');
                }
                // `[]` matches nothing and `[^]` everything; the engine takes the bracket for a member.
                if rest.as_str().starts_with(']') {
                    return None;
                }
            }
            (']', Some(_)) => {
                class = None;
                text.push(']');
            }
            // Within a class these are members, where the engine knows sets of sets.
            ('[' | '&' | '~', Some(_)) => {
                text.push('\\');
                text.push(character);
            }
            (other, _) => text.push(other),
        }
    }
    Some(Cow::Owned(text))
}

/// Translates what stands behind a backslash.
fn escape(rest: &mut std::str::Chars<'_>, in_class: bool, text: &mut String) -> Option<()> {
    let letter = rest.next()?;
    match (letter, in_class) {
        ('s', false) => text.extend(["[", SPACE, "]"]),
        ('s', true) => text.push_str(SPACE),
        ('S', false) => text.extend(["[^", SPACE, "]"]),
        ('S', true) => text.push_str(NO_SPACE),
        ('c', _) => {
            let letter = rest.next().filter(char::is_ascii_alphabetic)?;
            // Writing to a string cannot fail.
            let _ = write!(text, r"\x{:02X}", letter as u32 % 32);
        }
        ('0', _) if !rest.as_str().starts_with(|next: char| next.is_ascii_digit()) => text.push_str(r"\x00"),
        ('b', true) => text.push_str(r"\x08"),
        // Neither of the two means in ECMA-262 what it means to the engine.
        ('a' | 'A' | 'z' | 'U', _) => return None,
        // Escapes that the engine does not know, of characters that need none.
        ('/' | ':' | '_' | '"' | '\'' | ' ', _) => text.push(letter),
        (other, _) => {
            text.push('\\');
            text.push(other);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::engine::string_check;

    #[test]
    fn means_what_the_oracle_means() {
        let patterns = [
            "^a",
            "b$",
            ".",
            "^.$",
            "^[a-z]+$",
            r"^\d{3}-\d{4}$",
            r"^-?\d+$",
            r"^\S*$",
            r"^[\s]$",
            r"^[\S]$",
            r"^[^\s]$",
            r"^[^\S]$",
            r"\bx\b",
            r"^\w+$",
            r"^[\w.-]+@[\w.-]+$",
            r"^\/x\/$",
            r"\cJ",
            "^[[]$",
            "^[a&&b]+$",
            "^(a|b|cc)*$",
            r"^\u00e4$",
            r"^[\u00e0-\u00ff]$",
            "(?:ab){2,3}",
            "^(?:#[0-9a-fA-F]{6})?$",
            r"^\x41$",
            r"[\]]",
            r"^[\-a]$",
            "a+?b",
            r"\t",
            "^$",
            "[^a]",
            r"^[A-Z]{2}\.[0-9]$",
            "^[^~]$",
            r"\$",
            "é",
        ];
        let texts = [
            "",
            "a",
            "b",
            "ab",
            "abab",
            "ä",
            "é",
            "\n",
            "\u{2028}",
            "\u{a0}",
            " ",
            "\t",
            "123-4567",
            "-12",
            "x",
            "a x b",
            "/x/",
            "[",
            "&",
            "&&ab",
            "#ff00FF",
            "A",
            "]",
            "-",
            "AB.1",
            "~",
            "me@there.org",
            "$",
            "x_1",
            "٣",
            "\u{feff}",
            "aab",
        ];
        for pattern in patterns {
            let (own, oracle) = (Pattern::compile(pattern).expect(pattern), string_check("pattern", pattern).unwrap());
            assert!(matches!(own, Pattern::Own(_)), "{pattern}");
            for text in texts {
                assert_eq!(own.is_match(text), oracle.is_valid(&text.into()), "{pattern} on {text:?}");
            }
        }
    }

    #[test]
    fn what_is_no_linear_time_regex_is_refused() {
        for pattern in ["(", "(?=a)b", "(?<!a)b", r"(a)\1", "[", "*", "a{2,1}", r"\"] {
            assert!(Pattern::compile(pattern).is_none(), "{pattern}");
        }
        let words: Vec<String> = (0..3000).map(|number| format!("word{number}")).collect();
        assert!(Pattern::compile(&format!("^({})$", words.join("|"))).is_some());
    }
}
