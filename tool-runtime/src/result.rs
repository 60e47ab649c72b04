//! How a call ended: a success with its value, or a failure without one.

mod receipt;
mod trace;

pub(crate) use receipt::Course;
pub use receipt::{Next, Outcome, Receipt, Stage};
pub use trace::{Decision, Rewritten, Trace, Verdict};

use std::any::Any;
use std::borrow::Cow;
use std::fmt;

use crate::card::DurableResult;
use crate::content::{Content, CutTo};
use crate::error::{Code, Effects, Retry, ToolError};
use crate::json::{JsonText, JsonValue};
use crate::tool::{Call, CanonicalValue};

/// The one final result of a call.
///
/// Neither side can be built by hand: a success holds a value that was checked, a failure holds none.
#[derive(Debug)]
#[must_use = "a result may be a failure, and holds what the model is to read"]
pub enum ToolResult {
    /// The body's value was accepted, and no policy withheld it.
    Success(Success),
    /// Anything else.
    Failure(Failure),
}

/// A call that succeeded.
#[derive(Debug)]
pub struct Success {
    pub(crate) call: Call,
    pub(crate) value: CanonicalValue,
    pub(crate) content: Content,
    pub(crate) meta: Option<Box<Presented>>,
    pub(crate) contexts: Vec<Content>,
    pub(crate) concludes_turn: bool,
    pub(crate) course: Course,
    pub(crate) trace: Trace,
}

/// A call that failed. As an error it shows the sentence for the model.
#[derive(Debug)]
pub struct Failure {
    pub(crate) call: Call,
    pub(crate) error: ToolError,
    pub(crate) content: Content,
    pub(crate) meta: Option<Box<Presented>>,
    pub(crate) contexts: Vec<Content>,
    pub(crate) course: Course,
    pub(crate) stage: Stage,
    pub(crate) trace: Trace,
}

/// Meta with the version of its type.
#[derive(Debug)]
pub(crate) struct Presented {
    pub(crate) meta: JsonValue,
    pub(crate) version: u32,
}

macro_rules! common {
    ($($type:ident),*) => {$(
        impl $type {
            /// The caller's id of the call.
            pub fn call_id(&self) -> &str {
                self.call.id()
            }

            /// The name under which the tool was called.
            pub fn tool_name(&self) -> &str {
                self.call.tool_name()
            }

            /// The id of the call whose body made this one; none if a model or a host made it.
            pub fn parent_call_id(&self) -> Option<&str> {
                self.call.parent().map(Call::id)
            }

            /// The id of the call that a model or a host made: its own, or that of the one it is nested in.
            pub fn root_call_id(&self) -> &str {
                self.call.root().id()
            }

            /// What the model reads.
            pub fn content(&self) -> &Content {
                &self.content
            }

            /// What a user interface draws from, if the tool presents anything.
            pub fn meta(&self) -> Option<&JsonValue> {
                self.meta.as_deref().map(|presented| &presented.meta)
            }

            /// The version of the meta's type, [`Present::VERSION`](crate::Present::VERSION); 1 if there is no meta.
            pub fn meta_version(&self) -> u32 {
                self.meta.as_deref().map_or(1, |presented| presented.version)
            }

            /// Messages that the host appends after the result: first the tool's, then the policies' in their order.
            pub fn contexts(&self) -> &[Content] {
                &self.contexts
            }

            /// What the policies decided, and what the framework had to leave out.
            pub fn trace(&self) -> &Trace {
                &self.trace
            }
        }
    )*};
}

common!(Success, Failure);

impl Success {
    /// The canonical value as JSON text. For programs: it holds its secrets.
    pub fn value(&self) -> &JsonText {
        self.value.text()
    }

    /// The canonical value as JSON text with `[secret]` in the place of every secret: for a log, a model or a user interface.
    ///
    /// It is the value itself where there are no secrets. Where there are, a place may hold a text that its schema has
    /// something else for.
    pub fn shown_value(&self) -> &JsonText {
        self.value.shown()
    }

