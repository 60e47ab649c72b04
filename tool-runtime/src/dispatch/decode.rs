//! Decode: bounded parse, repairs if they are asked for, the dialect's decoder, schema, typed arguments.

use std::borrow::Cow;
use std::sync::Arc;

use super::refusal::{invalid_arguments, panicked};
use super::spoken::Spoken;
use super::{Dispatch, Limits};
use crate::definition::{CheckedArguments, Definition};
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::panics::contain;
use crate::repair::{Repaired, Repairs, mend, parse_repaired};
use crate::schema::{Hides, Violation};
use crate::tool::Call;

/// The call with its typed arguments. What policies see of them stays in the dispatch.
pub(super) fn decode(
    definition: &Definition,
    dispatch: &mut Dispatch<'_>,
    limits: &Limits,
    repairs: Repairs,
) -> Result<Call, ToolError> {
    let mut spoken = Spoken::of(definition, dispatch)?;
    if let Some(call) = decode_text(definition, dispatch, spoken.as_ref(), limits) {
        return Ok(call);
    }
    let mut made = Vec::new();
    let read = read(dispatch.text, limits, repairs, &mut made, definition.input.secrets().is_some());
    dispatch.trace.repaired(made);
    let mut json = read?;
    if let Some(spoken) = &mut spoken {
        let sent = definition.input.secrets().map(|_| json.clone());
        json = spoken.decode(json).inspect_err(|_| {
            // What the dialect says of it may quote it.
            if let Some(sent) = &sent {
                dispatch.learn_arguments(definition, sent, Hides::Everything);
            }
        })?;
    }
    let told =
        |violation: &Violation| spoken.as_ref().map_or_else(|| violation.to_string(), |spoken| spoken.told(violation));
    definition.input.resolve_aliases(&mut json);
    if let Err(violations) = definition.input.check(&json) {
        let mended = mend(&mut json, &definition.input, repairs, &limits.arguments);
        if mended.is_empty() {
            dispatch.learn_arguments(definition, &json, Hides::Everything);
            return Err(invalid_arguments(violations.iter().map(told)));
        }
        dispatch.trace.repaired(mended);
    }
    definition.input.settle_whole_floats(&mut json);
    dispatch.learn_arguments(definition, &json, Hides::Declared);
    let tree = Arc::new(json);
    let arguments = dispatch.arguments.insert(CheckedArguments::Tree(Arc::clone(&tree)));
    let decoded = contain(|| definition.tool.decode(arguments, &mut dispatch.head));
    if !matches!(decoded, Ok(Ok(_))) {
        dispatch.arguments = None;
    }
    match decoded {
        Ok(Ok(call)) => Ok(call),
        Ok(Err(violation)) => Err(invalid_arguments([told(&unquoted(definition, &tree, violation))])),
        Err(panic) => Err(panicked(&definition.name, &panic)),
    }
}

/// The same for arguments that a policy puts in the place of those that were sent.
///
/// # Errors
/// All that is wrong with them; the call is as it was.
pub(super) fn redecode(
    definition: &Definition,
    dispatch: &mut Dispatch<'_>,
    mut json: JsonValue,
) -> Result<(), Vec<String>> {
    let told = |violations: Vec<Violation>| violations.iter().map(ToString::to_string).collect::<Vec<_>>();
    let checked = definition.input.check(&json);
    let hides = if checked.is_ok() { Hides::Declared } else { Hides::Everything };
    dispatch.learn_arguments(definition, &json, hides);
    checked.map_err(told)?;
    definition.input.settle_whole_floats(&mut json);
    let Some(call) = &dispatch.call else { return Ok(()) };
    let arguments = CheckedArguments::Tree(Arc::new(json));
    let mut head = call.head();
    match contain(|| definition.tool.decode(&arguments, &mut head)) {
        Ok(Ok(call)) => {
            dispatch.call = Some(call);
            dispatch.arguments = Some(arguments);
            Ok(())
        }
        Ok(Err(violation)) => Err(vec![unquoted(definition, arguments.tree(), violation).to_string()]),
        Err(panic) => Err(vec![format!("reading them panicked: {panic}")]),
    }
}

/// Arguments that are right as they stand need no tree. Of others the tree tells what is wrong, and may be mended.
fn decode_text(
    definition: &Definition,
    dispatch: &mut Dispatch<'_>,
    spoken: Option<&Spoken<'_>>,
    limits: &Limits,
) -> Option<Call> {
    let sent = dispatch.text.filter(|text| text.len() <= limits.arguments.max_bytes)?;
    let own = spoken.map_or(Some(Cow::Borrowed(sent)), |spoken| spoken.own_text(sent))?;
    if !definition.input.holds_in(&own, &limits.arguments) {
        return None;
    }
    let arguments = CheckedArguments::text(own);
    if definition.input.secrets().is_some() {
        dispatch.learn_arguments(definition, arguments.tree(), Hides::Declared);
    }
    let arguments = dispatch.arguments.insert(arguments);
    contain(|| definition.tool.decode(arguments, &mut dispatch.head)).ok()?.ok()
}

/// What a type's own decoder says of a secret may quote it.
fn unquoted(definition: &Definition, arguments: &JsonValue, violation: Violation) -> Violation {
    let pointer = violation.pointer();
    match definition.input.secrets() {
        Some(secrets) if secrets.hides(arguments, pointer) => {
            let message = format!("\"{pointer}\" can't be read, and is not shown, since it is a secret");
            Violation::new(pointer.clone(), message)
        }
        _ => violation,
    }
}

/// Providers send nothing, empty text or `null` for a tool that takes no arguments.
fn read(
    arguments: Option<&str>,
    limits: &Limits,
    repairs: Repairs,
    made: &mut Vec<Repaired>,
    has_secrets: bool,
) -> Result<JsonValue, ToolError> {
    let empty = || JsonValue::Object(serde_json::Map::new());
    match arguments.map(str::trim_ascii) {
        None | Some("") => Ok(empty()),
        Some(_) => match parse_repaired(arguments.unwrap_or_default(), &limits.arguments, repairs, made) {
            Ok(JsonValue::Null) => Ok(empty()),
            Ok(json) => Ok(json),
            // Nobody knows what is in such a text.
            Err(error) if has_secrets => Err(invalid_arguments([error.without_quotes()])),
            Err(error) => Err(invalid_arguments([error.to_string()])),
        },
    }
}
