//! What `#[tool_output]` and `#[tool_input]` say of a type or a field, written into its schema for the time until that is
//! published. schemars hands a transform the schema and not the contract it is for, so the decision waits.

/// The type takes properties that it does not declare.
pub(super) const OPEN: &str = "x-tool-open";

/// The field is left out where it is `None`, so it is never written as `null`.
pub(super) const NEVER_NULL: &str = "x-tool-never-null";

/// The other names that a field of the arguments is read under.
pub(super) const ALIASES: &str = "x-tool-aliases";

/// A flattened field that is no object; says what it is.
pub(super) const NO_OBJECT: &str = "x-tool-no-object";

/// A map whose keys do not print as text; says what they are.
pub(super) const NO_TEXT_KEY: &str = "x-tool-no-text-key";

/// Marks a type's objects as open; for `#[schemars(transform = …)]`.
pub fn mark_open(schema: &mut schemars::Schema) {
    schema.insert(OPEN.to_owned(), true.into());
}

/// Marks a field as never null; for `#[schemars(transform = …)]`.
pub fn mark_never_null(schema: &mut schemars::Schema) {
    schema.insert(NEVER_NULL.to_owned(), true.into());
}
