//! Calls that a body makes: the same pipeline and the same policies, under the identity, the cancellation and the time of
//! the call that makes them.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;

use super::call::{Caller, Incoming};
use super::{Batch, CallOptions, Dispatcher, Parts, ToolCall, admit};
use crate::content::Block;
use crate::definition::BoxFuture;
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::result::{Course, Failure, Stage, ToolResult, Trace};
use crate::seam::JournalHandle;
use crate::tool::{Call, CallHead, Context, Host, Invoke};

impl<S> Context<S> {
    /// Calls a tool by its name, with arguments as JSON or as its text, and gets its final result.
    ///
    /// It is a dispatch of its own, through the dispatcher (and scope) of this call: policies, guards and approvers judge it,
    /// observers see it. It ends when this call is cancelled or its time is up. Its meta is not made, since nobody is shown
    /// it. What it leaves for after the call (contexts, images, the wish to end the turn) is left by this call.
    ///
    /// Calls may be nested [`Limits::nested_calls`](crate::Limits) deep.
    pub fn call<'a>(
        &'a self,
        name: impl Into<Cow<'a, str>>,
        arguments: impl CallArguments<'a>,
    ) -> Pin<Box<dyn Future<Output = ToolResult> + Send + 'a>> {
        let (name, arguments, parent) = (name.into(), arguments.into_text(), self.parent());
        Box::pin(async move {
            let id = parent.next_call_id();
            let Some((dispatcher, options)) = host(parent) else { return is_over(parent, id, &name) };
            let admitted = dispatcher.admitted(&name, &options, Some(parent));
            let parent = Some(Box::new(parent.clone()));
            let by = Caller::Program;
            let incoming = Incoming { id, name: &name, arguments: Some(&arguments), options, by, parent };
            dispatcher.dispatch(incoming, admitted, None).await
        })
    }

    /// Calls a typed tool, as [`Dispatcher::invoke`] does, and like [`Self::call`] in all else.
    ///
    /// ```
    /// # use tool_runtime::prelude::*;
    /// # /// Count.
    /// # #[derive(Tool, tool_runtime::serde::Serialize)] #[serde(crate = "tool_runtime::serde")]
    /// # #[tool(output = u64, render = display)] struct Count { text: String }
    /// # /// Count twice.
    /// # #[derive(Tool)] #[tool(output = u64, render = display)] struct CountTwice { text: String }
    /// impl Execute for CountTwice {
    ///     async fn execute(&self, cx: &Context) -> Result<u64, ToolError> {
    ///         let once = cx.invoke(Count { text: self.text.clone() }).await?;
    ///         Ok(once * 2)
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// The failure, with its code.
    pub fn invoke<T: Invoke>(
        &self,
        arguments: T,
    ) -> Pin<Box<dyn Future<Output = Result<T::Output, Failure>> + Send + '_>> {
        let parent = self.parent();
        Box::pin(async move {
            let id = parent.next_call_id();
            let Some((dispatcher, options)) = host(parent) else { return Err(after_the_end(parent, id, T::NAME)) };
            dispatcher.invoked(arguments, id, options, Some(Box::new(parent.clone()))).await
        })
    }

    /// Calls several tools, each by its name and with arguments as JSON or as its text, scheduled like the calls of a [`Batch`]; the
    /// results, in the order of the calls.
    pub fn run<'a, N, A>(&'a self, calls: impl IntoIterator<Item = (N, A)>) -> BoxFuture<'a, Vec<ToolResult>>
    where
        N: Into<Cow<'a, str>>,
        A: CallArguments<'a>,
    {
        let parent = self.parent();
        let calls: Vec<ToolCall<'a>> = calls
            .into_iter()
            .map(|(name, arguments)| ToolCall::new(parent.next_call_id(), name, arguments.into_text()))
            .collect();
        Box::pin(async move {
            let Some((dispatcher, options)) = host(parent) else {
                return calls.into_iter().map(|call| is_over(parent, call.id.into_owned(), &call.name)).collect();
            };
            Batch::new(&dispatcher, calls, options, Some(parent)).all().await
        })
    }
}

