//! Text of a server where only a line of it may stand.

/// The text on one line, of so many bytes at most: what could end the line, hide in it or turn its direction is replaced,
/// and what is too long is cut.
pub(super) fn one_line(text: &str, most: usize) -> String {
    const CUT: &str = "…";
    let mut line = String::with_capacity(text.len().min(most));
    for char in text.chars().map(|char| if is_hidden(char) { char::REPLACEMENT_CHARACTER } else { char }) {
        if line.len() + char.len_utf8() > most {
            line.truncate(line.floor_char_boundary(most.saturating_sub(CUT.len())));
            line.push_str(CUT);
            break;
        }
        line.push(char);
    }
    line
}

/// Control characters, separators of lines, and marks that change the direction of text.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{2028}' | '\u{2029}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_harmless_stays_as_it_is() {
        assert_eq!(one_line("naïve 固", 100), "naïve 固");
        assert_eq!(one_line("abcdef", 6), "abcdef");
    }

    #[test]
    fn what_could_forge_a_line_is_replaced() {
        assert_eq!(one_line("a\nb\u{1b}[2J\u{202e}c\u{2028}", 100), "a\u{fffd}b\u{fffd}[2J\u{fffd}c\u{fffd}");
        assert_eq!(one_line("abcdefg", 6), "abc…");
    }

    proptest! {
        #[test]
        fn no_line_is_longer_than_it_may_be(text in "\\PC{0,40}", most in 3_usize..60) {
            prop_assert!(one_line(&text, most).len() <= most);
        }
    }
}
