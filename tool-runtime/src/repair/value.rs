//! Repairs of single values, led by the schema.

use super::{Repair, Repaired, Repairs};
use crate::json::{self, JsonValue, ParseLimits, Pointer, parse};
use crate::schema::{Validator, Violation};

/// More than this are no slips.
const MAX_REPAIRS: usize = 64;

/// One way to read a text that the schema refuses.
struct Reading {
    repair: Repair,
    /// The value that it stands for; none if it stands for being left out.
    value: Option<JsonValue>,
}

/// Repairs arguments that a schema refuses: all of it, or nothing.
pub(crate) fn mend(
    arguments: &mut JsonValue,
    input: &Validator,
    repairs: Repairs,
    limits: &ParseLimits,
) -> Vec<Repaired> {
    if repairs == Repairs::none() {
        return Vec::new();
    }
    if repairs.has(Repair::NoneTaken) && arguments.is_object() && input.takes_none() {
        *arguments = JsonValue::Object(serde_json::Map::new());
        return vec![Repaired::new(Repair::NoneTaken, Pointer::root())];
    }
    let mut mended = arguments.clone();
    let mut made = Vec::new();
    while let Err(violations) = input.check(&mended) {
        let found = violations.iter().find_map(|violation| only_reading(&mended, violation, input, repairs, limits));
        let Some((reading, pointer)) = found.filter(|_| made.len() < MAX_REPAIRS) else { return Vec::new() };
        made.push(Repaired::new(reading.repair, pointer.clone()));
        apply(&mut mended, &pointer, reading.value);
    }
    *arguments = mended;
    made
}

/// The one reading of the text at a violation that the schema accepts there, if there is exactly one.
fn only_reading(
    arguments: &JsonValue,
    violation: &Violation,
    input: &Validator,
    repairs: Repairs,
    limits: &ParseLimits,
) -> Option<(Reading, Pointer)> {
    let pointer = violation.pointer();
    if pointer.is_root() {
        // The whole object in a string is a repair of its own, made before, and once.
        return None;
    }
    let text = arguments.pointer(pointer.as_str())?.as_str()?;
    let mut readings = readings(text, repairs, limits).into_iter().filter(|reading| {
        let mut tried = arguments.clone();
        apply(&mut tried, pointer, reading.value.clone());
        accepts(input, &tried, pointer)
    });
    let only = readings.next()?;
    readings.next().is_none().then(|| (only, pointer.clone()))
}

