/// How many bytes from the start of `bytes` may stand in a JSON string as they are: everything but `"`, `\` and the
/// control characters below U+0020.
///
/// What it stops at is ASCII, so the run always ends at a character boundary.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let marks = special_bytes(u64::from_le_bytes(*word));
        if marks != 0 {
            // The lowest mark is exact; borrows can only make false marks above a true one.
            return index * 8 + (marks.trailing_zeros() / 8) as usize;
        }
    }
    let end = rest.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\').unwrap_or(rest.len());
    words.len() * 8 + end
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
            for place in 0..20 {
                let mut bytes = [b'x'; 20];
                bytes[place] = byte;
                assert_eq!(plain_run(&bytes), by_byte(&bytes), "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn agrees_with_looking_at_each_byte(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(plain_run(&bytes), by_byte(&bytes));
        }
    }
}
