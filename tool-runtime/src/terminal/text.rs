//! Foreign text made harmless, and cut into lines of a width.

use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Columns from one tab stop to the next.
const TAB: usize = 4;

/// What a reader takes for one character has few bytes; one that has more is a heap of marks.
const MAX_CLUSTER_BYTES: usize = 64;

/// A line in which every character is seen, and none moves the cursor: control characters have their pictures (`␛`), and
/// characters that hide or turn text their numbers (`<U+202E>`).
pub(super) fn harmless(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut column = 0;
    for character in line.chars() {
        let start = text.len();
        match character {
            '\t' => text.extend(std::iter::repeat_n(' ', TAB - column % TAB)),
            '\0'..='\x1f' => text.extend(char::from_u32(0x2400 + u32::from(character))),
            '\x7f' => text.push('␡'),
            _ if is_unseen(character) => {
                let _ = write!(text, "<U+{:04X}>", u32::from(character));
            }
            _ => text.push(character),
        }
        column += text[start..].chars().map(|character| character.width().unwrap_or(0)).sum::<usize>();
    }
    text
}

/// Controls above ASCII, marks of direction, separators of lines, and characters without a shape. The two joiners stay:
/// scripts and emoji need them.
fn is_unseen(character: char) -> bool {
    matches!(character,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'
        | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{1d173}'..='\u{1d17a}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A line of a command's output as a terminal would leave it: without the sequences that colour it, and what was written
/// over is gone. What is no whole sequence stays, and is shown.
pub(super) fn printed(line: &str) -> String {
    let line = line.trim_end_matches('\r');
    let last = line.rsplit('\r').next().unwrap_or(line);
    let mut text = String::with_capacity(last.len());
    let mut rest = last;
    while let Some(at) = rest.find('\x1b') {
        text.push_str(&rest[..at]);
        let sequence = sequence_bytes(&rest.as_bytes()[at..]);
        if sequence == 0 {
            text.push('\x1b');
        }
        rest = &rest[at + sequence.max(1)..];
    }
    text.push_str(rest);
    text
}

/// How long the escape sequence is that begins here (ECMA-48, section 5); 0 if there is no whole one.
fn sequence_bytes(bytes: &[u8]) -> usize {
    let ends_at = |start: usize, is_end: fn(&u8) -> bool| {
        bytes[start..].iter().position(is_end).map(|end| (start + end, bytes[start + end]))
    };
    match bytes.get(1) {
        // A control sequence: parameters, then one byte that ends it.
        Some(b'[') => match ends_at(2, |byte| !matches!(byte, 0x20..=0x3f)) {
            Some((end, 0x40..=0x7e)) => end + 1,
            _ => 0,
        },
        // A string, as of a title or a link, up to its terminator.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => match ends_at(2, |byte| matches!(byte, 0x07 | 0x1b)) {
            Some((end, 0x07)) => end + 1,
            Some((end, _)) if bytes.get(end + 1) == Some(&b'\\') => end + 2,
            _ => 0,
        },
        Some(0x20..=0x2f) => match ends_at(1, |byte| !matches!(byte, 0x20..=0x2f)) {
            Some((end, 0x30..=0x7e)) => end + 1,
            _ => 0,
        },
        Some(0x30..=0x7e) => 2,
        _ => 0,
    }
}

/// A text in lines of at most so many columns, broken at a space if one stands in their second half; never within what a
/// reader takes for one character. An empty text is one empty line.
pub(super) fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut column) = (String::new(), 0);
    // Where the line may be broken: so many bytes, and so many columns.
    let mut space = None;
    for cluster in text.graphemes(true) {
        let cluster = if cluster.len() > MAX_CLUSTER_BYTES { "\u{fffd}" } else { cluster };
        let columns = cluster.width();
        while column + columns > width && column > 0 {
            let (bytes, before) =
                space.take().filter(|&(_, before)| before * 2 > width).unwrap_or((line.len(), column));
            let rest = line.split_off(bytes);
            lines.push(std::mem::replace(&mut line, rest));
            column -= before;
        }
        if columns <= width {
            line.push_str(cluster);
            column += columns;
        }
        if cluster == " " {
            space = Some((line.len(), column));
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_would_move_the_cursor_or_hide_is_shown() {
        for (line, shown) in [
            ("plain é 固 👩‍👩‍👧", "plain é 固 👩‍👩‍👧"),
            ("a\x1b[31mb", "a␛[31mb"),
            ("a\rb\x07\x7f", "a␍b␇␡"),
            ("a\u{9b}b", "a<U+009B>b"),
            ("a\u{202e}b\u{2066}", "a<U+202E>b<U+2066>"),
            ("a\u{200b}\u{feff}\u{e0041}", "a<U+200B><U+FEFF><U+E0041>"),
            ("a\tb\t\tc", "a   b       c"),
            ("固\tb", "固  b"),
        ] {
            assert_eq!(harmless(line), shown);
        }
    }

    #[test]
    fn of_a_command_s_output_stays_what_a_terminal_would_show() {
        for (line, shown) in [
            ("\x1b[1;31mred\x1b[0m", "red"),
            (" 10%\r 100%\r", " 100%"),
            ("\x1b]8;;https://a\x1b\\link\x1b]8;;\x07", "link"),
            ("\x1b(Bplain\x1b7", "plain"),
            ("cut \x1b[31", "cut \x1b[31"),
            ("cut \x1b]0;title", "cut \x1b]0;title"),
            ("\x1bé", "\x1bé"),
        ] {
            assert_eq!(printed(line), shown);
        }
    }

    #[test]
    fn lines_are_full_and_no_character_is_cut() {
        assert_eq!(folded("", 4), [""]);
        assert_eq!(folded("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(folded("abc def", 5), ["abc ", "def"]);
        assert_eq!(folded("a bcdefg", 5), ["a bcd", "efg"]);
        assert_eq!(folded("固固固", 5), ["固固", "固"]);
        assert_eq!(folded("👩‍👩‍👧👩‍👩‍👧", 3), ["👩‍👩‍👧", "👩‍👩‍👧"]);
        assert_eq!(folded(&format!("a{}", "\u{301}".repeat(99)), 4), ["\u{fffd}"]);
    }

    proptest! {
        #[test]
        fn no_line_is_wider_and_no_control_character_is_left(line: String, width in 2..30_usize) {
            for line in folded(&harmless(&printed(&line)), width) {
                prop_assert!(line.width() <= width, "{line:?} at {width}");
                prop_assert!(!line.contains(|character: char| character.is_control() || is_unseen(character)));
            }
        }
    }
}
