//! Decode: bounded parse, schema, typed arguments.

use std::sync::Arc;

use super::Limits;
use crate::definition::{Arguments, Definition};
use crate::error::{Code, Effects, Retry, ToolError};
use crate::json::{JsonValue, parse};
use crate::panics::contain;

pub(super) fn decode(
    definition: &Definition,
    arguments: Option<&str>,
    limits: &Limits,
) -> Result<Arguments, ToolError> {
    let mut json = read(arguments, limits)?;
    definition.input.resolve_aliases(&mut json);
    definition
        .input
        .check(&json)
        .map_err(|violations| invalid_arguments(violations.iter().map(ToString::to_string)))?;
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
fn read(arguments: Option<&str>, limits: &Limits) -> Result<JsonValue, ToolError> {
    let empty = || JsonValue::Object(serde_json::Map::new());
    match arguments.map(str::trim_ascii) {
        None | Some("") => Ok(empty()),
        Some(_) => match parse(arguments.unwrap_or_default(), &limits.arguments) {
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
