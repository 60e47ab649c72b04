//! What an author implements: a tool is its arguments, a body, and a projection for the model.

mod assumed;
mod behaviour;
mod body;
mod call;
mod cancellation;
mod context;
mod contract;
mod output;
mod progress;
mod resources;
mod value;

pub use assumed::{AssumedInput, AssumedOutput, Manual, PartSchema, Text, Unread, UnreadPart};
pub use behaviour::Behaviour;
pub use body::Body;
pub(crate) use call::{Call, CallHead, Deferred, Host};
pub use cancellation::Cancellation;
pub use context::Context;
pub use contract::{
    HasBody, HasProjection, Input, InputPart, ManualInput, OutputPart, Parameter, Presentation, Projection,
    render_display, render_json,
};
pub use output::ToolOutput;
pub use progress::{Progress, ProgressReceiver, ProgressSender, ProgressUpdate, progress_channel};
pub use resources::{Access, AsksForResources, Claim, HasResources, Resources};
pub use value::CanonicalValue;

use std::future::Future;

use serde::Serialize;

use crate::content::Content;
use crate::error::{FailureSpec, ToolError};
use crate::json::{DecodeError, Decoder, JsonText, LossyValue};
use crate::schema::{Schema, SchemaError};

/// A tool: the type of its arguments, with a name, a description, a declared output and facts about its behaviour.
///
/// `#[derive(Tool)]` implements it; the attributes are listed there. What the derive can't write is the body
/// ([`Execute`]) and what the model reads ([`Render`], or `render = json` / `render = display`):
///
/// ```
/// use tool_runtime::prelude::*;
///
/// /// Add two integers.
/// #[derive(Tool)]
/// #[tool(output = Sum)]
/// struct Add {
///     /// The first summand.
///     a: i64,
///     /// The second summand.
///     b: i64,
/// }
///
/// #[tool_output]
/// struct Sum {
///     sum: i64,
/// }
///
/// impl Execute for Add {
///     async fn execute(&self, _: &Context) -> Result<Sum, ToolError> {
///         let sum = self.a.checked_add(self.b).ok_or_else(|| ToolError::msg("the sum does not fit in 64 bits"))?;
///         Ok(Sum { sum })
///     }
/// }
///
/// impl Render for Add {
///     fn render(&self, value: &Sum) -> Content {
///         Content::text(format!("{} + {} = {}", self.a, self.b, value.sum))
///     }
/// }
/// # let mut registry = Registry::new();
/// # registry.tool::<Add>().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "a tool is the type of its arguments: put `#[derive(Tool)]` and `#[tool(output = …)]` on it"
)]
pub trait Tool: Sized + Send + Sync + 'static {
    /// What the body returns on success: a type with `#[tool_output]`, or one that is an output as it is.
    type Output: ToolOutput;

    /// The name under which a model calls it, unless a registration overrides it.
    const NAME: &'static str;
    /// The name that a person reads.
    const TITLE: Option<&'static str>;
    /// What the tool does, for the model.
    const DESCRIPTION: &'static str;
    /// What is known of its behaviour.
    const BEHAVIOUR: Behaviour;
    /// The failures that it names, a list for each type of them.
    const FAILURES: &'static [&'static [FailureSpec]] = &[];

    /// How arguments are published and decoded. Written by the derive; it stands here so that a type that does not
    /// decode is refused where the tool is defined.
    #[doc(hidden)]
    const INPUT: Input<Self>;
    /// How the model reads the value. Written by the derive.
    #[doc(hidden)]
    const PROJECTION: Projection<Self>;
    /// How a user interface shows it. Written by the derive.
    #[doc(hidden)]
    const PRESENTATION: Option<Presentation<Self>>;
    /// How its calls say what they touch. Written by the derive if they do: most don't, and their expansion stays small.
    #[doc(hidden)]
    const CLAIM: Option<Claim<Self>> = None;
}

/// The arguments' side of a tool: their schema and their decoder. `#[derive(Tool)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be decoded from a tool's arguments",
    label = "no decoder for these arguments",
    note = "`#[derive(Tool)]` writes it"
)]
pub trait ToolInput: Sized + Send + Sync + 'static {
    /// The published schema of the arguments.
    ///
    /// # Errors
    /// Everything in it that can't be published or checked, at once.
    fn input_schema() -> Result<Schema, SchemaError>;

    /// The typed arguments.
    ///
    /// # Errors
    /// The first place that does not decode.
    fn decode(arguments: Decoder<'_>) -> Result<Self, DecodeError>;
}

/// The body of a tool, for the state `S` that it is registered with.
///
/// Write it as a plain `async fn`. It returns the declared output and nothing else: what the model reads comes from
/// [`Render`], what a user interface shows from [`Present`](crate::Present). It gets `&self` because the arguments
/// outlive the body: the projections see them too.
///
/// A tool with no state has the body `Execute` (that is, `Execute<()>`).
///
/// Cancellation is cooperative first: [`Context::cancelled`] ends when the caller cancels or the time is up, and the
/// future is dropped only after the grace of [`Limits`](crate::Limits). Work that blocks belongs into
/// [`Context::blocking`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no body for the state `{S}`",
    label = "no `impl Execute<{S}> for {Self}`",
    note = "write `impl Execute<{S}> for {Self}` (of a type with `#[derive(Tool)]`), or register it with the state that its body takes: `registry.with(state).tool::<{Self}>()?`, or with `with_shared` if that is an `Arc` of it"
)]
pub trait Execute<S = ()>: Tool {
    /// Runs the tool.
    ///
    /// # Errors
    /// What went wrong, for the model: `?` takes any error, and a [`ToolFailure`](crate::ToolFailure) with its code.
    fn execute(&self, cx: &Context<S>) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}

/// A tool that a program can call with typed arguments, since they can be written as JSON.
///
/// It holds of every tool whose arguments implement serde's `Serialize`; see
/// [`Dispatcher::invoke`](crate::Dispatcher::invoke).
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be called with typed arguments: they can't be written as JSON",
    label = "needs `Serialize`",
    note = "add `#[derive(tool_runtime::serde::Serialize)]` and `#[serde(crate = \"tool_runtime::serde\")]` to `{Self}`, and to each type in its fields"
)]
pub trait Invoke: Tool {
    /// The arguments as JSON.
    ///
    /// # Errors
    /// What JSON can't say.
    fn to_json(&self) -> Result<JsonText, LossyValue>;
}

#[diagnostic::do_not_recommend]
impl<T: Tool + Serialize> Invoke for T {
    fn to_json(&self) -> Result<JsonText, LossyValue> {
        crate::json::write(self)
    }
}

/// What the model reads of a value.
///
/// A pure function of the arguments and the value. It is sync and gets nothing else, so that it can't do I/O, and it runs
/// anew whenever a policy replaces the value. A panic in it makes the call a failure, not a crash.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what the model reads",
    label = "no `impl Render for {Self}`",
    note = "write `impl Render for {Self}`, or ask for a ready one with `#[tool(render = json)]` or `#[tool(render = display)]`"
)]
pub trait Render: Tool {
    /// The content for the model.
    fn render(&self, value: &Self::Output) -> Content;
}