/// The arguments of a call that a body makes: a [`JsonValue`], or JSON text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the arguments of a call",
    label = "neither JSON nor its text",
    note = "give a `JsonValue`, as `json!({{ … }})` makes it, or JSON text; a typed tool is called with `invoke`"
)]
pub trait CallArguments<'a> {
    /// The arguments as JSON text.
    #[doc(hidden)]
    fn into_text(self) -> Cow<'a, str>;
}

impl CallArguments<'_> for JsonValue {
    fn into_text(self) -> Cow<'static, str> {
        Cow::Owned(self.to_string())
    }
}

impl<'a> CallArguments<'a> for &'a str {
    fn into_text(self) -> Cow<'a, str> {
        Cow::Borrowed(self)
    }
}

impl<'a> CallArguments<'a> for &'a String {
    fn into_text(self) -> Cow<'a, str> {
        Cow::Borrowed(self)
    }
}

impl CallArguments<'_> for String {
    fn into_text(self) -> Cow<'static, str> {
        Cow::Owned(self)
    }
}

impl<'a> CallArguments<'a> for Cow<'a, str> {
    fn into_text(self) -> Cow<'a, str> {
        self
    }
}

/// A dispatcher whose calls are kept in a journal.
struct Journaled {
    parts: Arc<Parts>,
    journal: JournalHandle,
}

/// Who carries out the calls that a body makes.
pub(super) fn host_of(parts: &Arc<Parts>, journal: Option<&JournalHandle>) -> Host {
    match journal {
        None => Arc::clone(parts) as _,
        Some(journal) => Arc::new(Journaled { parts: Arc::clone(parts), journal: journal.clone() }),
    }
}

/// The dispatcher that a call goes through, until the call is over.
pub(super) fn dispatcher_of(call: &Call) -> Option<Dispatcher> {
    host(call).map(|(dispatcher, _)| dispatcher)
}

/// The dispatcher that a call goes through, and the options of the calls that its body makes, until the call is over.
fn host(call: &Call) -> Option<(Dispatcher, CallOptions)> {
    let (parts, journal) = match call.host()?.downcast::<Parts>() {
        Ok(parts) => (parts, None),
        Err(host) => {
            let journaled = host.downcast::<Journaled>().ok()?;
            (Arc::clone(&journaled.parts), Some(journaled.journal.clone()))
        }
    };
    let options = CallOptions {
        cancellation: call.cancellation().clone(),
        deadline: call.deadline(),
        progress: call.progress(),
        journal,
    };
    Some((Dispatcher(parts), options))
}

fn is_over(parent: &Call, id: String, name: &str) -> ToolResult {
    ToolResult::Failure(after_the_end(parent, id, name))
}

/// The failure of a call that a body makes after its own has its result: in a task that it left behind, for one.
fn after_the_end(parent: &Call, id: String, name: &str) -> Failure {
    let error: ToolError = admit::aborted_before_dispatch();
    let head =
        CallHead { id, tool_name: Arc::from(name), parent: Some(Box::new(parent.clone())), ..CallHead::default() };
    let content = super::TextProfile::default().content(&error);
    let call = Call::without_arguments(head);
    let (course, stage, trace) = (Course::default(), Stage::Admit, Trace::default());
    Failure { call, error, content, meta: None, contexts: Vec::new(), course, stage, trace }
}

/// What a result leaves for after the call goes to the call whose body made it: contexts, what the model can only see as an
/// image, and the wish to end the turn.
pub(super) fn hand_up(result: &ToolResult) {
    let Some(parent) = result.call().parent() else { return };
    // What this call was told as a secret its caller knows now.
    if let Some(scrub) = result.call().scrub() {
        parent.learn(&scrub);
    }
    for context in result.contexts() {
        parent.add_context(context.clone());
    }
    if let ToolResult::Success(success) = result {
        if success.content.blocks().iter().any(|block| matches!(block, Block::Image(_))) {
            parent.add_context(success.content.clone());
        }
        if success.concludes_turn {
            parent.conclude_turn();
        }
    }
}
