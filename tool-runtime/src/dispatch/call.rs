//! What a caller hands over.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::tool::{Call, Cancellation, ProgressSender};

/// A call as a model makes it: an id, a name, and arguments as JSON text.
///
/// Each may be borrowed or owned; a host that owns what its provider sent hands it over without a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
    pub(super) arguments: Option<Cow<'a, str>>,
}

impl<'a> ToolCall<'a> {
    /// A call with arguments, as the provider sent them. Empty text and `null` mean `{}`.
    pub fn new(id: impl Into<Cow<'a, str>>, name: impl Into<Cow<'a, str>>, arguments: impl Into<Cow<'a, str>>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: Some(arguments.into()) }
    }

    /// A call without arguments, which means `{}`.
    pub fn without_arguments(id: impl Into<Cow<'a, str>>, name: impl Into<Cow<'a, str>>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: None }
    }

    /// The same call, with texts of its own: to keep it, or to send it to another task.
    pub fn into_owned(self) -> ToolCall<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        ToolCall { id: own(self.id), name: own(self.name), arguments: self.arguments.map(own) }
    }

    /// The caller's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name of the tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as they were sent.
    pub fn arguments(&self) -> Option<&str> {
        self.arguments.as_deref()
    }
}

/// A call as it goes into the pipeline.
pub(super) struct Incoming<'a> {
    pub(super) id: String,
    pub(super) name: &'a str,
    /// The arguments as they were sent.
    pub(super) arguments: Option<&'a str>,
    pub(super) options: CallOptions,
    pub(super) by: Caller,
    /// The call whose body made it.
    pub(super) parent: Option<Box<Call>>,
}

/// Who makes a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    Model,
    /// A host's code, or a body's.
    Program,
}

/// How long a call may go on.
#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    /// The caller's way to cancel it.
    pub cancellation: Cancellation,
    /// When it must be over; a tool's own time limit may end it earlier.
    pub deadline: Option<Instant>,
    /// Where its body reports how far it is: see [`progress_channel`](crate::progress_channel).
    pub progress: Option<ProgressSender>,
}

/// An id for a call that a program makes, unique in the process.
pub(super) fn program_call_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("program-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}
