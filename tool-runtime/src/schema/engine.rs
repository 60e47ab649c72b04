//! The seam over the `jsonschema` crate: no type of it appears anywhere else.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, PatternOptions, ValidationError, ValidationOptions};
use serde_json::{Value, json};

use super::references::pointer;
use super::violation::{Violation, clipped, in_schema, quoted, shown};
use crate::json::Pointer;

/// Limit of a compiled regular expression, in bytes; what an alternation of some thousand words takes.
const MAX_REGEX: usize = 1 << 21;

/// The dialects of JSON Schema that are supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Draft07,
    Draft202012,
}

impl Dialect {
    fn draft(self) -> Draft {
        match self {
            Self::Draft07 => Draft::Draft7,
            Self::Draft202012 => Draft::Draft202012,
        }
    }
}

/// A compiled schema.
pub(super) struct Engine(jsonschema::Validator);

impl Engine {
    /// Compiles a schema whose shape the survey has found sound; `formats` says whether formats are enforced.
    pub(super) fn compile(schema: &Value, dialect: Dialect, formats: bool) -> Result<Self, Violation> {
        match options(dialect, formats).build(schema) {
            Ok(validator) => Ok(Self(validator)),
            Err(error) => Err(schema_violation(&error)),
        }
    }

    pub(super) fn is_valid(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Where a value breaks the schema first, and the keyword that it breaks.
    pub(super) fn first_fault(&self, value: &Value) -> Option<(Pointer, String)> {
        let error = self.0.validate(value).err()?;
        Some((pointer(error.instance_path().as_str()), error.kind().keyword().to_owned()))
    }
}

fn options(dialect: Dialect, formats: bool) -> ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(dialect.draft())
        .should_validate_formats(formats)
        .with_pattern_options(PatternOptions::regex().size_limit(MAX_REGEX).dfa_size_limit(MAX_REGEX))
        .offline()
}

/// A check of strings against one `pattern` or `format`.
pub(super) fn string_check(keyword: &str, argument: &str) -> Option<Engine> {
    Engine::compile(&json!({keyword: argument}), Dialect::Draft202012, true).ok()
}

/// Whether the linear-time engine takes `pattern`.
pub(super) fn is_regular(pattern: &str) -> bool {
    string_check("pattern", pattern).is_some()
}

/// Everything that the meta-schema of the dialect says about a schema.
pub(super) fn meta_violations(schema: &Value, dialect: Dialect) -> Vec<Violation> {
    let validator = match dialect {
        Dialect::Draft07 => jsonschema::draft7::meta::validator(),
        Dialect::Draft202012 => jsonschema::draft202012::meta::validator(),
    };
    validator.iter_errors(schema).map(|error| schema_violation(&error)).collect()
}

fn schema_violation(error: &ValidationError<'_>) -> Violation {
    let at = pointer(error.instance_path().as_str());
    let keyword = at.as_str().rsplit('/').next().unwrap_or_default().to_owned();
    let got = shown(error.instance());
    let what = match error.kind() {
        ValidationErrorKind::AnyOf { .. } if keyword == "type" => format!(
            "must be one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\" and \"string\", or a list \
             of them, got {got}"
        ),
        ValidationErrorKind::Type { kind } => {
            format!("must be {}, got {got}{}", type_words(kind), hint(&keyword, error.instance()))
        }
        ValidationErrorKind::Enum { options } => format!("must be one of {options}, got {got}"),
        ValidationErrorKind::MinItems { limit } => format!("must have at least {limit} items"),
        ValidationErrorKind::UniqueItems => "must not name anything twice".to_owned(),
        ValidationErrorKind::Minimum { limit } => format!("must be at least {limit}, got {got}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("must be greater than {limit}, got {got}"),
        ValidationErrorKind::Format { format } => format!("must be a valid {format}, got {got}"),
        ValidationErrorKind::Pattern { pattern } => format!("must match {}, got {got}", quoted(pattern)),
        ValidationErrorKind::Referencing(problem) => {
            format!("has a reference that cannot be followed: {}", clipped(&problem.to_string(), 300))
        }
        other => format!("breaks the rule {} of the meta-schema, got {got}", quoted(other.keyword())),
    };
    let message = format!("{} {what}", in_schema(&at));
    Violation::new(at, message)
}

/// What older drafts allowed and these do not.
fn hint(keyword: &str, got: &Value) -> &'static str {
    match (keyword, got) {
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => {
            "; only draft-04 has booleans here, write the bound itself"
        }
        ("required", Value::Bool(_)) => "; list the name in the \"required\" of the object around it",
        _ => "",
    }
}

fn type_words(kind: &TypeKind) -> String {
    let word = |kind: &str| super::keywords::type_word(kind);
    match kind {
        TypeKind::Single(kind) => word(&kind.to_string()),
        TypeKind::Multiple(kinds) => {
            let words: Vec<String> = kinds.iter().map(|kind| word(&kind.to_string())).collect();
            words.join(" or ")
        }
    }
}
