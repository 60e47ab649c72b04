/// How many bytes from the start of `bytes` may stand in a JSON string as they are: everything but `"`, `\` and the
/// control characters below U+0020.
///
/// What it stops at is ASCII, so the run always ends at a character boundary.
#[inline]
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    let Some(word) = bytes.first_chunk() else {
        return bytes.iter().position(|&byte| is_special(byte)).unwrap_or(bytes.len());
    };
    // Most keys and many values are short.
    match special_bytes(u64::from_le_bytes(*word)) {
        0 => long_plain_run(bytes),
        marks => first_mark(marks),
    }
}

/// The same for eight bytes or more.
fn long_plain_run(bytes: &[u8]) -> usize {
    // Whole blocks first: a fold over a block of fixed size becomes a few wide instructions.
    let (blocks, rest) = bytes.as_chunks::<16>();
    let start = blocks.iter().take_while(|block| is_plain_block(block)).count() * 16;
    if start < bytes.len() - rest.len() {
        return start + by_words(&bytes[start..]);
    }
    match bytes.last_chunk::<16>() {
        // The last block begins with bytes that are known to be plain.
        Some(last) if is_plain_block(last) => bytes.len(),
        _ => start + by_words(rest),
    }
}

/// Whether all bytes may stand in a JSON string as they are.
#[inline]
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<16>() else { return by_words(bytes) == bytes.len() };
    let (blocks, rest) = bytes.as_chunks::<16>();
    blocks.iter().all(is_plain_block) && (rest.is_empty() || is_plain_block(last))
}

fn is_plain_block(block: &[u8; 16]) -> bool {
    block.iter().fold(0, |any, &byte| any | u8::from(is_special(byte))) == 0
}

fn by_words(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            return index * 8 + first_mark(marks);
        }
    }
    words.len() * 8 + rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len())
}

/// How many bytes are plain before the first mark. The lowest one is exact; borrows can only make false marks above it.
fn first_mark(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

#[expect(clippy::needless_bitwise_bool, reason = "a branch would keep blocks from being looked at in one go")]
fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Eight bytes at once: sets the top bit of each byte that ends a run.
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    let zero_bytes = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = zero_bytes(word ^ (ONES * u64::from(b'"')));
    let backslash = zero_bytes(word ^ (ONES * u64::from(b'\\')));
    (control | quote | backslash) & TOPS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_byte(bytes: &[u8]) -> usize {
        bytes.iter().take_while(|&&byte| byte >= 0x20 && byte != b'"' && byte != b'\\').count()
    }

    #[test]
    fn stops_at_every_special_byte_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for place in 0..80 {
                let mut bytes = [b'x'; 80];
                bytes[place] = byte;
                assert_eq!(plain_run(&bytes), by_byte(&bytes), "{byte} at {place}");
                assert_eq!(is_plain(&bytes[..=place]), by_byte(&bytes) > place, "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_looking_at_each_byte(bytes in prop::collection::vec(any::<u8>(), 0..140)) {
            prop_assert_eq!(plain_run(&bytes), by_byte(&bytes));
            prop_assert_eq!(is_plain(&bytes), by_byte(&bytes) == bytes.len());
        }
    }
}
