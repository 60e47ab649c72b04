//! The erased tool: one object for typed and dynamic tools, with its schemas compiled.

mod arguments;
mod canonical;
mod dynamic;
mod logged;
mod spec;
mod typed;

pub(crate) use arguments::CheckedArguments;
pub use canonical::CanonicalInput;
pub use dynamic::DynamicTool;
pub(crate) use logged::{is_nothing, masked_whole};
pub use spec::ToolSpec;
pub(crate) use typed::TypedTool;

use std::any::{Any, TypeId};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use crate::card::{CallView, DurableResult, Partial, ResultView};
use crate::content::Content;
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::panics::Guarded;
use crate::schema::{Validator, Violation};
use crate::tool::{Access, Call, CallHead, CanonicalValue};

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A value of a tool's output type; a dynamic tool's is a [`JsonValue`].
pub(crate) type TypedValue = Guarded<Box<dyn Any + Send + Sync>>;

/// A value that is no legal canonical value of its tool: what is wrong with it.
pub(crate) type Refused = Vec<String>;

/// A tool whose types are erased. Calls and values that it gets back are its own, so its downcasts hold.
pub(crate) trait ErasedTool: Send + Sync {
    /// The type of the arguments, `None` for a dynamic tool.
    fn type_id(&self) -> Option<TypeId>;

    /// The call with its typed arguments; of a refused one the head stays where it is.
    fn decode(&self, arguments: &CheckedArguments<'_>, head: &mut CallHead) -> Result<Call, Violation>;

    /// Whether there is anything for [`Self::resources`] to tell.
    fn claims(&self) -> bool;

    /// What the call touches, as its author says.
    fn resources(&self, call: &Call) -> Vec<Access>;

    /// Runs the body, and accepts what it returns; `definition` is the tool's own. It borrows nothing, since a layer may keep
    /// it.
    fn execute(&self, definition: Arc<Definition>, call: Call) -> BoxFuture<'static, Executed>;

    /// Accepts a value that comes back as JSON: checked, decoded, and equal to itself once it is written again.
    fn accept_json(&self, value: &JsonValue, output: &Validator) -> Result<CanonicalValue, Refused>;

    /// Accepts a value that comes back typed.
    fn accept_typed(&self, value: TypedValue, output: &Validator) -> Result<CanonicalValue, Refused>;

    /// What the model reads.
    fn render(&self, call: &Call, value: &CanonicalValue) -> Content;

    /// Whether there is anything for [`Self::meta`] to tell.
    fn presents(&self) -> bool;

    /// What a user interface draws from.
    fn meta(&self, call: &Call, value: &CanonicalValue) -> Option<Result<JsonValue, String>>;

    /// The version of the meta's type.
    fn meta_version(&self) -> u32 {
        1
    }

    /// The tool's own card of a call.
    fn call_view(&self, call: &Call) -> Option<CallView> {
        let _ = call;
        None
    }

    /// Its own card of a call whose arguments still stream in.
    fn pending_view(&self, partial: &Partial<'_>) -> Option<CallView> {
        let _ = partial;
        None
    }

    /// Its own card of a result.
    fn result_view(&self, call: &Call, result: &DurableResult<'_>) -> Option<ResultView> {
        let _ = (call, result);
        None
    }
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
    /// Whether any other call may run beside its own; which, its calls may say.
    pub(crate) fn allows_others(&self) -> bool {
        self.spec.behaviour.is_parallel() || self.tool.claims()
    }

    /// The spec as JSON: the same bytes each time, for the price of a look.
    pub(crate) fn listed(&self) -> &str {
        self.listed.get_or_init(|| self.spec.to_json().into())
    }
}
