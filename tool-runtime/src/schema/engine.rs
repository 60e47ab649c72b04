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

    /// Every place where a value breaks the schema.
    #[cfg(test)]
    pub(super) fn faults(&self, value: &Value) -> Vec<(Pointer, Reach)> {
        self.0.iter_errors(value).flat_map(|error| faults_of(&error)).collect()
    }
}

/// How far around its place a fault of the general validator is found by ours.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// In this very place.
    Here,
    /// In this very place, and nothing is told of its parts: the value is of another kind than the schema wants.
    Kind,
    /// In this place or below it.
    Below,
}

/// Whether a schema that takes nothing stands where all properties or their names have theirs; then the object is named.
#[cfg(test)]
fn is_of_properties(schema_path: &str) -> bool {
    ["propertyNames", "additionalProperties", "unevaluatedProperties"]
        .iter()
        .any(|keyword| schema_path.ends_with(keyword))
}

/// Whether a schema that takes nothing stands where items have theirs: then the array has too many.
#[cfg(test)]
fn forbidden_item(schema_path: &str) -> Option<Reach> {
    let mut segments = schema_path.rsplit('/');
    let (last, before) = (segments.next().unwrap_or_default(), segments.next().unwrap_or_default());
    match last {
        "items" | "additionalItems" => Some(Reach::Here),
        // Items that come after one that may not be there are too many too, whatever their own schemas are.
        index if index.parse::<usize>().is_ok() && ["items", "prefixItems"].contains(&before) => Some(Reach::Kind),
        _ => None,
    }
}

#[cfg(test)]
fn parent(at: &Pointer) -> Pointer {
    let parent = at.as_str().rsplit_once('/').map_or("", |(parent, _)| parent);
    Pointer::parse(parent).expect("it is a pointer")
}

/// The places where ours tells a fault of the general validator, which names the object where ours names the property.
#[cfg(test)]
fn faults_of(error: &jsonschema::ValidationError<'_>) -> Vec<(Pointer, Reach)> {
    use jsonschema::error::ValidationErrorKind as Kind;
    let at = Pointer::parse(error.instance_path().as_str()).expect("it is a pointer");
    match error.kind() {
        Kind::Required { property } => vec![(at.child(property.as_str().unwrap_or_default()), Reach::Here)],
        Kind::AdditionalProperties { unexpected } => {
            unexpected.iter().map(|name| (at.child(name), Reach::Here)).collect()
        }
        // Ours goes on with the schema of the rest; and of a key, the fault is told of its property.
        Kind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| (at.child(name), Reach::Below)).collect()
        }
        Kind::PropertyNames { .. } | Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => vec![(at, Reach::Below)],
        Kind::FalseSchema if is_of_properties(error.schema_path().as_str()) => vec![(at, Reach::Below)],
        Kind::FalseSchema => match forbidden_item(error.schema_path().as_str()) {
            Some(reach) => vec![(parent(&at), reach)],
            None => vec![(at, Reach::Here)],
        },
        Kind::Type { .. } | Kind::Enum { .. } | Kind::Constant { .. } => vec![(at, Reach::Kind)],
        _ => vec![(at, Reach::Here)],
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