    /// The canonical value itself.
    pub fn canonical(&self) -> &CanonicalValue {
        &self.value
    }

    /// The typed value, for who knows its type; a dynamic tool's is a [`JsonValue`].
    pub fn value_as<T: Any>(&self) -> Option<&T> {
        self.value.downcast_ref()
    }

    /// Whether the tool asked to end the turn.
    pub fn concludes_turn(&self) -> bool {
        self.concludes_turn
    }
}

impl Failure {
    /// What went wrong.
    pub fn error(&self) -> &ToolError {
        &self.error
    }

    /// The error's code.
    pub fn code(&self) -> &Code {
        self.error.code()
    }

    /// Whether the run can't go on: the model reads nothing of it, so its content and contexts are empty.
    pub fn is_fatal(&self) -> bool {
        self.error.is_fatal()
    }

    /// What went wrong, to hand on from a body that called this tool; `?` in a body does the same.
    ///
    /// The code stays, and so does that it is fatal. What was true of the nested call alone goes: that nothing was changed, and
    /// that the call may be corrected or tried again. If it had not run, since it was cancelled or too late, the body that
    /// hands it on has.
    pub fn into_error(self) -> ToolError {
        let Self { call, error, .. } = self;
        let error = match error.code() {
            code if *code == Code::ABORTED_BEFORE_DISPATCH => ToolError::aborted(),
            code if *code == Code::TIMEOUT && !call.body().was_entered() => {
                let message =
                    format!("the time was over before tool {:?} ran, which this tool calls", call.tool_name());
                ToolError::new(Code::TIMEOUT, message)
            }
            _ => error,
        };
        let error = match error.known_effects() {
            Effects::None => error.effects(Effects::Unknown),
            _ => error,
        };
        match error.retry_advice() {
            Retry::Safe | Retry::Corrected => error.retry(Retry::Unspecified),
            _ => error,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]: {}", self.tool_name(), self.code(), self.error)
    }
}

impl std::error::Error for Failure {}