/// Whether nothing at a place, or in it, is refused any more.
fn accepts(input: &Validator, arguments: &JsonValue, place: &Pointer) -> bool {
    let within = |at: &Pointer| {
        at.as_str().strip_prefix(place.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    match input.check(arguments) {
        Ok(()) => true,
        Err(violations) => !violations.iter().any(|violation| within(violation.pointer())),
    }
}

fn readings(text: &str, repairs: Repairs, limits: &ParseLimits) -> Vec<Reading> {
    let mut readings = Vec::new();
    if let Ok(value) = parse(text, limits) {
        let repair = match &value {
            JsonValue::Array(_) | JsonValue::Object(_) => Some(Repair::ContainerInString),
            JsonValue::Number(_) | JsonValue::Bool(_) if is_canonical(&value, text) => Some(Repair::ScalarInString),
            _ => None,
        };
        if let Some(repair) = repair.filter(|repair| repairs.has(*repair)) {
            readings.push(Reading { repair, value: Some(value) });
        }
    }
    if matches!(text, "" | "null") && repairs.has(Repair::AbsentInString) {
        readings.push(Reading { repair: Repair::AbsentInString, value: None });
    }
    readings
}

/// Whether JSON spells the value so, and not `9e1` or ` 5 `.
fn is_canonical(value: &JsonValue, text: &str) -> bool {
    json::write(value).is_ok_and(|written| written.as_str() == text)
}

/// Puts a value in a place, or takes out what is there; an item of a list can't be left out, so it becomes null.
fn apply(arguments: &mut JsonValue, place: &Pointer, value: Option<JsonValue>) {
    let Some(value) = value else { return leave_out(arguments, place) };
    if let Some(target) = arguments.pointer_mut(place.as_str()) {
        *target = value;
    }
}

fn leave_out(arguments: &mut JsonValue, place: &Pointer) {
    let segments: Vec<_> = place.segments().collect();
    let Some((last, parents)) = segments.split_last() else { return };
    let parent = parents.iter().fold(Pointer::root(), |pointer, segment| pointer.child(segment));
    match arguments.pointer_mut(parent.as_str()) {
        Some(JsonValue::Object(entries)) => {
            entries.shift_remove(last.as_ref());
        }
        Some(JsonValue::Array(_)) => apply(arguments, place, Some(JsonValue::Null)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::Side;

    fn validator() -> Validator {
        let schema = json!({
            "type": "object",
            "properties": {
                "tags": {"type": "array", "items": {"type": "string"}},
                "opts": {"type": "object", "properties": {"deep": {"type": "boolean"}}, "additionalProperties": false},
                "note": {"type": "string"},
                "secs": {"type": "integer", "minimum": 0},
                "dry": {"type": "boolean"},
                "mode": {"enum": ["Fast", "Slow"]},
                "n": {"type": ["integer", "null"]},
                "either": {"type": ["integer", "boolean"]},
                "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
            },
            "required": ["note"],
            "additionalProperties": false,
        });
        Validator::foreign(&schema, Side::Input).unwrap().1
    }

    fn mended(arguments: JsonValue, repairs: Repairs) -> (JsonValue, Vec<String>) {
        let mut arguments = arguments;
        let made = mend(&mut arguments, &validator(), repairs, &ParseLimits::default());
        (arguments, made.iter().map(|made| format!("{} {}", made.pointer(), made.repair())).collect())
    }

    fn unchanged(arguments: &JsonValue, repairs: Repairs) {
        assert_eq!(mended(arguments.clone(), repairs), (arguments.clone(), vec![]), "{arguments}");
    }

    #[test]
    fn containers_come_out_of_strings_only_where_the_schema_wants_them() {
        let repairs = Repairs::none().with(Repair::ContainerInString);
        let sent = json!({"tags": "[\"a\",\"b\"]", "opts": "{\"deep\":true}", "note": "[1,2]"});
        let (arguments, made) = mended(sent.clone(), repairs);
        assert_eq!(arguments, json!({"tags": ["a", "b"], "opts": {"deep": true}, "note": "[1,2]"}));
        assert_eq!(
            made,
            ["/tags took an array or object out of a string", "/opts took an array or object out of a string"]
        );
        unchanged(&sent, Repairs::none());
        unchanged(&json!({"tags": "a,b", "opts": "", "note": ""}), repairs);
        unchanged(&json!({"tags": "[1]", "note": ""}), repairs);
    }

    #[test]
    fn scalars_come_out_of_strings_in_their_one_spelling() {
        let repairs = Repairs::none().with(Repair::ScalarInString);
        let (arguments, _) = mended(json!({"secs": "90", "dry": "false", "note": "5"}), repairs);
        assert_eq!(arguments, json!({"secs": 90, "dry": false, "note": "5"}));
        for spelling in ["9e1", " 5 ", "05", "+5", "-5", "5.5", "yes", ""] {
            unchanged(&json!({"secs": spelling, "note": ""}), repairs);
        }
        unchanged(&json!({"mode": "fast", "note": ""}), repairs);
        assert_eq!(mended(json!({"either": "1", "note": ""}), repairs).0, json!({"either": 1, "note": ""}));
    }

    #[test]
    fn empty_text_is_left_out_where_no_text_is_allowed() {
        let repairs = Repairs::none().with(Repair::AbsentInString);
        let (arguments, made) = mended(json!({"n": "", "secs": "null", "note": "null"}), repairs);
        assert_eq!(arguments, json!({"note": "null"}));
        assert_eq!(made.len(), 2);
        unchanged(&json!({"n": "", "note": 5}), repairs);
    }

    #[test]
    fn what_a_tool_without_arguments_is_sent_is_left_out() {
        let repairs = Repairs::none().with(Repair::NoneTaken);
        let none = json!({"type": "object", "properties": {}, "additionalProperties": false});
        let none = Validator::foreign(&none, Side::Input).unwrap().1;
        let mend = |sent: JsonValue, input: &Validator| {
            let mut arguments = sent;
            let made = mend(&mut arguments, input, repairs, &ParseLimits::default());
            (arguments, made.len())
        };
        assert_eq!(mend(json!({"random_string": "x"}), &none), (json!({}), 1));
        assert_eq!(mend(json!(["x"]), &none), (json!(["x"]), 0));
        let misspelt = json!({"note": "", "secz": 1});
        assert_eq!(mend(misspelt.clone(), &validator()), (misspelt, 0));
    }

    #[test]
    fn repairs_reach_into_lists_and_happen_all_or_not_at_all() {
        let rows = json!({"rows": [{"n": "1"}, {"n": 2}], "note": ""});
        assert_eq!(mended(rows, Repairs::all()).0, json!({"rows": [{"n": 1}, {"n": 2}], "note": ""}));
        unchanged(&json!({"rows": [{"n": "1"}, {"n": "x"}], "note": ""}), Repairs::all());
    }
}
