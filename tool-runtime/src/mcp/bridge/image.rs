//! Pictures of a server, before they may reach a model.

use crate::content::Block;
use crate::json::JsonValue;

/// Whether bytes begin as a file of some kind does.
type Begins = fn(&[u8]) -> bool;

/// The media types that models read, with what a file of each begins with. Providers refuse a whole conversation over one
/// picture that is not what it says.
const KINDS: [(&str, Begins); 4] = [
    ("image/png", |bytes| bytes.starts_with(b"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", |bytes| bytes.starts_with(b"\xff\xd8\xff")),
    ("image/webp", |bytes| bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")),
    ("image/gif", |bytes| bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a")),
];

/// The picture of an `image` block of a server, or why there is none to show. `most` is its size in bytes.
pub(super) fn admitted(block: &JsonValue, most: usize) -> Result<Block, String> {
    let named = block.get("mimeType").and_then(JsonValue::as_str).unwrap_or_default();
    let kind = KINDS.iter().find(|(kind, _)| kind.eq_ignore_ascii_case(named));
    let Some((kind, begins)) = kind else {
        return Err("the media type is none of image/png, image/jpeg, image/webp and image/gif".to_owned());
    };
    let data = block.get("data").and_then(JsonValue::as_str).unwrap_or_default();
    let Some((bytes, beginning)) = canonical(data) else {
        return Err("the data is not canonical base64".to_owned());
    };
    if bytes > most {
        return Err(format!("it has {bytes} bytes, more than {most}"));
    }
    if !begins(&beginning) {
        return Err(format!("the data is no {kind}"));
    }
    Ok(Block::Image(crate::content::Image { data: data.to_owned(), mime_type: (*kind).to_owned(), annotations: None }))
}

/// How many bytes a text stands for, and the first of them, if it is what base64 writes: the standard alphabet, padded,
/// without a bit to spare ([RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)). Nothing stands for no
/// picture.
fn canonical(data: &str) -> Option<(usize, Vec<u8>)> {
    let symbols = data.trim_end_matches('=').as_bytes();
    let padding = data.len() - symbols.len();
    if symbols.is_empty() || !data.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut spare = 0;
    for &symbol in symbols {
        spare = sextet(symbol)?;
    }
    // The last symbol says 2 bits of a byte before one sign of padding, and 4 bits before two less.
    let unused = [0, 0b11, 0b1111][padding];
    if spare & unused != 0 {
        return None;
    }
    let mut beginning = Vec::with_capacity(12);
    for four in symbols.chunks(4).take(4) {
        let bits = four.iter().fold(0, |bits, &symbol| bits << 6 | sextet(symbol).unwrap_or_default());
        let bits = bits << (6 * (4 - four.len()));
        beginning.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    Some((data.len() / 4 * 3 - padding, beginning))
}

fn sextet(symbol: u8) -> Option<u32> {
    let sextet = match symbol {
        b'A'..=b'Z' => symbol - b'A',
        b'a'..=b'z' => symbol - b'a' + 26,
        b'0'..=b'9' => symbol - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(sextet.into())
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n....";

    fn image(mime_type: &str, data: &str) -> JsonValue {
        json!({"type": "image", "mimeType": mime_type, "data": data})
    }

    #[test]
    fn the_four_kinds_that_models_read_are_admitted_under_their_own_name() {
        for (kind, bytes) in [
            ("image/png", PNG),
            ("image/jpeg", b"\xff\xd8\xff\xe0"),
            ("image/webp", b"RIFF\x00\x00\x00\x00WEBPVP8 "),
            ("image/gif", b"GIF89a"),
        ] {
            let data = STANDARD.encode(bytes);
            let block = admitted(&image(&kind.to_uppercase(), &data), 100).unwrap();
            assert_eq!(block, Block::image(bytes, kind));
            for (other, _) in KINDS.iter().filter(|(other, _)| *other != kind) {
                assert_eq!(admitted(&image(other, &data), 100), Err(format!("the data is no {other}")));
            }
        }
    }

    #[test]
    fn what_is_no_such_picture_is_told_why() {
        let data = STANDARD.encode(PNG);
        let refused = |block: &JsonValue, most| admitted(block, most).unwrap_err();
        for odd in
            [image("image/svg+xml", &data), image("", &data), image("image/png; a=b", &data), json!({"data": data})]
        {
            assert!(refused(&odd, 100).starts_with("the media type is none of"), "{odd}");
        }
        for odd in ["", "=", "====", "A", "AA=", "AAA", "AB==", "A===", "AA AA", "AA\nAA", "_-AA", "é"] {
            assert_eq!(refused(&image("image/png", odd), 100), "the data is not canonical base64", "{odd:?}");
        }
        assert_eq!(refused(&json!({"mimeType": "image/png", "data": [1]}), 100), "the data is not canonical base64");
        assert_eq!(refused(&image("image/png", &data), 11), "it has 12 bytes, more than 11");
    }

    proptest! {
        #[test]
        fn canonical_is_what_the_base64_crate_takes(text in "[A-Za-e0-4+/=_ ]{0,12}") {
            let decoded = STANDARD.decode(&text).ok().filter(|bytes| !bytes.is_empty());
            let found = canonical(&text);
            prop_assert_eq!(found.as_ref().map(|(bytes, _)| *bytes), decoded.as_ref().map(Vec::len));
            if let (Some((_, beginning)), Some(decoded)) = (found, decoded) {
                prop_assert_eq!(&beginning[..], &decoded[..decoded.len().min(12)]);
            }
        }
    }
}
