//! How a dispatcher is called: by a model, for a turn of one, and by a program.

use std::any::TypeId;

use super::call::{Caller, Incoming};
use super::schedule::Turn;
use super::{Batch, CallOptions, Dispatcher, ToolCall, admit, refusal, span};
use crate::error::{Code, ToolError};
use crate::json::JsonText;
use crate::panics::{Guarded, contain};
use crate::result::{Failure, Stage, Success, ToolResult};
use crate::tool::{Call, Invoke};

impl Dispatcher {
    /// Dispatches a call: exactly one result, whatever happens.
    ///
    /// Timeouts, deadlines, the grace of a cancelled body, and policies that wait need a tokio runtime whose timers are
    /// enabled. Without one, such a call fails and says so.
    // No future of its own: each around another has to be moved.
    pub fn call(&self, call: ToolCall<'_>) -> impl Future<Output = ToolResult> {
        self.call_with(call, CallOptions::default())
    }

    /// Dispatches a call that can be cancelled or has a deadline.
    pub async fn call_with(&self, call: ToolCall<'_>, options: CallOptions) -> ToolResult {
        let ToolCall { id, name, arguments } = call;
        let name = self.own_name(&name, Caller::Model);
        let admitted = self.admitted(name, &options, None);
        let incoming = Incoming {
            id: id.into_owned(),
            name,
            arguments: arguments.as_deref(),
            options,
            by: Caller::Model,
            parent: None,
        };
        match span::open(self, &incoming, admitted.as_deref().ok()) {
            None => self.stages(incoming, admitted, None).await,
            Some(span) => self.traced(span, incoming, admitted, None).await,
        }
    }

    /// Dispatches the calls of one turn of a model; the results, in the order of the calls.
    ///
    /// Which calls overlap, and which run alone, is told at [`Batch`]. After a fatal failure none of them starts: what runs
    /// ends by itself, and the others get [`Code::ABORTED_BEFORE_DISPATCH`].
    pub async fn run(&self, calls: Vec<ToolCall<'_>>) -> Vec<ToolResult> {
        self.batch(calls, CallOptions::default()).all().await
    }

    /// The same, for who wants each result as soon as it and all before it are there, or to cancel what is left: a call
    /// that has not started then gets its result without its body being entered.
    pub fn batch<'a>(&'a self, calls: Vec<ToolCall<'a>>, options: CallOptions) -> Batch<'a> {
        Batch::new(self, calls, options, None)
    }

    /// One call of a batch.
    pub(super) async fn in_turn(
        &self,
        call: ToolCall<'_>,
        options: CallOptions,
        parent: Option<Box<Call>>,
        turn: Turn,
    ) -> ToolResult {
        let ToolCall { id, name, arguments } = call;
        let by = if parent.is_some() { Caller::Program } else { Caller::Model };
        let name = self.own_name(&name, by);
        turn.to_start(|| self.registered().definition(name).is_none_or(|tool| tool.allows_others())).await;
        let admitted = if turn.is_over() {
            Err(admit::aborted_before_dispatch())
        } else {
            self.admitted(name, &options, parent.as_deref())
        };
        let incoming = Incoming { id: id.into_owned(), name, arguments: arguments.as_deref(), options, by, parent };
        self.dispatch(incoming, admitted, Some(&turn)).await
    }

    /// The tool's own name for the name that is called, which a model was told in its dialect.
    pub(super) fn own_name<'a>(&'a self, called: &'a str, by: Caller) -> &'a str {
        let dialect = self.0.dialect.as_ref().filter(|_| by == Caller::Model);
        dialect.map_or(called, |dialect| contain(|| dialect.tool_name(called)).unwrap_or(called))
    }

    /// What [`Dispatcher::invoke`] does, for a host or for a body.
    pub(super) async fn invoked<T: Invoke>(
        &self,
        arguments: T,
        id: String,
        options: CallOptions,
        parent: Option<Box<Call>>,
    ) -> Result<T::Output, Failure> {
        let definition = self.registered().definition_of(TypeId::of::<T>());
        let written = written(arguments);
        let found = match (definition, &written) {
            (None, _) => {
                let hint = format!("the type `{}` is not registered here", std::any::type_name::<T>());
                Err(admit::unknown(T::NAME, Some(hint)))
            }
            (Some(_), Err(why)) => Err(refusal::invalid_arguments([why.clone()])),
            (Some(definition), Ok(_)) => Ok(definition),
        };
        let admitted = self.allowed(&options, parent.as_deref()).and(found);
        let arguments = written.as_ref().ok().map(JsonText::as_str);
        let incoming = Incoming { id, name: T::NAME, arguments, options, by: Caller::Program, parent };
        match self.dispatch(incoming, admitted, None).await {
            ToolResult::Failure(failure) => Err(failure),
            ToolResult::Success(Success { call, value, contexts, course, trace, .. }) => {
                value.into_typed().ok_or_else(|| {
                    let error = ToolError::new(Code::INVALID_TOOL_OUTPUT, "the value does not come back as its type");
                    self.failure(call, error, contexts, trace, course, Stage::Accept)
                })
            }
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
