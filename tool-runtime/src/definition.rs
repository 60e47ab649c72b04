//! The erased tool: one object for typed and dynamic tools, with its schemas compiled.

mod dynamic;
mod spec;
mod typed;

pub use dynamic::DynamicTool;
pub use spec::ToolSpec;
pub(crate) use typed::TypedTool;

use std::any::TypeId;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use crate::content::Content;
use crate::erased::Erased;
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::schema::{Validator, Violation};
use crate::tool::{CallContext, CanonicalValue};

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Checked arguments: as JSON, for policies and logs, and typed, for the tool.
#[derive(Clone)]
pub(crate) struct Arguments {
    pub(crate) json: Arc<JsonValue>,
    pub(crate) typed: Erased,
}

/// A value that is no legal canonical value of its tool: what is wrong with it.
pub(crate) type Refused = Vec<String>;

/// A tool whose types are erased. Arguments and values that it gets back are its own, so its downcasts hold.
pub(crate) trait ErasedTool: Send + Sync {
    /// The type of the arguments, `None` for a dynamic tool.
    fn type_id(&self) -> Option<TypeId>;

    /// The typed form of arguments that the schema accepts.
    fn decode(&self, arguments: &JsonValue) -> Result<Erased, Violation>;

    /// Runs the body, and accepts what it returns.
    fn execute<'a>(
        &'a self,
        arguments: &'a Arguments,
        call: CallContext,
        output: &'a Validator,
    ) -> BoxFuture<'a, Executed>;

    /// Accepts a value that comes back as JSON: checked, decoded, and equal to itself once it is written again.
    fn accept_json(&self, value: &JsonValue, output: &Validator) -> Result<CanonicalValue, Refused>;

    /// Accepts a value that comes back typed; the type is this tool's output.
    fn accept_typed(&self, value: Erased, output: &Validator) -> Result<CanonicalValue, Refused>;

    /// What the model reads.
    fn render(&self, arguments: &Arguments, value: &CanonicalValue) -> Content;

    /// What a user interface draws from.
    fn meta(&self, arguments: &Arguments, value: &CanonicalValue) -> Option<Result<JsonValue, String>>;
}

/// How a body ended: with an error of its own, with a value that was refused, or with an accepted one.
pub(crate) enum Executed {
    Failed(ToolError),
    Refused(Refused),
    Accepted(CanonicalValue),
}

/// A registered tool.
pub(crate) struct Definition {
    pub(crate) spec: ToolSpec,
    pub(crate) name: Arc<str>,
    pub(crate) input: Validator,
    pub(crate) output: Validator,
    pub(crate) tool: Box<dyn ErasedTool>,
    /// The spec as JSON, written when it is first listed.
    pub(crate) listed: OnceLock<Box<str>>,
}

impl Definition {
    /// The spec as JSON: the same bytes each time, for the price of a look.
    pub(crate) fn listed(&self) -> &str {
        // Texts, and schemas that are JSON already: there is nothing that could not be written.
        self.listed.get_or_init(|| serde_json::to_string(&self.spec).unwrap_or_default().into())
    }
}
