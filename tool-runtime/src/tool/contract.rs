//! What must hold of a tool, as constants of its derived impl.
//!
//! A bound on the function that makes a constant is checked where the tool is defined, also in a library that never
//! registers it, and fails with the one message of the missing trait; a supertrait would speak first, in its own words.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Execute, Render, Tool, ToolInput, ToolOutput};
use crate::card::{CallView, DurableResult, Partial, ResultView};
use crate::content::Content;
use crate::json::{DecodeError, Decoder, JsonText, LossyValue};
use crate::schema::{Schema, SchemaError};

/// How a tool's arguments are published and decoded.
pub struct Input<T> {
    schema: fn() -> Result<Schema, SchemaError>,
    pub(crate) decode: fn(Decoder<'_>) -> Result<T, DecodeError>,
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
}

/// A tool that has a body for the state `S`: every type with an `impl Execute<S>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no body for the state `{S}`",
    label = "no `impl Execute<{S}> for {Self}`",
    note = "write `impl Execute<{S}> for {Self}` (of a type with `#[derive(Tool)]`), or register it with the state that its body takes: `registry.with(state).tool::<{Self}>()?`, or with `with_shared` if that is an `Arc` of it"
)]
pub trait HasBody<S>: Execute<S> {}

#[diagnostic::do_not_recommend]
impl<S, T: Execute<S>> HasBody<S> for T {}

/// A tool that says what the model reads: every type with an `impl Render`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what the model reads",
    label = "no `impl Render for {Self}`",
    note = "write `impl Render for {Self}`, or ask for a ready one with `#[tool(render = json)]` or `#[tool(render = display)]`"
)]
pub trait HasProjection: Tool {
    /// Named by generated code, which so asks for the trait in the fewest words.
    #[doc(hidden)]
    const RENDER: fn(&Self, &Self::Output) -> Content;
}

#[diagnostic::do_not_recommend]
impl<T: Render> HasProjection for T {
    const RENDER: fn(&Self, &Self::Output) -> Content = T::render;
}

/// How the model reads a tool's value.
pub struct Projection<T: Tool> {
    pub(crate) render: fn(&T, &T::Output) -> Content,
}

impl<T: Tool> Projection<T> {
    /// The type's own [`Render`].
    pub const fn of() -> Self
    where
        T: HasProjection,
    {
        Self { render: T::RENDER }
    }
}

/// How a user interface shows a tool's calls and values; made by the module of those who do.
pub struct Presentation<T: Tool> {
    pub(crate) meta: fn(&T, &T::Output) -> Result<JsonText, LossyValue>,
    /// Of the meta's type.
    pub(crate) version: u32,
    pub(crate) call_view: fn(&T) -> Option<CallView>,
    pub(crate) pending_view: fn(&Partial<'_>) -> Option<CallView>,
    pub(crate) result_view: fn(&T, &DurableResult<'_>) -> Option<ResultView>,
}

/// What `#[tool(manual)]` asks of the type: that it reads itself from JSON, and publishes its own schema.
///
/// It holds of every type that implements serde's `Deserialize` and schemars' `JsonSchema`.
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

/// A type that can stand inside a tool's arguments.
///
/// It holds of every type that implements serde's `Deserialize` and schemars' `JsonSchema`; `#[tool_input]` derives both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a part of a tool's arguments yet",
    label = "put `#[tool_input]` on `{Self}`",
    note = "`#[tool_input]` above the definition of `{Self}` lets it be read; a type of another crate needs that crate's serde and schemars features"
)]
pub trait InputPart {
    /// Named by generated code, which so asks for the trait in the fewest words.
    #[doc(hidden)]
    const PART: ();
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> InputPart for T {
    const PART: () = ();
}

/// A type parameter of a tool whose arguments hold values of it.
///
/// An `impl` for such a tool names it, as the derived ones do: `impl<T: Parameter> Execute for Count<T>`. It holds of every
/// type that is `DeserializeOwned + JsonSchema + Send + Sync + 'static`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read from a tool's arguments: it has no bounds",
    label = "`{Self}` has no bounds here",
    note = "bound the parameter in each `impl` for the tool: `{Self}: tool_runtime::Parameter`"
)]
pub trait Parameter: DeserializeOwned + JsonSchema + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + Sync + 'static> Parameter for T {}

/// A type that can stand inside an output.
///
/// It holds of every type that implements serde's `Serialize` and `Deserialize` and schemars' `JsonSchema`;
/// `#[tool_output]` derives them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a part of an output yet",
    label = "put `#[tool_output]` on `{Self}`",
    note = "`#[tool_output]` above the definition of `{Self}` lets it be written and read; a type of another crate needs that crate's serde and schemars features"
)]
pub trait OutputPart {
    /// As [`InputPart::PART`].
    #[doc(hidden)]
    const PART: ();
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema> OutputPart for T {
    const PART: () = ();
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
