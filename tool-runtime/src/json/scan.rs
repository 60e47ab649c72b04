/// How many bytes from the start of `bytes` may stand in a JSON string as they are: everything but `"`, `\` and the
/// control characters below U+0020.
///
/// What it stops at is ASCII, so the run always ends at a character boundary.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    // Whole blocks first: a fold over a block of fixed size becomes a few wide instructions.
    let (blocks, _) = bytes.as_chunks::<32>();
    let is_plain = |block: &&[u8; 32]| block.iter().fold(0, |any, &byte| any | u8::from(is_special(byte))) == 0;
    let plain = blocks.iter().take_while(is_plain).count();
    let start = plain * 32;
    let (words, rest) = bytes[start..].as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            return start + index * 8 + first_mark(marks);
        }
    }
    match bytes.last_chunk::<8>() {
        // The last eight bytes begin with some that are known to be plain.
        Some(last) => bytes.len() - 8 + first_mark(special_bytes(u64::from_le_bytes(*last))),
        None => rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len()),
    }
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
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_looking_at_each_byte(bytes in prop::collection::vec(any::<u8>(), 0..140)) {
            prop_assert_eq!(plain_run(&bytes), by_byte(&bytes));
        }
    }
}
