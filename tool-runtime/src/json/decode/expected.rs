//! What was wanted and what was there, in the words of JSON: whoever reads it sees no Rust types.

use super::{DecodeError, JsonValue};
use crate::json::excerpt::Clipped;
use serde::de::{Expected, Unexpected};
use std::fmt::Write;

/// Of a long list of names, how many a message holds.
const NAMES: usize = 40;

/// The value is of another kind than wanted. The visitor's own words are better than `wanted`, unless they are Rust's.
pub(super) fn mismatch(value: &JsonValue, visitor: &dyn Expected, wanted: &str) -> DecodeError {
    let own = visitor.to_string();
    let wanted = if json_words(&own).is_some() { wanted } else { &own };
    DecodeError::new(format!("expected {wanted}, got {}", shown(value)))
}

pub(super) fn too_many_items(length: usize, most: usize) -> DecodeError {
    DecodeError::new(format!("expected an array of {most} items, got {length} of them"))
}

pub(super) fn no_variant(value: &JsonValue, variants: &'static [&'static str]) -> DecodeError {
    let got = match value {
        JsonValue::Object(entries) => format!("an object with {} keys", entries.len()),
        _ => shown(value),
    };
    let one_of = one_of(variants, "variants");
    DecodeError::new(format!(
        "expected the name of a variant, or an object with that name as its one key, got {got}; {one_of}"
    ))
}

/// The names that would do, as serde lists them.
pub(super) fn one_of(names: &[&str], what: &str) -> String {
    let Some((first, rest)) = names.split_first() else { return format!("there are no {what}") };
    if rest.is_empty() {
        return format!("expected `{first}`");
    }
    let mut text = format!("expected one of `{first}`");
    for name in rest.iter().take(NAMES - 1) {
        // Writing to a String never fails.
        let _ = write!(text, ", `{name}`");
    }
    if names.len() > NAMES {
        let _ = write!(text, " and {} more", names.len() - NAMES);
    }
    text
}

/// What a visitor expects.
pub(super) fn in_words(expected: &dyn Expected) -> String {
    let own = expected.to_string();
    json_words(&own).unwrap_or(own)
}

/// The JSON words for what serde's own visitors say, or `None` for what an author said.
fn json_words(own: &str) -> Option<String> {
    let words = match own {
        "i8" => range(i8::MIN, i8::MAX),
        "i16" => range(i16::MIN, i16::MAX),
        "i32" => range(i32::MIN, i32::MAX),
        "i64" | "isize" => range(i64::MIN, i64::MAX),
        "u8" => range(u8::MIN, u8::MAX),
        "u16" => range(u16::MIN, u16::MAX),
        "u32" => range(u32::MIN, u32::MAX),
        "u64" | "usize" => range(u64::MIN, u64::MAX),
        "i128" | "u128" => "an integer".into(),
        "f32" | "f64" => "a number".into(),
        "unit" => "null".into(),
        "option" => "a value or null".into(),
        "a sequence" => "an array".into(),
        "a map" => "an object".into(),
        "a borrowed string" => "a string".into(),
        _ => return structural_words(own),
    };
    Some(words)
}

fn structural_words(own: &str) -> Option<String> {
    const KINDS: [(&str, &str); 12] = [
        ("struct variant ", "an object"),
        ("struct ", "an object"),
        ("tuple variant ", "an array"),
        ("tuple struct ", "an array"),
        ("unit struct ", "null"),
        ("newtype variant", "a variant with a value"),
        ("tuple variant", "a variant with an array"),
        ("struct variant", "a variant with an object"),
        ("internally tagged enum ", "an object with a tag"),
        ("adjacently tagged enum ", "an object with a tag"),
        ("enum ", "the name of a variant, or an object with that name as its one key"),
        ("Duration", "a duration"),
    ];
    if let Some(items) = own.strip_prefix("a tuple of size ").or_else(|| own.strip_prefix("an array of length ")) {
        return Some(format!("an array of {items} items"));
    }
    // `tuple struct Pair with 2 elements`
    if let Some(items) = own.strip_suffix(" elements").or_else(|| own.strip_suffix(" element")) {
        let (_, items) = items.rsplit_once(" with ")?;
        return Some(format!("an array of {items} items"));
    }
    KINDS.iter().find(|(prefix, _)| own.starts_with(prefix)).map(|(_, words)| (*words).to_owned())
}

fn range<N: std::fmt::Display>(least: N, greatest: N) -> String {
    format!("an integer from {least} to {greatest}")
}

/// A value as an error shows it.
pub(super) fn shown(value: &JsonValue) -> String {
    match value {
        JsonValue::Null => "null".into(),
        JsonValue::Bool(value) => value.to_string(),
        JsonValue::Number(number) => Clipped(&number.to_string()).to_string(),
        JsonValue::String(text) => quoted(text),
        JsonValue::Array(_) => "an array".into(),
        JsonValue::Object(_) => "an object".into(),
    }
}

/// What serde shows of a value.
pub(super) fn got(unexpected: Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => JsonValue::from(number).to_string(),
        Unexpected::Char(character) => quoted(character.encode_utf8(&mut [0; 4])),
        Unexpected::Str(text) => quoted(text),
        Unexpected::Unit => "null".into(),
        Unexpected::Seq => "an array".into(),
        Unexpected::Map => "an object".into(),
        Unexpected::UnitVariant => "only its name".into(),
        other => Clipped(&other.to_string()).to_string(),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", Clipped(text))
}
