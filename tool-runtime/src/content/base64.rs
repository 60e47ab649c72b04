//! Base64, the one direction that content needs: a crate for it would be one more in each author's build.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Standard alphabet, padded ([RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    let (whole, rest) = bytes.as_chunks::<3>();
    for &[first, second, third] in whole {
        push(&mut text, [first, second, third], 4);
    }
    match *rest {
        [first] => push(&mut text, [first, 0, 0], 2),
        [first, second] => push(&mut text, [first, second, 0], 3),
        _ => {}
    }
    text
}

/// Three bytes as four characters, of which `kept` say something.
fn push(text: &mut String, [first, second, third]: [u8; 3], kept: usize) {
    let bits = u32::from_be_bytes([0, first, second, third]);
    let sextet = |place: usize| char::from(ALPHABET[(bits >> (18 - 6 * place)) as usize & 63]);
    text.extend((0..4).map(|place| if place < kept { sextet(place) } else { '=' }));
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_what_the_base64_crate_writes(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(base64(&bytes), STANDARD.encode(&bytes));
        }
    }
}