impl ToolResult {
    /// Whether it is a success.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Success(_))
    }

    /// The success, if it is one.
    pub fn success(&self) -> Option<&Success> {
        match self {
            Self::Success(success) => Some(success),
            Self::Failure(_) => None,
        }
    }

    /// The failure, if it is one.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Success(_) => None,
            Self::Failure(failure) => Some(failure),
        }
    }

    /// The success or the failure, for `?`.
    ///
    /// # Errors
    /// The failure.
    #[expect(clippy::result_large_err, reason = "the two sides are of one size, and neither is on a hot path")]
    pub fn into_result(self) -> Result<Success, Failure> {
        match self {
            Self::Success(success) => Ok(success),
            Self::Failure(failure) => Err(failure),
        }
    }

    /// The caller's id of the call.
    pub fn call_id(&self) -> &str {
        match self {
            Self::Success(success) => success.call_id(),
            Self::Failure(failure) => failure.call_id(),
        }
    }

    /// The name under which the tool was called.
    pub fn tool_name(&self) -> &str {
        match self {
            Self::Success(success) => success.tool_name(),
            Self::Failure(failure) => failure.tool_name(),
        }
    }

    /// The id of the call whose body made this one; none if a model or a host made it.
    pub fn parent_call_id(&self) -> Option<&str> {
        self.call().parent().map(Call::id)
    }

    /// The id of the call that a model or a host made: its own, or that of the one it is nested in.
    pub fn root_call_id(&self) -> &str {
        self.call().root().id()
    }

    pub(crate) fn call(&self) -> &Call {
        match self {
            Self::Success(success) => &success.call,
            Self::Failure(failure) => &failure.call,
        }
    }

    /// What the model reads; empty, if the run has ended with it. [`Self::for_model`] tells the two apart.
    pub fn content(&self) -> &Content {
        match self {
            Self::Success(success) => success.content(),
            Self::Failure(failure) => failure.content(),
        }
    }

    /// What a log keeps of the content: of a result for a model, just what the model reads, which is within the limits
    /// already; of one for a program, which gets it whole, a copy that is cut to this many bytes, its notice included.
    ///
    /// Whoever replays a log shows what stands in it. Nothing is cut or spilled again.
    pub fn logged_content(&self, limit_bytes: usize) -> Cow<'_, Content> {
        let content = self.content();
        if !self.course().is_for_program() || content.size() <= limit_bytes {
            return Cow::Borrowed(content);
        }
        let limits = CutTo { text: limit_bytes, all: limit_bytes };
        Cow::Owned(content.cut(limits, |left_out| left_out.told(limit_bytes)).content)
    }

    /// What to send to the model as the result of its call, or the [fatal](crate::Severity::Fatal) failure that the run has
    /// ended with, of which nothing is sent.
    ///
    /// A host that sends what this gives sends no message for a fatal failure by accident.
    ///
    /// ```
    /// # use tool_runtime::{Failure, ToolResult};
    /// # fn send(call_id: &str, text: String) {}
    /// fn tell(result: &ToolResult) -> Result<(), &Failure> {
    ///     let content = result.for_model()?;
    ///     send(result.call_id(), content.to_text());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// The failure, if it is fatal. Any other has content for the model.
    pub fn for_model(&self) -> Result<&Content, &Failure> {
        match self.fatal() {
            Some(fatal) => Err(fatal),
            None => Ok(self.content()),
        }
    }

    /// The failure that the run can't go on from, if this is one.
    pub fn fatal(&self) -> Option<&Failure> {
        self.failure().filter(|failure| failure.is_fatal())
    }

    /// What a user interface draws from, if the tool presents anything.
    pub fn meta(&self) -> Option<&JsonValue> {
        match self {
            Self::Success(success) => success.meta(),
            Self::Failure(failure) => failure.meta(),
        }
    }

    /// The version of the meta's type, [`Present::VERSION`](crate::Present::VERSION); 1 if there is no meta. The log keeps it
    /// beside the meta.
    pub fn meta_version(&self) -> u32 {
        match self {
            Self::Success(success) => success.meta_version(),
            Self::Failure(failure) => failure.meta_version(),
        }
    }

    /// What a log keeps of it, from which its card is drawn.
    pub fn durable(&self) -> DurableResult<'_> {
        let durable = match self {
            Self::Success(success) => DurableResult::success(success.content()),
            Self::Failure(failure) => DurableResult::failure(failure.content()),
        };
        match self.meta() {
            Some(meta) => durable.with_meta(meta, self.meta_version()),
            None => durable,
        }
    }

    /// Messages that the host appends after the result.
    pub fn contexts(&self) -> &[Content] {
        match self {
            Self::Success(success) => success.contexts(),
            Self::Failure(failure) => failure.contexts(),
        }
    }

    /// What the policies decided, and what the framework had to leave out.
    pub fn trace(&self) -> &Trace {
        match self {
            Self::Success(success) => success.trace(),
            Self::Failure(failure) => failure.trace(),
        }
    }

    /// Leaves nothing for the model in a failure that ends the run, whatever a policy put there.
    pub(crate) fn silence_fatal(&mut self) {
        if let Self::Failure(failure) = self
            && failure.is_fatal()
        {
            failure.content = Content::default();
            failure.contexts = Vec::new();
        }
    }

    pub(crate) fn course(&self) -> Course {
        match self {
            Self::Success(success) => success.course,
            Self::Failure(failure) => failure.course,
        }
    }

    pub(crate) fn content_mut(&mut self) -> &mut Content {
        match self {
            Self::Success(success) => &mut success.content,
            Self::Failure(failure) => &mut failure.content,
        }
    }

    pub(crate) fn contexts_mut(&mut self) -> &mut Vec<Content> {
        match self {
            Self::Success(success) => &mut success.contexts,
            Self::Failure(failure) => &mut failure.contexts,
        }
    }

    pub(crate) fn trace_mut(&mut self) -> &mut Trace {
        match self {
            Self::Success(success) => &mut success.trace,
            Self::Failure(failure) => &mut failure.trace,
        }
    }
}
