//! How a dispatcher is called: by a model, for a turn of one, and by a program.

use std::any::TypeId;
use std::pin::Pin;

use super::schedule::Turn;
use super::{Batch, CallOptions, Dispatcher, Sent, ToolCall, admit, call, decode};
use crate::error::{Code, ToolError};
use crate::json::JsonText;
use crate::panics::{Guarded, contain};
use crate::result::{Failure, Success, ToolResult};
use crate::tool::Invoke;

impl Dispatcher {
    /// Dispatches a call: exactly one result, whatever happens.
    ///
    /// Timeouts, deadlines and cancelling need a tokio runtime whose timers are enabled.
    pub async fn call(&self, call: ToolCall<'_>) -> ToolResult {
        self.call_with(call, CallOptions::default()).await
    }

    /// Dispatches a call that can be cancelled or has a deadline.
    pub async fn call_with(&self, call: ToolCall<'_>, options: CallOptions) -> ToolResult {
        let ToolCall { id, name, arguments } = call;
        let name = self.own_name(&name);
        let admitted = admit::admit(&self.registered(), name, &options);
        self.dispatch(id.into_owned(), name, self.sent(arguments.as_deref()), admitted, options, None).await
    }

    /// Dispatches the calls of one turn of a model; the results, in the order of the calls.
    ///
    /// Which calls overlap, and which run alone, is told at [`Batch`].
    pub async fn run(&self, calls: Vec<ToolCall<'_>>) -> Vec<ToolResult> {
        self.batch(calls, CallOptions::default()).all().await
    }

    /// The same, for who wants each result as soon as it and all before it are there, or to cancel what is left: a call
    /// that has not started then gets its result without its body being entered.
    pub fn batch<'a>(&'a self, calls: Vec<ToolCall<'a>>, options: CallOptions) -> Batch<'a> {
        Batch::new(self, calls, options)
    }

    /// One call of a batch.
    pub(super) async fn in_turn(&self, call: ToolCall<'_>, options: CallOptions, turn: Turn) -> ToolResult {
        let ToolCall { id, name, arguments } = call;
        let name = self.own_name(&name);
        let is_parallel = || self.registered().definition(name).is_none_or(|tool| tool.spec.behaviour.is_parallel());
        turn.to_start(is_parallel).await;
        let admitted = admit::admit(&self.registered(), name, &options);
        self.dispatch(id.into_owned(), name, self.sent(arguments.as_deref()), admitted, options, Some(&turn)).await
    }

    /// The tool's own name for the name that a model calls.
    fn own_name<'a>(&'a self, called: &'a str) -> &'a str {
        self.0.dialect.as_ref().map_or(called, |dialect| contain(|| dialect.tool_name(called)).unwrap_or(called))
    }

    /// What a model sends.
    fn sent<'a>(&'a self, text: Option<&'a str>) -> Sent<'a> {
        Sent { text, dialect: self.0.dialect.as_deref() }
    }

    /// Calls a typed tool from a program: the same pipeline and the same policies, which see the arguments as JSON.
    ///
    /// # Errors
    /// The failure, with its code. The tool is unknown if its type was not registered.
    // Boxed, since an opaque future would repeat the bound: a missing `Serialize` would be told of the argument, of the
    // call and of the await.
    pub fn invoke<T: Invoke>(
        &self,
        arguments: T,
    ) -> Pin<Box<dyn Future<Output = Result<T::Output, Failure>> + Send + '_>> {
        Box::pin(self.invoked(arguments))
    }

    async fn invoked<T: Invoke>(&self, arguments: T) -> Result<T::Output, Failure> {
        let definition = self.registered().definition_of(TypeId::of::<T>()).cloned();
        let written = written(arguments);
        let admitted = match (definition, &written) {
            (None, _) => Err(admit::unknown(T::NAME, None)),
            (Some(_), Err(why)) => Err(decode::invalid_arguments([why.clone()])),
            (Some(definition), Ok(_)) => Ok(definition),
        };
        let sent = Sent { text: written.as_ref().ok().map(JsonText::as_str), dialect: None };
        let id = call::program_call_id();
        match self.dispatch(id, T::NAME, sent, admitted, CallOptions::default(), None).await {
            ToolResult::Failure(failure) => Err(failure),
            ToolResult::Success(Success { call, value, contexts, trace, .. }) => value.into_typed().ok_or_else(|| {
                let error = ToolError::new(Code::INVALID_TOOL_OUTPUT, "the value does not come back as its type");
                self.failure(call, error, contexts, trace)
            }),
        }
    }
}

/// The arguments of a program as JSON, or why they are none.
fn written<T: Invoke>(arguments: T) -> Result<JsonText, String> {
    let arguments = Guarded::new(arguments);
    match contain(|| arguments.to_json()) {
        Ok(written) => written.map_err(|lossy| lossy.to_string()),
        Err(panic) => Err(format!("writing the arguments panicked: {panic}")),
    }
}
