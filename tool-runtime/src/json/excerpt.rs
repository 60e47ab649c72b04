//! Short pieces of long texts, for error messages: bounded, on one line, cut only between characters.

use std::fmt::{self, Write};

/// How much of a key, a value or a foreign message an error quotes, in bytes.
const CLIP: usize = 80;

/// How much of the text around a problem an error quotes, in bytes on either side.
const AROUND: usize = 24;

/// The start of a text, with `…` where it was cut. Control characters show as escapes.
pub(super) struct Clipped<'a>(pub(super) &'a str);

impl fmt::Display for Clipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.floor_char_boundary(CLIP);
        write_on_one_line(f, &self.0[..end])?;
        if end < self.0.len() { f.write_char('…') } else { Ok(()) }
    }
}

/// The text on both sides of the byte `offset`, with `…` where it goes on.
pub(super) fn around(text: &str, offset: usize) -> String {
    let start = text.ceil_char_boundary(offset.saturating_sub(AROUND));
    let end = text.floor_char_boundary(offset.saturating_add(AROUND)).max(start);
    let mut excerpt = String::new();
    if start > 0 {
        excerpt.push('…');
    }
    // Writing to a String never fails.
    let _ = write_on_one_line(&mut excerpt, &text[start..end]);
    if end < text.len() {
        excerpt.push('…');
    }
    excerpt
}

fn write_on_one_line(out: &mut impl Write, text: &str) -> fmt::Result {
    for character in text.chars() {
        match character {
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            _ if character.is_control() || character == '\u{feff}' => {
                write!(out, "\\u{:04x}", u32::from(character))?;
            }
            _ => out.write_char(character)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn clips_between_characters() {
        // Two bytes each: 80 bytes are 40 characters; after one ASCII letter, 39 fit.
        assert_eq!(Clipped(&"é".repeat(60)).to_string(), format!("{}…", "é".repeat(40)));
        assert_eq!(Clipped(&format!("a{}", "é".repeat(60))).to_string(), format!("a{}…", "é".repeat(39)));
        assert_eq!(Clipped(&"é".repeat(40)).to_string(), "é".repeat(40));
        assert_eq!(Clipped("a\nb\u{1}").to_string(), "a\\nb\\u0001");
    }

    #[test]
    fn cuts_around_between_characters() {
        let text = "é".repeat(40);
        // 25 is inside a character when the window starts at an odd byte.
        assert_eq!(around(&text, 40), format!("…{}…", "é".repeat(24)));
        let shifted = format!("a{text}");
        assert_eq!(around(&shifted, 41), format!("…{}…", "é".repeat(24)));
        assert_eq!(around(&shifted, 40), format!("…{}…", "é".repeat(23)));
        assert_eq!(around(&text, 0), format!("{}…", "é".repeat(12)));
        assert_eq!(around(&text, text.len()), format!("…{}", "é".repeat(12)));
        assert_eq!(around("", 0), "");
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,60}", offset in 0_usize..300) {
            around(&text, offset);
            let _ = Clipped(&text).to_string();
        }
    }
}
