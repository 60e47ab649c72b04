//! The seam over the `jsonschema` crate, which the feature `foreign-schemas` brings: no type of it appears anywhere else.
//! In tests it is the oracle of our own validator.

use jsonschema::{Draft, PatternOptions, ValidationOptions};
use serde_json::{Value, json};

use super::dialect::Dialect;
use super::graph::MAX_REGEX;
use super::violation::{Violation, clipped};
use crate::json::Pointer;

/// A compiled schema.
pub(super) struct Engine(jsonschema::Validator);

impl Engine {
    /// Compiles a schema whose shape and keywords were found sound; `formats` says whether formats are enforced.
    pub(super) fn compile(schema: &Value, dialect: Dialect, formats: bool) -> Result<Self, Violation> {
        match options(dialect, formats).build(schema) {
            Ok(validator) => Ok(Self(validator)),
            Err(error) => {
                let at = Pointer::parse(error.instance_path().as_str()).unwrap_or_default();
                let message = format!("the schema cannot be compiled: {}", clipped(&error.to_string(), 300));
                Err(Violation::new(at, message))
            }
        }
    }

    pub(super) fn is_valid(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Where a value breaks the schema first, and the keyword that it breaks.
    #[cfg(feature = "foreign-schemas")]
    pub(super) fn first_fault(&self, value: &Value) -> Option<(Pointer, String)> {
        let error = self.0.validate(value).err()?;
        let at = Pointer::parse(error.instance_path().as_str()).unwrap_or_default();
        Some((at, error.kind().keyword().to_owned()))
    }
}

fn options(dialect: Dialect, formats: bool) -> ValidationOptions<'static> {
    let draft = match dialect {
        Dialect::Draft07 => Draft::Draft7,
        Dialect::Draft202012 => Draft::Draft202012,
    };
    jsonschema::options()
        .with_draft(draft)
        .should_validate_formats(formats)
        .with_pattern_options(PatternOptions::regex().size_limit(MAX_REGEX).dfa_size_limit(MAX_REGEX))
        .offline()
}

/// A check of strings against one `pattern` or `format`.
pub(super) fn string_check(keyword: &str, argument: &str) -> Option<Engine> {
    Engine::compile(&json!({keyword: argument}), Dialect::Draft202012, true).ok()
}

/// What the meta-schema of the dialect says.
#[cfg(test)]
pub(super) fn is_valid_schema(schema: &Value, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Draft07 => jsonschema::draft7::meta::is_valid(schema),
        Dialect::Draft202012 => jsonschema::draft202012::meta::is_valid(schema),
    }
}
