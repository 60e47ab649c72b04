//! Decode: bounded parse, repairs if they are asked for, schema, typed arguments.

use std::sync::Arc;

use super::Limits;
use crate::definition::{Arguments, Definition};
use crate::error::{Code, Effects, Retry, ToolError};
use crate::json::JsonValue;
use crate::panics::contain;
use crate::repair::{Repaired, Repairs, mend, parse_repaired};

pub(super) fn decode(
    definition: &Definition,
    arguments: Option<&str>,
    limits: &Limits,
    repairs: Repairs,
    made: &mut Vec<Repaired>,
) -> Result<Arguments, ToolError> {
    let mut json = read(arguments, limits, repairs, made)?;
    definition.input.resolve_aliases(&mut json);
    if let Err(violations) = definition.input.check(&json) {
        let mended = mend(&mut json, &definition.input, repairs, &limits.arguments);
        if mended.is_empty() {
            return Err(invalid_arguments(violations.iter().map(ToString::to_string)));
        }
        made.extend(mended);
    }
    definition.input.settle_whole_floats(&mut json);
    match contain(|| definition.tool.decode(&json)) {
        Ok(Ok(typed)) => Ok(Arguments { json: Arc::new(json), typed }),
        Ok(Err(violation)) => Err(invalid_arguments([violation.to_string()])),
        Err(panic) => Err(ToolError::new(
            Code::PANICKED,
            format!("tool {:?} panicked while it read its arguments: {panic}", &*definition.name),
        )
        .effects(Effects::None)
        .retry(Retry::Never)),
    }
}

/// Providers send nothing, empty text or `null` for a tool that takes no arguments.
fn read(
    arguments: Option<&str>,
    limits: &Limits,
    repairs: Repairs,
    made: &mut Vec<Repaired>,
) -> Result<JsonValue, ToolError> {
    let empty = || JsonValue::Object(serde_json::Map::new());
    match arguments.map(str::trim_ascii) {
        None | Some("") => Ok(empty()),
        Some(_) => match parse_repaired(arguments.unwrap_or_default(), &limits.arguments, repairs, made) {
            Ok(JsonValue::Null) => Ok(empty()),
            Ok(json) => Ok(json),
            Err(error) => Err(invalid_arguments([error.to_string()])),
        },
    }
}

/// All that is wrong with arguments, in one error.
pub(super) fn invalid_arguments(violations: impl IntoIterator<Item = String>) -> ToolError {
    let violations: Vec<String> = violations.into_iter().collect();
    ToolError::new(Code::INVALID_ARGS, format!("invalid arguments: {}", violations.join("; ")))
        .effects(Effects::None)
        .retry(Retry::Corrected)
        .details(serde_json::json!({ "violations": violations }))
}
