//! The two ends of a text, whole or as it comes.

use std::collections::VecDeque;

use super::{Keep, Omission};

/// Keeps the two ends of a stream of bytes that is meant as text, and counts what is between them.
///
/// It holds what it keeps and no more, however long the stream is. Chunks may end anywhere, inside a character too: nothing
/// is decoded before [`finish`](Self::finish). If all of it is kept, it is decoded as one; if not, each end is cut at a
/// character. Bytes that are no UTF-8 become U+FFFD, which is longer than the byte that it stands for.
///
/// ```
/// use tool_runtime::retain::{Keep, TextRetainer};
///
/// let mut output = TextRetainer::new(Keep::head_tail(6, 5));
/// for chunk in [&b"first "[..], b"a lot of", b" noise ", b"error"] {
///     output.push(chunk);
/// }
/// let output = output.finish();
/// assert_eq!((output.head(), output.tail(), output.omitted()), ("first ", "error", 15));
/// ```
#[derive(Clone, Debug)]
pub struct TextRetainer {
    keep: Keep,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    seen: u64,
}

impl TextRetainer {
    /// Keeps so much. The budgets count the bytes of the stream.
    pub const fn new(keep: Keep) -> Self {
        Self { keep, head: Vec::new(), tail: VecDeque::new(), seen: 0 }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>) {
        let chunk = chunk.as_ref();
        self.seen += chunk.len() as u64;
        let room = self.keep.head - self.head.len();
        let (first, rest) = chunk.split_at(room.min(chunk.len()));
        self.head.extend_from_slice(first);
        let last = &rest[rest.len().saturating_sub(self.keep.tail)..];
        let excess = (self.tail.len() + last.len()).saturating_sub(self.keep.tail);
        self.tail.drain(..excess);
        self.tail.extend(last);
    }

    /// How many bytes there were so far.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Whether something is left out already.
    pub fn is_truncated(&self) -> bool {
        self.seen > (self.head.len() + self.tail.len()) as u64
    }

    /// What was kept, as text.
    pub fn finish(self) -> RetainedText {
        let is_truncated = self.is_truncated();
        let Self { mut head, tail, seen, .. } = self;
        let tail = Vec::from(tail);
        if !is_truncated {
            head.extend_from_slice(&tail);
            return RetainedText { head: decoded(head), tail: String::new(), seen, omitted: 0 };
        }
        head.truncate(head.len() - begun(&head));
        let tail = &tail[ended(&tail)..];
        let omitted = seen - (head.len() + tail.len()) as u64;
        RetainedText { head: decoded(head), tail: decoded(tail.to_vec()), seen, omitted }
    }
}

/// How many bytes at the end are the beginning of a character that is not whole.
fn begun(bytes: &[u8]) -> usize {
    let longest = bytes.len().min(3);
    (1..=longest)
        .find(|count| {
            let end = &bytes[bytes.len() - count..];
            // No error length: more bytes could make it whole.
            std::str::from_utf8(end).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or(0)
}

/// How many bytes at the beginning are the end of a character that began before.
fn ended(bytes: &[u8]) -> usize {
    bytes.iter().take(3).take_while(|byte| **byte & 0b1100_0000 == 0b1000_0000).count()
}

fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The two ends of a text, or all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetainedText {
    head: String,
    tail: String,
    seen: u64,
    omitted: u64,
}

impl RetainedText {
    /// The beginning; the whole text, if nothing was left out.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// The end; empty, if nothing was left out.
    pub fn tail(&self) -> &str {
        &self.tail
    }

    /// How many bytes there were.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// How many of them are in neither end.
    pub fn omitted(&self) -> u64 {
        self.omitted
    }

    /// Whether any were left out.
    pub fn is_truncated(&self) -> bool {
        self.omitted > 0
    }

    /// What was left out, for the sentence that says so.
    pub fn omission(&self) -> Omission {
        Omission::of(self.omitted)
    }

    /// The whole text; or both ends, with `gap` between them.
    pub fn into_text(self, gap: &str) -> String {
        let Self { mut head, tail, .. } = self;
        if self.omitted > 0 {
            head.reserve_exact(gap.len() + tail.len());
            head.push_str(gap);
            head.push_str(&tail);
        }
        head
    }
}

/// The two ends of a text that is there as a whole; nothing is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preview<'a> {
    head: &'a str,
    tail: &'a str,
    omitted: usize,
}

/// What a [`TextRetainer`] would keep of it.
///
/// ```
/// use tool_runtime::retain::{Keep, preview};
///
/// let ends = preview("one two three", Keep::both_ends(8));
/// assert_eq!((ends.head(), ends.tail(), ends.omitted()), ("one ", "hree", 5));
/// ```
pub fn preview(text: &str, keep: Keep) -> Preview<'_> {
    if text.len() <= keep.bytes() {
        return Preview { head: text, tail: "", omitted: 0 };
    }
    let head = text.floor_char_boundary(keep.head);
    let tail = text.ceil_char_boundary(text.len() - keep.tail);
    Preview { head: &text[..head], tail: &text[tail..], omitted: tail - head }
}

