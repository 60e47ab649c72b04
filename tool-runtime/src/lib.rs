//! **Write a tool once, as Rust types. Get its schemas, its checked value, and every projection of that value.**
//!
//! A tool is called by a language model, by a program, or by a person, and each wants to see something else. Here the body
//! returns one canonical value of the declared type; what the model reads, what a user interface draws and what a program
//! gets are pure functions of it, and the compiler refuses a tool that breaks the contract.
//!
//! ```
//! use tool_runtime::prelude::*;
//!
//! /// Count the words of a text.
//! #[derive(Tool)]
//! #[tool(output = Count, read_only, parallel)]
//! struct CountWords {
//!     /// The text.
//!     text: String,
//! }
//!
//! #[tool_output]
//! struct Count {
//!     words: usize,
//! }
//!
//! impl Execute for CountWords {
//!     async fn execute(&self, _: &Context) -> Result<Count, ToolError> {
//!         Ok(Count { words: self.text.split_whitespace().count() })
//!     }
//! }
//!
//! impl Render for CountWords {
//!     fn render(&self, count: &Count) -> Content {
//!         Content::text(format!("{} words", count.words))
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), RegistrationError> {
//! let mut registry = Registry::new();
//! registry.tool::<CountWords>()?;
//! let dispatcher = Dispatcher::new(registry);
//!
//! let result = dispatcher.call(ToolCall::new("call-1", "count_words", r#"{"text": "to be or not"}"#)).await;
//! assert_eq!(result.content().to_text(), "4 words");
//! assert_eq!(result.success().unwrap().value().as_str(), r#"{"words":4}"#);
//!
//! let result = dispatcher.call(ToolCall::new("call-2", "count_words", r#"{"txt": "to be"}"#)).await;
//! assert_eq!(
//!     result.content().to_text(),
//!     "Error [INVALID_ARGS]: invalid arguments: missing required property \"/text\"; \"/txt\" is not a declared property \
//!      (additionalProperties: false); did you mean \"text\"?"
//! );
//! # Ok(())
//! # }
//! ```
//!
//! - [`Tool`], [`Execute`], [`Render`], [`Present`]: what an author writes.
//! - [`Registry`], [`Dispatcher`], [`ToolResult`]: what a host calls.
//! - [`Cards`]: what a user interface draws. [`present`]: the cards.
//! - [`PostPolicy`], [`TypedPolicy`], [`PostDecision`]: what a host decides after a call.
//! - [`DynamicTool`]: tools whose shape is known only at run time.
//! - [`session`]: a log of what happened, its replay and its repair.
//! - [`ToolFailure`]: failures as types. [`Code`]: every failure's code.

mod card;
mod content;
mod definition;
pub mod dialect;
mod dispatch;
mod error;
pub mod json;
#[cfg(any(feature = "mcp-bridge", feature = "mcp-server"))]
pub mod mcp;
mod panics;
mod policy;
pub mod present;
mod registry;
mod repair;
mod result;
pub mod schema;
pub mod seam;
mod secret;
pub mod session;
#[cfg(feature = "spill")]
pub mod spill;
#[cfg(feature = "terminal")]
pub mod terminal;
pub mod testing;
mod tool;

pub use content::{
    Annotations, Audience, Audio, Block, Content, Image, Resource, ResourceBody, ResourceLink, Text, retain,
};
pub use definition::{CanonicalInput, DynamicTool, ToolSpec};
pub use dispatch::layer;
pub use dispatch::{Batch, CallOptions, Dispatcher, Limits, Recorded, SpillFile, TextProfile, ToolCall, ToolLimits};
pub use error::{Code, Effects, FailureSpec, InvalidCode, Retry, Severity, ToolError, ToolFailure};
pub use json::JsonValue;
pub use policy::{
    FailureDecision, Guard, InvalidRepeats, PolicyCall, PostDecision, PostPolicy, PreDecision, PrePolicy, Repeats,
    TypedPolicy,
};
pub use present::Present;
pub use registry::{
    Cards, Overrides, Problem, RegistrationError, Registry, Restriction, RestrictionError, RestrictionKey, ToolKey,
    WithState,
};
pub use repair::{Repair, Repaired, Repairs};
pub use result::{Decision, Failure, Next, Outcome, Receipt, Rewritten, Stage, Success, ToolResult, Trace, Verdict};
pub use seam::{
    Approval, ApprovalRequest, Approver, Observer, SpillError, SpillSource, SpillStore, SpillWriter, Spilled,
};
pub use tool::{
    Access, Behaviour, Body, Cancellation, CanonicalValue, Context, Execute, Invoke, Parameter, Progress,
    ProgressReceiver, ProgressSender, ProgressUpdate, Render, Resources, Tool, ToolInput, ToolOutput, progress_channel,
};

pub use {schemars, serde, serde_json};

/// What the runtime asks of a type, as bounds that hold by themselves of every type that implements what they are for.
///
/// A bound on the trait itself would let the compiler list everything else that implements it. [`Registers`](bounds::Registers)
/// and [`Follows`](bounds::Follows) are asked of the registry and of the dispatcher.
pub mod bounds {
    pub use crate::dispatch::{CallArguments, Follows};
    pub use crate::error::{FailureDetail, FailureSource};
    pub use crate::policy::PolicyFor;
    pub use crate::present::{AsksToPresent, HasPresentation};
    pub use crate::registry::Registers;
    pub use crate::tool::{AsksForResources, HasBody, HasProjection, HasResources, InputPart, ManualInput, OutputPart};
}

#[cfg(feature = "derive")]
pub use tool_derive::{Tool, ToolFailure, tool_input, tool_output};

/// Everything that a file with tools needs: `use tool_runtime::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Access, Approval, ApprovalRequest, Approver, Behaviour, CallOptions, Cancellation, Code, Content, Context,
        Dispatcher, DynamicTool, Effects, Execute, Failure, FailureDecision, Guard, JsonValue, Limits, Overrides,
        PolicyCall, PostDecision, PostPolicy, PreDecision, PrePolicy, Present, RegistrationError, Registry, Render,
        Resources, Restriction, Retry, Success, TextProfile, Tool, ToolCall, ToolError, ToolFailure, ToolInput,
        ToolOutput, ToolResult, TypedPolicy, toolset,
    };
    #[cfg(feature = "derive")]
    pub use crate::{tool_input, tool_output};
}

/// What generated code touches, and nothing else may: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use schemars;
    pub use serde;
    #[cfg(feature = "derive")]
    pub use tool_derive::ToolOutputContract;

    pub use crate::content::Content;
    pub use crate::error::{Detail, caused, tell};
    pub use crate::json::{DecodeError, Decoder};
    pub use crate::registry::{
        NameOf, Toolset, Unnamed, repeated_name, repeated_name_length, repeated_name_message, repeated_name_text,
    };
    pub use crate::schema::{
        Flattened, FlattenedBefore, FlattenedLast, FlattenedOption, Keyed, Schema, SchemaError, TwoWay, input_schema,
        mark_never_null, mark_open, strict_schema, type_of,
    };
    pub use crate::tool::{
        AssumedInput, AssumedOutput, Claim, Input, Manual, ManualInput, PartSchema, Presentation, Projection, Text,
        Unread, UnreadPart, render_display, render_json,
    };
}
