//! Schemas: what a type publishes, what a foreign server hands over, and the check of values against either.
//!
//! Every schema is JSON Schema [2020-12](https://json-schema.org/draft/2020-12), except foreign ones that say draft-07.
//! What is published is what is checked: a [`Schema`] and the validator that enforces it come from the same document.
//!
//! What generation fixes:
//!
//! * Properties stand in the order in which the type declares them, and the same type gives the same bytes.
//! * There is no `$schema`: 2020-12 is the default dialect of every reader of tool schemas (MCP says so since 2025-11),
//!   and a published schema is embedded in larger documents. The root has no generated `title` either.
//! * Integers carry the bounds of their Rust type as `minimum` and `maximum`, `f32` its finite range. No format is
//!   published that neither JSON Schema nor `OpenAPI` defines. Formats that are published are enforced, but for
//!   `idn-email`, `idn-hostname`, `byte`, `binary` and `password`, which are notes to readers; in foreign schemas all
//!   formats are notes.
//! * Objects are closed (`additionalProperties` or `unevaluatedProperties` is `false`), maps are not, and a type may ask
//!   to stay open. `{"type": "object"}` alone is what an empty struct gives, so it is closed; a hand-written schema that
//!   means any object says `"additionalProperties": true`.
//! * References are `#/$defs/Name` with names of `[A-Za-z0-9_.-]+`; a recursive root stands in `$defs` too.
//!
//! # How values are checked
//!
//! A schema is compiled once into a program, at registration or, where one look shows that it compiles, at the first call. A
//! typed value is checked against it in the same pass that writes its JSON; only what no single pass can tell is read back
//! from its own text, and only that part: arrays of unique items or with `contains`, objects with patterns of keys or with
//! more than 64 properties, objects that several schemas describe at once (a flattened enum), and untagged objects that
//! neither a tag nor their first key tells apart. Arguments, and the values of dynamic tools, are checked as trees by the
//! same program. What it refuses is explained by a walk over schema and value.
//!
//! Programs know every keyword of 2020-12 and draft-07 that checks a value, but `unevaluatedItems`, `$dynamicRef`, the format
//! `regex`, and classes such as `\p{L}` in patterns. A schema that uses one of these is refused at registration with its
//! place, unless the cargo feature `foreign-schemas` brings the `jsonschema` crate.
//!
//! The names in a [`Violation`] are JSON Pointers ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)).

mod aliases;
mod canonical;
mod closing;
mod contract;
mod definitions;
mod dialect;
mod document;
#[cfg(feature = "mcp-bridge")]
mod embed;
#[cfg(any(feature = "foreign-schemas", test))]
mod engine;
mod explain;
mod flattened;
mod foreign;
mod format;
mod generate;
mod graph;
mod hidden;
mod keyed;
mod keywords;
mod large_stack;
mod markers;
mod meta;
mod normalise;
mod number;
mod order;
mod overlap;
mod pattern;
mod plain;
mod program;
mod projected;
mod references;
mod root;
mod secrets;
mod strict;
mod suggest;
#[cfg(test)]
mod tests;
mod two_way;
mod unsupported;
mod validator;
mod violation;
mod whole_floats;

pub use document::Schema;
#[cfg(feature = "mcp-bridge")]
pub(crate) use embed::embedded;
pub use violation::{SchemaError, Violation};

#[doc(hidden)]
pub use flattened::{Flattened, FlattenedBefore, FlattenedLast, FlattenedOption};
#[doc(hidden)]
pub use generate::input_schema;
pub(crate) use generate::output_schema;
pub(crate) use graph::names;
#[doc(hidden)]
pub use hidden::type_of;
#[doc(hidden)]
pub use keyed::Keyed;
#[doc(hidden)]
pub use markers::{mark_never_null, mark_open};
pub(crate) use references::Names;
pub(crate) use secrets::{Hides, Secrets};
#[doc(hidden)]
pub use strict::strict_schema;
pub(crate) use suggest::nearest;
#[doc(hidden)]
pub use two_way::TwoWay;
pub(crate) use validator::{Checkable, Validator};
pub(crate) use violation::Side;
