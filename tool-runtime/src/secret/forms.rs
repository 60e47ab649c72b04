//! The forms in which a text stands in other texts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::content::base64;

/// What is left of an encoded text that its neighbours don't change is looked for if it has so many characters.
const LEAST_ENCODED: usize = 6;

/// The text itself, as JSON and as Rust escape it once or twice, in percent-encoding, and in base64 wherever it begins.
pub(super) fn of(text: &str) -> BTreeSet<String> {
    let mut forms = BTreeSet::from([text.to_owned()]);
    for _ in 0..2 {
        for form in forms.clone() {
            forms.extend([json_escaped(&form), debug_escaped(&form)]);
        }
    }
    if !text.is_ascii() {
        forms.extend([ascii_escaped(text, false), ascii_escaped(text, true)]);
    }
    forms.insert(percent_encoded(text));
    for before in 0..3 {
        if let Some(encoded) = encoded_after(before, text) {
            forms.insert(encoded.replace('+', "-").replace('/', "_"));
            forms.insert(encoded);
        }
    }
    forms
}

fn json_escaped(text: &str) -> String {
    // A text can always be written, in quotes.
    let written = serde_json::to_string(text).unwrap_or_default();
    written.get(1..written.len().saturating_sub(1)).unwrap_or(text).to_owned()
}

fn debug_escaped(text: &str) -> String {
    let written = format!("{text:?}");
    written[1..written.len() - 1].to_owned()
}

/// As JSON that is kept to ASCII.
fn ascii_escaped(text: &str, upper: bool) -> String {
    let mut escaped = String::new();
    for character in json_escaped(text).chars() {
        if character.is_ascii() {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a String never fails.
            let _ = if upper { write!(escaped, "\\u{unit:04X}") } else { write!(escaped, "\\u{unit:04x}") };
        }
    }
    escaped
}

/// As it stands in an address ([RFC 3986, section 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3)).
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// The characters of base64 that hang on nothing but the text, where so many bytes (of each three) stand before it.
fn encoded_after(before: usize, text: &str) -> Option<String> {
    let mut bytes = vec![0; before];
    bytes.extend_from_slice(text.as_bytes());
    let encoded = base64(&bytes);
    // Six bits a character: those that the bytes before have a part in, and the last if it is not full.
    let (start, end) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
    encoded.get(start..end).filter(|own| own.len() >= LEAST_ENCODED).map(str::to_owned)
}