impl<'a> Preview<'a> {
    /// The beginning; the whole text, if nothing was left out.
    pub fn head(&self) -> &'a str {
        self.head
    }

    /// The end; empty, if nothing was left out.
    pub fn tail(&self) -> &'a str {
        self.tail
    }

    /// How many bytes are in neither end.
    pub fn omitted(&self) -> usize {
        self.omitted
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn retained(keep: Keep, chunks: &[&[u8]]) -> RetainedText {
        let mut retainer = TextRetainer::new(keep);
        for chunk in chunks {
            retainer.push(chunk);
        }
        retainer.finish()
    }

    fn ends(keep: Keep, bytes: &[u8]) -> (String, String, u64) {
        let kept = retained(keep, &[bytes]);
        (kept.head, kept.tail, kept.omitted)
    }

    fn owned(head: &str, tail: &str, omitted: u64) -> (String, String, u64) {
        (head.to_owned(), tail.to_owned(), omitted)
    }

    #[test]
    fn counts_are_exact_for_head_tail_and_both() {
        assert_eq!(ends(Keep::head(3), b"abcdef"), owned("abc", "", 3));
        assert_eq!(ends(Keep::tail(3), b"abcdef"), owned("", "def", 3));
        assert_eq!(ends(Keep::head_tail(2, 1), b"abcdef"), owned("ab", "f", 3));
        assert_eq!(ends(Keep::head_tail(2, 4), b"abcdef"), owned("abcdef", "", 0));
        assert_eq!(ends(Keep::both_ends(5), b"abcdef"), owned("abc", "ef", 1));
    }

    #[test]
    fn zero_budgets_keep_nothing_and_count_everything() {
        assert_eq!(ends(Keep::both_ends(0), b"abc"), owned("", "", 3));
        assert_eq!(ends(Keep::both_ends(0), b""), owned("", "", 0));
        assert_eq!(ends(Keep::head(0), "é".as_bytes()), owned("", "", 2));
    }

    #[test]
    fn a_character_across_head_and_tail_stays_if_nothing_is_left_out() {
        assert_eq!(ends(Keep::head_tail(1, 1), "é".as_bytes()), owned("é", "", 0));
        assert_eq!(ends(Keep::head_tail(2, 2), "😀".as_bytes()), owned("😀", "", 0));
        // One byte more, and both of its parts go.
        assert_eq!(ends(Keep::head_tail(2, 2), "😀!".as_bytes()), owned("", "!", 4));
    }

    #[test]
    fn characters_of_two_and_four_bytes_are_cut_between_them() {
        assert_eq!(ends(Keep::head(3), "éé".as_bytes()), owned("é", "", 2));
        assert_eq!(ends(Keep::tail(3), "éé".as_bytes()), owned("", "é", 2));
        for budget in 0..4 {
            assert_eq!(ends(Keep::both_ends(budget * 2), "😀😀😀".as_bytes()), owned("", "", 12));
        }
        assert_eq!(ends(Keep::both_ends(8), "😀😀😀".as_bytes()), owned("😀", "😀", 4));
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        assert_eq!(ends(Keep::head(9), b"a\xFFb"), owned("a\u{FFFD}b", "", 0));
        // An invalid lead byte begins no character, so it is kept; a lead byte whose character is cut is not.
        assert_eq!(ends(Keep::head(2), b"a\xF8bc"), owned("a\u{FFFD}", "", 2));
        assert_eq!(ends(Keep::head(2), b"a\xC3\xA9c"), owned("a", "", 3));
        // Of stray continuation bytes three could be the end of a character.
        assert_eq!(ends(Keep::tail(5), b"abc\x80\x80\x80\x80\x80"), owned("", "\u{FFFD}\u{FFFD}", 6));
        assert_eq!(ends(Keep::both_ends(9), b"\x80\x80"), owned("\u{FFFD}\u{FFFD}", "", 0));
    }

    #[test]
    fn no_more_is_held_than_is_kept() {
        let mut retainer = TextRetainer::new(Keep::head_tail(10, 20));
        let chunk = [b'x'; 1000];
        for _ in 0..100 {
            retainer.push(chunk);
            assert!(retainer.head.len() <= 10 && retainer.tail.len() <= 20);
            assert!(retainer.tail.capacity() <= 64, "{}", retainer.tail.capacity());
        }
        assert_eq!(retainer.finish().omitted(), 100_000 - 30);
    }

    proptest! {
        #[test]
        fn a_stream_is_kept_as_the_whole_whatever_its_chunks(
            bytes in prop::collection::vec(any::<u8>(), 0..80),
            cuts in prop::collection::vec(0_usize..80, 0..6),
            head in 0_usize..50, tail in 0_usize..50,
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect();
            let keep = Keep::head_tail(head, tail);
            prop_assert_eq!(retained(keep, &chunks), retained(keep, &[&bytes]));
        }

        #[test]
        fn a_text_in_memory_is_kept_like_its_stream_and_its_ends_are_its_own(
            text in "[aé固😀]{0,30}", head in 0_usize..40, tail in 0_usize..40,
        ) {
            let keep = Keep::head_tail(head, tail);
            let (whole, stream) = (preview(&text, keep), retained(keep, &[text.as_bytes()]));
            prop_assert_eq!((whole.head(), whole.tail()), (stream.head(), stream.tail()));
            prop_assert_eq!(whole.omitted() as u64, stream.omitted());
            prop_assert!(text.starts_with(whole.head()) && text.ends_with(whole.tail()));
            prop_assert_eq!(whole.head().len() + whole.omitted() + whole.tail().len(), text.len());
            if text.len() <= keep.bytes() {
                prop_assert_eq!(stream.into_text("…"), text);
            } else {
                prop_assert!(whole.head().len() <= head && whole.tail().len() <= tail);
                // No more is lost to a boundary than a character has bytes.
                prop_assert!(whole.head().len() + 3 >= head && whole.tail().len() + 3 >= tail);
            }
        }
    }
}
