//! Repairs of the text, before there is a value.

use std::borrow::Cow;

use super::{Repair, Repaired, Repairs};
use crate::json::{JsonValue, ParseError, ParseErrorKind, ParseLimits, Pointer, parse};

/// More commas than this are no slip.
const MAX_COMMAS: usize = 64;

/// Parses text; with the repairs that are asked for, if it is no JSON as it stands.
///
/// # Errors
/// What is wrong with the text as it was sent, if no repair makes it whole.
pub(crate) fn parse_repaired(
    text: &str,
    limits: &ParseLimits,
    repairs: Repairs,
    made: &mut Vec<Repaired>,
) -> Result<JsonValue, ParseError> {
    let value = match parse(text, limits) {
        Ok(value) => value,
        Err(error) => {
            let (value, repaired) = mended(text, limits, repairs).ok_or(error)?;
            made.extend(repaired.into_iter().map(|repair| Repaired::new(repair, Pointer::root())));
            value
        }
    };
    if let JsonValue::String(inner) = &value
        && repairs.has(Repair::ObjectInString)
        && let Ok(object @ JsonValue::Object(_)) = parse(inner, limits)
    {
        made.push(Repaired::new(Repair::ObjectInString, Pointer::root()));
        return Ok(object);
    }
    Ok(value)
}

fn mended(text: &str, limits: &ParseLimits, repairs: Repairs) -> Option<(JsonValue, Vec<Repair>)> {
    let mut text = Cow::Borrowed(text);
    let mut made = Vec::new();
    if repairs.has(Repair::CodeFence)
        && let Some(inner) = unfenced(&text)
    {
        text = Cow::Owned(inner.to_owned());
        made.push(Repair::CodeFence);
    }
    for _ in 0..=MAX_COMMAS {
        match parse(&text, limits) {
            Ok(value) => return (!made.is_empty()).then_some((value, made)),
            Err(error) if error.kind() == ParseErrorKind::TrailingComma && repairs.has(Repair::TrailingComma) => {
                text.to_mut().remove(error.offset());
                if made.last() != Some(&Repair::TrailingComma) {
                    made.push(Repair::TrailingComma);
                }
            }
            Err(_) => return None,
        }
    }
    None
}

/// What stands between a fence and its end, if the text is that and nothing else.
fn unfenced(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix("```")?.strip_suffix("```")?;
    let (language, body) = inside.split_once('\n')?;
    language.trim().chars().all(|char| char.is_ascii_alphanumeric()).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, repairs: Repairs) -> Result<(String, Vec<Repair>), ParseErrorKind> {
        let mut made = Vec::new();
        let value = parse_repaired(text, &ParseLimits::default(), repairs, &mut made).map_err(|error| error.kind())?;
        Ok((value.to_string(), made.iter().map(Repaired::repair).collect()))
    }

    #[test]
    fn a_fence_or_a_comma_around_whole_json_goes_if_asked_for() {
        let fenced = "```json\n{\"n\": [1, 2,],}\n```";
        assert!(read(fenced, Repairs::none()).is_err());
        assert!(read(fenced, Repairs::none().with(Repair::CodeFence)).is_err());
        let both = Repairs::none().with(Repair::CodeFence).with(Repair::TrailingComma);
        let made = vec![Repair::CodeFence, Repair::TrailingComma];
        assert_eq!(read(fenced, both), Ok((r#"{"n":[1,2]}"#.to_owned(), made)));
    }

    #[test]
    fn whole_json_is_never_touched() {
        for whole in [r#"{"a":"```json\n{}\n```"}"#, r#"{"a":"b,}"}"#, "[1,2]"] {
            assert_eq!(read(whole, Repairs::all()), Ok((whole.to_owned(), vec![])));
        }
    }

    #[test]
    fn cut_off_text_is_never_completed() {
        for cut in ["{\"a\": 1,", "{\"a\": [1,", "```json\n{\"a\": 1}", "```json\n{\"a\": 1\n```", "\"{\\\"a\\\": 1"] {
            assert!(read(cut, Repairs::all()).is_err(), "{cut}");
        }
    }

    #[test]
    fn an_object_comes_out_of_a_string_once() {
        let once = r#""{\"glob\":\"src/**\"}""#;
        assert_eq!(read(once, Repairs::all()), Ok((r#"{"glob":"src/**"}"#.to_owned(), vec![Repair::ObjectInString])));
        let twice = serde_json::to_string(once).unwrap();
        assert_eq!(read(&twice, Repairs::all()), Ok((twice.clone(), vec![])));
        assert_eq!(read("\"hello\"", Repairs::all()), Ok(("\"hello\"".to_owned(), vec![])));
    }
}
