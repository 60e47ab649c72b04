//! Schemas that someone else wrote: judged as a whole before they are compiled.

use serde_json::{Map, Value};

use super::keywords::Keywords as _;

use super::dialect::Dialect;
use super::graph::{self, Survey};
use super::keywords::{self, children};
use super::pattern::Pattern;
use super::violation::{Side, Violation, in_schema, quoted, shown};
use super::{meta, root, unsupported};
use crate::json::Pointer;

/// The survey of a schema that this module generated, or what hand-written parts of it got wrong.
pub(super) fn judge_generated(schema: &Value) -> Result<Survey, Vec<Violation>> {
    let survey = graph::survey(schema)?;
    let mut violations = meta::violations(schema, Dialect::Draft202012, Some(&survey.names));
    // Where things stand is only spelt out where there is something to look at.
    if keywords::any(schema, &|node| wants_look(node, Dialect::Draft202012, true)) {
        check_keywords(schema, &Pointer::root(), Dialect::Draft202012, true, &mut violations);
    }
    if violations.is_empty() { Ok(survey) } else { Err(violations) }
}

/// A foreign schema's dialect and survey, or everything that is wrong with it.
pub(super) fn judge(raw: &Value, side: Side) -> Result<(Dialect, Survey), Vec<Violation>> {
    let may_be = raw.is_object() || (raw.is_boolean() && side == Side::Output);
    if !may_be {
        let message = format!("the schema must be an object, got {}", shown(raw));
        return Err(vec![Violation::new(Pointer::root(), message)]);
    }
    let (dialect, mut violations) = dialect_of(raw);
    let survey = match graph::survey(raw) {
        Ok(survey) => Some(survey),
        // Too deep or too large for what follows.
        Err(found) if graph::deeper_than(raw, graph::MAX_DEPTH).is_some() => return Err(found),
        Err(found) => {
            violations.extend(found);
            None
        }
    };
    violations.extend(meta::violations(raw, dialect, survey.as_ref().map(|survey| &survey.names)));
    check_keywords(raw, &Pointer::root(), dialect, false, &mut violations);
    match survey {
        Some(survey) => {
            if side == Side::Input && !root::refusals(raw, &survey.names).is_empty() {
                let message =
                    "the schema must say \"type\": \"object\" at its root: the arguments of a tool are an object";
                violations.push(Violation::new(Pointer::root(), message));
            }
            if violations.is_empty() { Ok((dialect, survey)) } else { Err(distinct(violations)) }
        }
        None => Err(distinct(violations)),
    }
}

fn distinct(violations: Vec<Violation>) -> Vec<Violation> {
    let mut kept: Vec<Violation> = Vec::with_capacity(violations.len());
    for violation in violations {
        // Several rules of the meta-schema may say the same of one place.
        if !kept.contains(&violation) {
            kept.push(violation);
        }
    }
    kept
}

fn dialect_of(raw: &Value) -> (Dialect, Vec<Violation>) {
    let Some(named) = raw.get("$schema") else { return (Dialect::Draft202012, Vec::new()) };
    match named.as_str().and_then(known_dialect) {
        Some(dialect) => (dialect, Vec::new()),
        None => (Dialect::Draft202012, vec![unknown_dialect(&Pointer::root().child("$schema"), named)]),
    }
}

fn known_dialect(uri: &str) -> Option<Dialect> {
    let uri = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
    match uri.strip_suffix('#').unwrap_or(uri) {
        "json-schema.org/draft-07/schema" => Some(Dialect::Draft07),
        "json-schema.org/draft/2020-12/schema" => Some(Dialect::Draft202012),
        _ => None,
    }
}

fn unknown_dialect(at: &Pointer, named: &Value) -> Violation {
    let message = format!(
        "{} must be \"https://json-schema.org/draft/2020-12/schema\" or \"http://json-schema.org/draft-07/schema#\", got {}",
        in_schema(at),
        shown(named)
    );
    Violation::new(at.clone(), message)
}

/// Whether [`check_keywords`] may have something to say of this schema.
fn wants_look(node: &Map<String, Value>, dialect: Dialect, formats: bool) -> bool {
    ["pattern", "patternProperties", "$id", "$schema"].iter().any(|keyword| node.says(keyword))
        || node.look("enum").and_then(Value::as_array).is_some_and(Vec::is_empty)
        || unsupported::unknown(node, dialect, formats).is_some()
}

/// What the meta-schemas let pass: the depth of `schema` is bounded.
fn check_keywords(schema: &Value, pointer: &Pointer, dialect: Dialect, formats: bool, violations: &mut Vec<Violation>) {
    let Value::Object(node) = schema else { return };
    if let Some(keyword) = unsupported::unknown(node, dialect, formats)
        && cfg!(not(feature = "foreign-schemas"))
    {
        violations.push(unsupported::refusal(keyword, pointer));
    }
    if node.look("enum").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        let at = pointer.child("enum");
        violations
            .push(Violation::new(at.clone(), format!("{} must not be empty: no value could match", in_schema(&at))));
    }
    if let Some(Value::String(pattern)) = node.look("pattern") {
        check_pattern(pattern, &pointer.child("pattern"), violations);
    }
    if let Some(Value::Object(patterns)) = node.look("patternProperties") {
        let at = pointer.child("patternProperties");
        patterns.keys().for_each(|pattern| check_pattern(pattern, &at.child(pattern), violations));
    }
    if !pointer.as_str().is_empty() {
        check_nested(node, pointer, violations);
    }
    for child in children(node, pointer) {
        check_keywords(child.schema, &child.pointer, dialect, formats, violations);
    }
}

fn check_pattern(pattern: &str, at: &Pointer, violations: &mut Vec<Violation>) {
    if Pattern::compile(pattern).is_none() {
        let remedy = unsupported::pattern_remedy(pattern);
        let message = format!(
            "{} must be a regular expression that runs in linear time and bounded space (no look-around, no back-references), got {}{remedy}",
            in_schema(at),
            quoted(pattern)
        );
        violations.push(Violation::new(at.clone(), message));
    }
}

fn check_nested(node: &Map<String, Value>, pointer: &Pointer, violations: &mut Vec<Violation>) {
    if let Some(Value::String(id)) = node.look("$id")
        && !id.starts_with('#')
    {
        let at = pointer.child("$id");
        let message =
            format!("{} makes a document of its own inside of the schema, which is not supported", in_schema(&at));
        violations.push(Violation::new(at, message));
    }
    if node.says("$schema") {
        let at = pointer.child("$schema");
        let message = format!("{} is only supported at the root", in_schema(&at));
        violations.push(Violation::new(at, message));
    }
}
