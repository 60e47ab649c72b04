//! Texts that a constrained decoder generated under the lowered schemas: see `tests/oracles/draw_llguidance.py`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::definitions::path;
use super::{STRICT, Trial, arguments, as_json_schema, lowered, opened};
use crate::shape::Shape;
use crate::subject::Outcome;

/// How many texts of a hundred may be no instances of the lowered schema, as another validator judges it.
const STRAYS: usize = 5;

/// Reads back what was generated for each shape: it is taken, or refused for something that a loss names.
pub(crate) fn hold(shapes: &[Shape], file: &str, directory: &Path) {
    let (mut faults, mut tried, mut strays) = (String::new(), 0, 0);
    for dialect in STRICT {
        let drawn = fs::read_to_string(path(directory, dialect, &format!("{file}.drawn"))).expect("it was drawn");
        let drawn: Vec<Value> = serde_json::from_str(&drawn).expect("a list of tools");
        for (shape, subject) in opened(shapes) {
            let Ok(spoken) = lowered(&subject, dialect) else { continue };
            let texts = drawn.iter().find(|tool| tool["tool"] == shape.name).and_then(|tool| tool["texts"].as_array());
            let schema = as_json_schema(arguments(spoken.lowered.definition()), false);
            let trial = Trial::new(shape, &subject, &spoken, schema);
            let texts = texts.expect("something was drawn for each");
            assert!(!texts.is_empty(), "nothing was drawn for {} in {dialect:?}", shape.name);
            for text in texts.iter().filter_map(Value::as_str) {
                tried += 1;
                match trial.text_is_taken(text) {
                    Ok(true) => {}
                    Ok(false) => strays += 1,
                    Err(fault) => writeln!(faults, "{} in {dialect:?}: {fault}", shape.name).expect("a string"),
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(strays * 100 <= tried * STRAYS, "{strays} of {tried} texts are no instances");
    println!("{tried} texts of {file}, {strays} of them no instances");
}

impl Trial<'_> {
    /// `false` if another validator finds that the lowered schema refuses it.
    fn text_is_taken(&self, text: &str) -> Result<bool, String> {
        let sent: Value = match serde_json::from_str(text) {
            Ok(sent) => sent,
            Err(error) if error.to_string().contains("number out of range") => {
                return self.is_refused_for_a_number(text).map(|()| true);
            }
            Err(error) => return Err(format!("{text} is no JSON: {error}")),
        };
        if !self.oracle.is_valid(&sent) {
            return Ok(false);
        }
        self.is_taken_or_named(&sent, &(self.spoken.say)(text)).map(|()| true)
    }

    /// JSON has numbers that no float of 64 bits is near, and a schema has no word for them.
    fn is_refused_for_a_number(&self, text: &str) -> Result<(), String> {
        match (self.spoken.say)(text) {
            Outcome::Refused { code, violations } if code == "INVALID_ARGS" => {
                let is_told = violations.iter().any(|violation| violation.contains("than a 64-bit float"));
                is_told.then_some(()).ok_or_else(|| format!("{text} is refused: {violations:?}"))
            }
            outcome => Err(format!("{text} is read as {outcome:?}")),
        }
    }
}
