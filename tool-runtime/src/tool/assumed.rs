//! How generated code stays silent about a field that can't be read, once the check of its type has spoken.
//!
//! The mirror's impls assume of each field's type what they need of it. A bound over a lifetime is one that the compiler
//! takes on trust where it stands, and asks for only where the impl is used; there a method of the same name, of a trait
//! that everything has, stands in if the bound does not hold.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserializer, Serialize, Serializer};

use super::ManualInput;
use crate::json::{DecodeError, Decoder};
use crate::schema::{Schema, SchemaError};

/// What the mirror of arguments assumes of a field's type.
pub trait AssumedInput<'a>: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> AssumedInput<'_> for T {}

/// What the mirror of an output assumes of a field's type.
pub trait AssumedOutput<'a>: Serialize + DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema> AssumedOutput<'_> for T {}

/// What reads `T` by its own impls, if it has them.
#[derive(Debug)]
pub struct Manual<T>(PhantomData<T>);

impl<T: ManualInput> Manual<T> {
    /// The arguments of a `manual` tool.
    pub fn decode(arguments: Decoder<'_>) -> Result<T, DecodeError> {
        T::manual_decode(arguments)
    }
}

/// What stands in for the functions of a reader where they do not exist.
///
/// The build has failed then; a build that comes as far as to compile one of these fails here.
pub trait Unread {
    /// Evaluated only for a type that one of these is compiled for.
    #[doc(hidden)]
    const COMPILED: () = panic!("arguments that can't be read were to be read");

    /// The published schema.
    fn input_schema() -> Result<Schema, SchemaError> {
        let () = Self::COMPILED;
        unreachable!()
    }

    /// The typed arguments.
    fn decode<T>(_: Decoder<'_>) -> Result<T, DecodeError> {
        let () = Self::COMPILED;
        unreachable!()
    }
}

impl<R> Unread for R {}

/// A text of schemars'.
pub type Text = Cow<'static, str>;

/// The schema of a mirror, as the functions that make it.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PartSchema {
    pub name: fn() -> Text,
    pub id: fn() -> Text,
    pub inline: fn() -> bool,
    pub make: fn(&mut SchemaGenerator) -> schemars::Schema,
}

impl PartSchema {
    /// That of `M`.
    pub fn of<M: JsonSchema>() -> Self {
        Self { name: M::schema_name, id: M::schema_id, inline: M::inline_schema, make: M::json_schema }
    }
}

/// What stands in for the functions of the reader of a part, as [`Unread`] does for those of arguments.
pub trait UnreadPart {
    /// Evaluated only for a type that one of these is compiled for.
    #[doc(hidden)]
    const COMPILED: () = panic!("a value that can't be read or written was to be");

    /// Writes the value.
    ///
    /// # Errors
    /// Those of the serializer.
    fn serialize<T, S: Serializer>(_: &T, _: S) -> Result<S::Ok, S::Error> {
        let () = Self::COMPILED;
        unreachable!()
    }

    /// Reads a value.
    ///
    /// # Errors
    /// Those of the deserializer.
    fn deserialize<'de, T, D: Deserializer<'de>>(_: D) -> Result<T, D::Error> {
        let () = Self::COMPILED;
        unreachable!()
    }

    /// The schema.
    fn schema() -> PartSchema {
        let () = Self::COMPILED;
        unreachable!()
    }
}

impl<R> UnreadPart for R {}
