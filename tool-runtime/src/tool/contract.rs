//! What must hold of a tool, as constants of its derived impl.
//!
//! A bound on the function that makes a constant is checked where the tool is defined, also in a library that never
//! registers it, and fails with the one message of the missing trait; a supertrait would speak first, in its own words.

use std::fmt;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{Render, Tool, ToolInput, ToolOutput};
use crate::content::Content;
use crate::json::{DecodeError, Decoder, JsonText, LossyValue};
use crate::schema::{Schema, SchemaError};

/// How a tool's arguments are published and decoded.
pub struct Input<T> {
    schema: fn() -> Result<Schema, SchemaError>,
    decode: fn(Decoder<'_>) -> Result<T, DecodeError>,
}

impl<T> Input<T> {
    /// Those of the type's own [`ToolInput`].
    pub const fn of() -> Self
    where
        T: ToolInput,
    {
        Self { schema: T::input_schema, decode: T::decode }
    }

    pub(crate) fn schema(&self) -> fn() -> Result<Schema, SchemaError> {
        self.schema
    }

    pub(crate) fn decoder(&self) -> fn(Decoder<'_>) -> Result<T, DecodeError> {
        self.decode
    }
}

/// How the model reads a tool's value.
pub struct Projection<T: Tool> {
    render: fn(&T, &T::Output) -> Content,
}

impl<T: Tool> Projection<T> {
    /// The type's own [`Render`].
    pub const fn of() -> Self
    where
        T: Render,
    {
        Self { render: T::render }
    }

    pub(crate) fn render(&self, arguments: &T, value: &T::Output) -> Content {
        (self.render)(arguments, value)
    }
}

/// How a user interface shows a tool's value; made by the module of those who do.
pub struct Presentation<T: Tool> {
    meta: fn(&T, &T::Output) -> Result<JsonText, LossyValue>,
}

impl<T: Tool> Presentation<T> {
    pub(crate) const fn new(meta: fn(&T, &T::Output) -> Result<JsonText, LossyValue>) -> Self {
        Self { meta }
    }

    pub(crate) fn meta(&self, arguments: &T, value: &T::Output) -> Result<JsonText, LossyValue> {
        (self.meta)(arguments, value)
    }
}

/// What `#[tool(manual)]` asks of the type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is declared `manual`, but lacks its own `Deserialize` or `JsonSchema`",
    label = "needs both `Deserialize` and `JsonSchema`",
    note = "implement both (those of `tool_runtime::serde` and `tool_runtime::schemars`), or drop `manual` and let the derive write them"
)]
pub trait ManualInput: Sized {
    /// The type's own schema.
    #[doc(hidden)]
    fn manual_schema(open: bool) -> Result<Schema, SchemaError>;
    /// The type's own decoder.
    #[doc(hidden)]
    fn manual_decode(arguments: Decoder<'_>) -> Result<Self, DecodeError>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ManualInput for T {
    fn manual_schema(open: bool) -> Result<Schema, SchemaError> {
        crate::schema::input_schema::<T>(open)
    }

    fn manual_decode(arguments: Decoder<'_>) -> Result<Self, DecodeError> {
        T::deserialize(arguments)
    }
}

/// What the type of a field in a tool's arguments must be. Only a check: no supertrait, so that it speaks first.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a part of a tool's arguments yet",
    label = "put `#[tool_input]` on `{Self}`",
    note = "`#[tool_input]` above the definition of `{Self}` lets it be read; a type of another crate needs that crate's serde and schemars features"
)]
pub trait InputPart {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> InputPart for T {}

/// What the type of a field in an output must be. Only a check, as [`InputPart`] is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a part of an output yet",
    label = "put `#[tool_output]` on `{Self}`",
    note = "`#[tool_output]` above the definition of `{Self}` lets it be written and read; a type of another crate needs that crate's serde and schemars features"
)]
pub trait OutputPart {}

#[diagnostic::do_not_recommend]
impl<T: serde::Serialize + DeserializeOwned + JsonSchema> OutputPart for T {}

/// The schema of a `manual` tool's arguments.
pub fn manual_input_schema<T: ManualInput>(open: bool) -> Result<Schema, SchemaError> {
    T::manual_schema(open)
}

/// The arguments of a `manual` tool.
pub fn manual_decode<T: ManualInput>(arguments: Decoder<'_>) -> Result<T, DecodeError> {
    T::manual_decode(arguments)
}

/// `render = json`: the value as it is written.
///
/// # Panics
/// If the type writes other JSON than when it was accepted; the pipeline turns that into an invalid output.
pub fn render_json<T: ToolOutput>(value: &T) -> Content {
    Content::json(value).expect("an accepted value is lossless each time it is written")
}

/// `render = display`: the value's own text.
pub fn render_display<T: fmt::Display>(value: &T) -> Content {
    Content::text(value.to_string())
}

impl<T> fmt::Debug for Input<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Input")
    }
}

impl<T: Tool> fmt::Debug for Projection<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Projection")
    }
}

impl<T: Tool> fmt::Debug for Presentation<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Presentation")
    }
}
