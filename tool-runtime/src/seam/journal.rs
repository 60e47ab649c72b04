//! Who keeps what a session must not lose.

use std::fmt;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;

use crate::content::Content;
use crate::error::ToolError;
use crate::result::ToolResult;

/// What a journal is doing.
pub type Recording<'a> = Pin<Box<dyn Future<Output = Result<(), ToolError>> + Send + 'a>>;

/// Keeps the calls of a session, each before its body may run, and its result before anybody gets it.
///
/// It is given for each call, in [`CallOptions`](crate::CallOptions), and the calls that a body makes are kept by the journal of
/// the call that makes them. For each call there is one [`called`](Self::called), and after it, if that was taken, one
/// [`ended`](Self::ended) or [`dropped`](Self::dropped). Calls of a batch are told in their order, and so are their results:
/// what a future is told with counts from when it is first polled.
pub trait Journal: Send + Sync + 'static {
    /// A call may run once this is done. If it fails, the call fails with `LOG_FAILED`, and its body is not entered.
    fn called<'a>(&'a self, call: &'a JournalCall<'a>) -> Recording<'a>;

    /// A call has its result, which its caller gets once this is done. If it fails, the caller gets it all the same, with a warning
    /// in its trace.
    fn ended<'a>(&'a self, call: &'a JournalCall<'a>, end: &'a JournalEnd<'a>) -> Recording<'a>;

    /// Whoever waited for a call has dropped it, so that it gets no result. This must not wait.
    fn dropped(&self, call: &JournalCall<'_>);
}

/// A journal that calls are given. A clone is the same journal.
#[derive(Clone)]
pub struct JournalHandle(Arc<Box<dyn Journal>>); // The box makes it one pointer wide: it is moved with every call.

impl JournalHandle {
    /// A handle of this journal.
    pub fn new(journal: impl Journal) -> Self {
        Self(Arc::new(Box::new(journal)))
    }
}

impl Deref for JournalHandle {
    type Target = dyn Journal;

    fn deref(&self) -> &Self::Target {
        &**self.0
    }
}

impl fmt::Debug for JournalHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JournalHandle")
    }
}

/// A call, as a journal sees it.
#[derive(Clone, Copy, Debug)]
pub struct JournalCall<'a> {
    pub(crate) call_id: &'a str,
    pub(crate) tool_name: &'a str,
    pub(crate) arguments: &'a str,
    pub(crate) nested: Option<(&'a str, &'a str)>,
}

impl<'a> JournalCall<'a> {
    /// The caller's id of the call.
    pub fn call_id(&self) -> &'a str {
        self.call_id
    }

    /// The tool's own name.
    pub fn tool_name(&self) -> &'a str {
        self.tool_name
    }

    /// The arguments: of a call that a model or a host makes, exactly as they were sent; of one that a body makes, as they
    /// were checked.
    pub fn arguments(&self) -> &'a str {
        self.arguments
    }

    /// The id of the call whose body makes this one; none if a model or a host does.
    pub fn parent_call_id(&self) -> Option<&'a str> {
        self.nested.map(|(_, parent)| parent)
    }

    /// The id of the call that a model or a host made, if this is one of those that bodies make within it.
    pub fn root_call_id(&self) -> Option<&'a str> {
        self.nested.map(|(root, _)| root)
    }
}

/// How a call ended, as a journal sees it.
#[derive(Clone, Copy, Debug)]
pub struct JournalEnd<'a> {
    pub(crate) result: &'a ToolResult,
    pub(crate) content: &'a Content,
}

impl<'a> JournalEnd<'a> {
    /// The final result.
    pub fn result(&self) -> &'a ToolResult {
        self.result
    }

    /// The journal's copy of its content: of a call that a body makes, it may be shorter than what the body gets.
    pub fn content(&self) -> &'a Content {
        self.content
    }
}
