//! What `#[tool_output]` and `#[tool_input]` say of a type or a field, written into its schema for the time until that is
//! published. schemars hands a transform the schema and not the contract it is for, so the decision waits.

/// What each mark begins with.
pub(super) const PREFIX: &str = "x-tool-";

/// The type takes properties that it does not declare.
pub(super) const OPEN: &str = "x-tool-open";

/// The field is left out where it is `None`, so it is never written as `null`.
pub(super) const NEVER_NULL: &str = "x-tool-never-null";

/// The other names that a field of the arguments is read under.
pub(super) const ALIASES: &str = "x-tool-aliases";

/// A flattened field that is no object; says what it is.
pub(super) const NO_OBJECT: &str = "x-tool-no-object";

/// A variant of an untagged enum; says its name.
pub(super) const VARIANT: &str = "x-tool-variant";

/// The type refuses keys that it does not know.
pub(super) const STRICT: &str = "x-tool-strict";

/// The type must see every key of an object to tell what it is.
pub(super) const SEES_ALL: &str = "x-tool-sees-all";

/// A field that refuses the keys of those that are flattened after it; says its type.
pub(super) const REFUSES_LATER: &str = "x-tool-refuses-later";

/// A field that refuses the keys that those flattened before it leave; says its type.
pub(super) const REFUSES_EARLIER: &str = "x-tool-refuses-earlier";

/// A field that leaves its keys to those that are flattened after it; says its type.
pub(super) const LEAVES_KEYS: &str = "x-tool-leaves-keys";

/// The type of a field, with what an alias hides from the macros, as schemars identifies it.
pub(super) const TYPE: &str = "x-tool-type";

/// A map whose keys do not print as text; says what they are.
pub(super) const NO_TEXT_KEY: &str = "x-tool-no-text-key";

/// What the field holds is a secret.
pub(super) const SECRET: &str = "x-tool-secret";

/// The field is part of the canonical input; says its key, if that is not its name.
pub(super) const CANONICAL: &str = "x-tool-canonical";

/// Marks a type's objects as open; for `#[schemars(transform = …)]`.
pub fn mark_open(schema: &mut schemars::Schema) {
    schema.insert(OPEN.to_owned(), true.into());
}

/// Marks a field as never null; for `#[schemars(transform = …)]`.
pub fn mark_never_null(schema: &mut schemars::Schema) {
    schema.insert(NEVER_NULL.to_owned(), true.into());
}
