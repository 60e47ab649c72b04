//! The span of a dispatch, and the events in it.
//!
//! The names are those of OpenTelemetry's conventions for generative AI, "execute tool span": what reads them finds a
//! tool's call without being told. `otel.*` is what `tracing-opentelemetry` takes the name, the kind and the status from.

use std::fmt;
use std::time::Duration;

use tracing::Span;
use tracing::field::Empty;

use super::call::Incoming;
use super::{Dispatcher, Recorded};
use crate::definition::Definition;
use crate::result::{Decision, Receipt, ToolResult, Verdict};

/// The most bytes of a name that is no tool's.
const UNKNOWN_NAME: usize = 128;

/// The span of a call, with the arguments if the host wants them; none if no subscriber wants it.
pub(super) fn open(dispatcher: &Dispatcher, call: &Incoming<'_>, definition: Option<&Definition>) -> Option<Span> {
    let recorded = dispatcher.0.recorded;
    let unknown = || &call.name[..call.name.floor_char_boundary(UNKNOWN_NAME)];
    let span = tracing::info_span!(
        "execute_tool",
        "otel.name" = %SpanName(definition),
        "otel.kind" = "internal",
        "otel.status_code" = Empty,
        "otel.status_description" = Empty,
        "gen_ai.operation.name" = "execute_tool",
        "gen_ai.tool.name" = definition.map_or_else(unknown, |tool| &*tool.name),
        "gen_ai.tool.type" = "function",
        "gen_ai.tool.call.id" = &*call.id,
        "gen_ai.tool.description" = definition.map(|tool| &*tool.spec.description),
        "gen_ai.tool.call.arguments" = Empty,
        "gen_ai.tool.call.result" = Empty,
        "error.type" = Empty,
    );
    if span.is_disabled() {
        return None;
    }
    if let (true, Some(arguments)) = (recorded.has_arguments(), call.arguments) {
        span.record("gen_ai.tool.call.arguments", &*recorded.cut(&dispatcher.logged(call, definition, arguments)));
    }
    Some(span)
}

/// Records in its span how a call ended.
pub(super) fn ended(span: &Span, result: &ToolResult, recorded: Recorded) {
    match result {
        ToolResult::Success(success) => {
            if recorded.has_results() {
                span.record("gen_ai.tool.call.result", &*recorded.cut(success.shown_value().as_str()));
            }
        }
        ToolResult::Failure(failure) => {
            span.record("error.type", failure.code().as_str());
            span.record("otel.status_code", "ERROR");
            if recorded.has_results() {
                span.record("otel.status_description", &*recorded.cut(failure.error().message()));
            }
        }
    }
}

/// The result of a call stands.
pub(super) fn settled(result: &ToolResult) {
    if let ToolResult::Failure(failure) = result {
        let Receipt { body, effects, next, .. } = failure.receipt();
        tracing::info!(
            code = failure.code().as_str(),
            stage = failure.stage.as_str(),
            %body,
            ?effects,
            %next,
            "the call failed"
        );
    }
}

/// A decision was made. What was said beside it stays where it is.
pub(super) fn decided(decision: &Decision) {
    let (policy, verdict) = (decision.policy(), decision.verdict());
    match verdict {
        Verdict::Granted | Verdict::Rejected | Verdict::Unanswered => {
            tracing::info!(approver = policy, %verdict, "approval was asked for, and answered");
        }
        _ => tracing::debug!(policy, %verdict, "a policy decided"),
    }
}

/// A person is asked.
pub(super) fn asks(approver: &str) {
    tracing::info!(approver, "approval is asked for");
}

/// A body that waits is told to stop.
pub(super) fn told_to_stop(time_is_up: bool) {
    let reason = if time_is_up { "its time is up" } else { "its caller cancelled" };
    tracing::info!(reason, "the body is told to stop");
}

/// It did not.
pub(super) fn dropped(grace: Duration) {
    tracing::warn!(grace_ms = grace.as_millis(), "the body did not stop within its grace, and was dropped");
}

/// The name of the span: that of what was sent would be another each time.
struct SpanName<'a>(Option<&'a Definition>);

impl fmt::Display for SpanName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(definition) => write!(f, "execute_tool {}", definition.name),
            None => f.write_str("execute_tool"),
        }
    }
}
