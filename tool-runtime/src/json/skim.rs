//! Finding one's way in a text that is read and checked elsewhere.

use super::scan::plain_run;

/// A cursor over a text that may be JSON. It finds where values end, and looks at nothing inside of them.
pub(crate) struct Skim<'t> {
    text: &'t str,
    /// The next byte to read; where it stops, an ASCII byte or the end of the text is next.
    at: usize,
}

impl<'t> Skim<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// How many bytes are behind it.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next byte that is no white space, which stays the next one.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(*byte),
            }
        }
    }

    /// Steps over a byte, white space before it included, if it is the next one.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.at += 1)
    }

    /// Steps over `null`, if it is the next value.
    #[inline]
    pub(crate) fn take_null(&mut self) -> bool {
        if self.next() != Some(b'n') {
            return false;
        }
        let Some(rest) = self.text.as_bytes()[self.at..].strip_prefix(b"null") else { return false };
        let ends = rest.first().is_none_or(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t'));
        self.at += if ends { 4 } else { 0 };
        ends
    }

    /// Steps over a string without escapes, if one is next.
    #[inline]
    pub(crate) fn take_plain_string(&mut self) -> Option<&'t str> {
        self.take(b'"')?;
        let start = self.at;
        self.at += plain_run(&self.text.as_bytes()[start..]);
        let string = &self.text[start..self.at];
        self.take_here(b'"').then_some(string)
    }

    /// Steps over a value, if its end can be found.
    pub(crate) fn take_value(&mut self) -> Option<()> {
        match self.next()? {
            b'"' => self.string(),
            b'{' | b'[' => self.container(),
            _ => {
                let rest = &self.text.as_bytes()[self.at..];
                let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
                let length = rest.iter().position(is_end).unwrap_or(rest.len());
                self.at += length;
                (length > 0).then_some(())
            }
        }
    }

    fn container(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            match self.text.as_bytes().get(self.at)? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Some(());
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.at += plain_run(self.text.as_bytes().get(self.at..)?);
            match self.text.as_bytes().get(self.at)? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                // What is escaped may be a quote; a control character is left to the parser.
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn take_here(&mut self, byte: u8) -> bool {
        let is_here = self.text.as_bytes().get(self.at) == Some(&byte);
        self.at += usize::from(is_here);
        is_here
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Option<usize> {
        let mut skim = Skim::new(text);
        skim.take_value().map(|()| skim.at())
    }

    #[test]
    fn values_end_where_they_end() {
        for value in
            ["1", "-1.5e3", "true", "null", r#""a""#, r#""\"}]é\\""#, "{}", r#"{"a":["}",{}],"b":1}"#, "[[1],2]"]
        {
            for after in ["", ",", "}", "]", " ", "\n"] {
                assert_eq!(ends(&format!(" {value}{after}")), Some(value.len() + 1), "{value}{after}");
            }
        }
    }

    #[test]
    fn what_has_no_end_has_none() {
        for text in ["", " ", "{", "[1", r#""a"#, r#""\"#, r#""\""#, r#"{"a}"#, ",", "}"] {
            assert_eq!(ends(text), None, "{text}");
        }
    }

    #[test]
    fn null_is_taken_alone() {
        for (text, is_null) in
            [("null", true), (" null}", true), ("nulls", false), ("nul", false), ("0", false), ("", false)]
        {
            assert_eq!(Skim::new(text).take_null(), is_null, "{text}");
        }
    }

    #[test]
    fn a_string_with_an_escape_is_not_plain() {
        assert_eq!(Skim::new(r#" "né"x"#).take_plain_string(), Some("né"));
        for text in [r#""a\n""#, r#""a"#, "a", ""] {
            assert_eq!(Skim::new(text).take_plain_string(), None, "{text}");
        }
    }
}
