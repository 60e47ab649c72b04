//! Names of files.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Longest name, in bytes; with the digest before it, it stays far below the 255 that file systems allow.
const MAX_BYTES: usize = 120;

/// A name for a file that says nothing but itself, different for different names: `[A-Za-z0-9._-]` as they are, and `~` with
/// four hexadecimal digits for each other UTF-16 unit. One that gets too long ends in `~~` and its digest.
pub(super) fn safe(name: &str) -> String {
    let is_special = matches!(name, "." | "..");
    let mut safe = String::with_capacity(name.len());
    for unit in name.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') => safe.push(byte.into()),
            Ok(b'.') if !is_special => safe.push('.'),
            // A string takes all that is written to it.
            _ => drop(write!(safe, "~{unit:04X}")),
        }
    }
    if safe.is_empty() {
        safe.push('~');
    }
    if safe.len() > MAX_BYTES {
        let digest = digest(name, 24);
        safe.truncate(MAX_BYTES - 2 - digest.len());
        safe.extend(["~~", &digest]);
    }
    safe
}

/// The directory of a session.
pub(super) fn of_session(session: &str) -> String {
    format!("session-{}", digest(session, 12))
}

/// The first hexadecimal digits of a text's SHA-256.
fn digest(text: &str, digits: usize) -> String {
    let mut digest = hexadecimal(Sha256::digest(text.as_bytes()).as_slice());
    digest.truncate(digits);
    digest
}

/// Bytes as lower-case hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_encoded_as_in_the_reference() {
        for (name, expected) in [
            ("grep.txt", "grep.txt"),
            (".", "~002E"),
            ("..", "~002E~002E"),
            ("...", "..."),
            ("", "~"),
            ("a/b", "a~002Fb"),
            ("~", "~007E"),
            ("\0", "~0000"),
            ("é😀", "~00E9~D83D~DE00"),
        ] {
            assert_eq!(safe(name), expected, "{name:?}");
        }
        assert_eq!(of_session("s"), "session-043a718774c5");
    }

    #[test]
    fn long_names_stay_short_and_different() {
        let (first, second) = (safe(&"x".repeat(1000)), safe(&"x".repeat(1001)));
        assert!(first.len() <= MAX_BYTES && second.len() <= MAX_BYTES);
        assert_ne!(first, second);
    }

    proptest! {
        #[test]
        fn different_names_stay_different_and_none_leaves_its_directory(
            names in prop::collection::vec("[a-c~./é0\0]{0,4}", 0..50),
        ) {
            let mut by_safe = HashMap::new();
            for name in names {
                let safe = safe(&name);
                prop_assert!(!safe.contains(['/', '\0']) && safe != "." && safe != ".." && safe.is_ascii());
                let before = by_safe.insert(safe, name.clone());
                prop_assert!(before.is_none_or(|before| before == name));
            }
        }
    }
}
