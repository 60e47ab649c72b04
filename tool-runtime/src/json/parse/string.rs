use super::{ParseErrorKind, Parser, Problem};
use crate::json::scan::plain_run;
use std::borrow::Cow;

impl<'a> Parser<'a> {
    /// A string, from its opening quote to behind the closing one. It is borrowed if it holds no escape.
    #[inline]
    pub(super) fn string(&mut self) -> Result<Cow<'a, str>, Problem> {
        let start = self.at + 1;
        let end = start + plain_run(&self.bytes[start..]);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(&self.text[start..end]));
        }
        self.escaped_string().map(Cow::Owned)
    }

    fn escaped_string(&mut self) -> Result<String, Problem> {
        self.at += 1;
        let start = self.at;
        self.at += plain_run(&self.bytes[start..]);
        let mut text = String::from(&self.text[start..self.at]);
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(&byte) => return Err(control_character(self.at, byte)),
                None => return Err(self.string_ends_early()),
            }
            let start = self.at;
            self.at += plain_run(&self.bytes[start..]);
            text.push_str(&self.text[start..self.at]);
        }
    }

    /// What of a string stands before its text was cut off, or before what is no part of a string: whole characters.
    pub(super) fn string_so_far(&mut self) -> String {
        self.at += 1;
        let mut text = String::new();
        loop {
            let start = self.at;
            self.at += plain_run(&self.bytes[start..]);
            text.push_str(&self.text[start..self.at]);
            match self.bytes.get(self.at) {
                Some(b'\\') => match self.escape() {
                    Ok(character) => text.push(character),
                    Err(_) => return text,
                },
                _ => return text,
            }
        }
    }

    /// What the escape at a backslash stands for.
    fn escape(&mut self) -> Result<char, Problem> {
        let start = self.at;
        let Some(&letter) = self.bytes.get(start + 1) else { return Err(self.string_ends_early()) };
        let character = match letter {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(start),
            _ => return Err(self.bad_escape(start)),
        };
        self.at += 2;
        Ok(character)
    }

    /// `\u` with four digits, or two of them for a character beyond U+FFFF.
    fn unicode_escape(&mut self, start: usize) -> Result<char, Problem> {
        let first = self.code_unit()?;
        if !(0xD800..=0xDFFF).contains(&first) {
            return char::from_u32(first).ok_or_else(|| self.lone_surrogate(start));
        }
        if first >= 0xDC00 || !self.continues_with_unicode_escape() {
            return Err(self.lone_surrogate(start));
        }
        let second = self.code_unit()?;
        if !(0xDC00..=0xDFFF).contains(&second) {
            return Err(self.lone_surrogate(start));
        }
        let character = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        char::from_u32(character).ok_or_else(|| self.lone_surrogate(start))
    }

    /// Whether `\u` comes next, or the text ends where it could still come, which [`Self::code_unit`] then reports.
    fn continues_with_unicode_escape(&self) -> bool {
        matches!(self.bytes[self.at..], [] | [b'\\'] | [b'\\', b'u', ..])
    }

    /// The four hexadecimal digits after `\u`.
    fn code_unit(&mut self) -> Result<u32, Problem> {
        let start = self.at;
        let rest = &self.bytes[start..];
        let digits = rest.iter().skip(2).take(4);
        let unit = digits.clone().try_fold(0, |unit, &digit| Some(unit * 16 + char::from(digit).to_digit(16)?));
        match unit {
            Some(unit) if digits.len() == 4 => {
                self.at += 6;
                Ok(unit)
            }
            Some(_) => Err(self.string_ends_early()),
            None => {
                let message = "`\\u` in a string needs four hexadecimal digits after it, as in `\\u00e9`";
                Err(Problem::new(ParseErrorKind::BadEscape, start, message))
            }
        }
    }

    fn bad_escape(&self, start: usize) -> Problem {
        let letter = self.text[start + 1..].chars().next().unwrap_or('\\');
        let message = if letter.is_control() {
            "a backslash in a string stands before a control character; write `\\\\` for a backslash and `\\n` for a line \
             feed"
                .into()
        } else {
            format!("`\\{letter}` is no escape that JSON has; write `\\\\{letter}` if the string holds a backslash")
        };
        Problem::new(ParseErrorKind::BadEscape, start, message)
    }

    fn lone_surrogate(&self, start: usize) -> Problem {
        let end = self.text.floor_char_boundary(start + 6);
        let message = format!(
            "`{}` is half of a surrogate pair, which is no character; write both halves, or the character itself",
            &self.text[start..end]
        );
        Problem::new(ParseErrorKind::LoneSurrogate, start, message)
    }

    fn string_ends_early(&self) -> Problem {
        Problem::ends_early(self.bytes.len(), "inside a string")
    }
}

fn control_character(offset: usize, byte: u8) -> Problem {
    let message = match byte {
        b'\n' => "a line feed stands in a string as it is; write it as `\\n`".into(),
        b'\r' => "a carriage return stands in a string as it is; write it as `\\r`".into(),
        b'\t' => "a tab stands in a string as it is; write it as `\\t`".into(),
        _ => format!("a control character stands in a string as it is; write it as `\\u{byte:04x}`"),
    };
    Problem::new(ParseErrorKind::ControlCharacter, offset, message)
}
