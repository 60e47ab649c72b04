//! Execute, with layers around the body: what comes out of them is accepted as if a body had returned it.

use std::sync::Arc;

use super::effects::{after_start, possible};
use super::execute::{Bounds, Stop, aborted, at_once, known_effects, stop, timed_out, until};
use super::host_code::has_timers;
use super::layer::{BoxError, Outcome, Rejected, Stack, ToolRequest, ToolResponse};
use super::{Dispatch, admit, execute};
use crate::definition::Definition;
use crate::error::{Code, Effects, Retry, ToolError};
use crate::panics::Contained;
use crate::tool::{Call, CanonicalValue};

/// How the stack ended.
enum Ended {
    Responded(ToolResponse),
    Failed(BoxError),
    Panicked(String),
    Dropped(Stop),
}

impl From<Result<Result<ToolResponse, BoxError>, String>> for Ended {
    fn from(ended: Result<Result<ToolResponse, BoxError>, String>) -> Self {
        match ended {
            Ok(Ok(response)) => Self::Responded(response),
            Ok(Err(error)) => Self::Failed(error),
            Err(panic) => Self::Panicked(panic),
        }
    }
}

type Running<'a> = Contained<'a, Result<ToolResponse, BoxError>>;

struct Around<'a> {
    definition: &'a Definition,
    call: &'a Call,
    bounds: Bounds<'a>,
}

impl Around<'_> {
    /// The end of a call that was handed to the layers.
    async fn ended(&self, handed_over: Result<Running<'_>, String>) -> Result<CanonicalValue, ToolError> {
        let ended = match handed_over {
            Ok(mut running) => match at_once(&mut running).await {
                Some(ended) => ended.into(),
                None => Box::pin(self.wait(running)).await,
            },
            Err(panic) => Ended::Panicked(panic),
        };
        self.conclude(ended)
    }

    /// A body stops itself, and its layers get its grace to hand on what it leaves. Where none has been entered there is
    /// nothing to wait for.
    async fn wait(&self, mut running: Running<'_>) -> Ended {
        let started = self.bounds.deadline.map(|_| tokio::time::Instant::now().into_std());
        if self.bounds.deadline.is_some() && !has_timers() {
            return Ended::Failed("the deadline needs a runtime with timers: build it with `enable_time`".into());
        }
        let first = until(&mut running, stop(self.bounds.cancellation, self.bounds.deadline, started)).await;
        match first {
            Ok(ended) => ended.into(),
            Err(why) if self.call.runs().running == 0 => Ended::Dropped(why),
            Err(why) if !has_timers() => Ended::Dropped(why),
            Err(why) => tokio::time::timeout(self.bounds.grace, running).await.map_or(Ended::Dropped(why), Ended::from),
        }
    }

    /// A failure of which nothing more is known changed nothing if no body was entered.
    fn known_effects(&self, error: ToolError) -> ToolError {
        match error.known_effects() {
            Effects::Unknown if !self.call.body().was_entered() => error.effects(Effects::None),
            _ => known_effects(self.definition, error),
        }
    }

    fn conclude(&self, ended: Ended) -> Result<CanonicalValue, ToolError> {
        let entered = self.call.body().was_entered();
        let effects = if entered { possible(self.definition) } else { Effects::None };
        match ended {
            Ended::Responded(ToolResponse { outcome, contexts }) => {
                for context in contexts {
                    self.call.add_context(context);
                }
                let value = self.accept(outcome)?;
                if self.bounds.cancellation.is_cancelled() { Err(self.cancelled(entered)) } else { Ok(value) }
            }
            Ended::Failed(error) => Err(match error.downcast::<Rejected>() {
                Ok(rejected) => self.known_effects(rejected.into_error()),
                Err(error) => layer_failed(format!("a layer around the tool failed: {error}"), effects),
            }),
            Ended::Panicked(panic) => Err(layer_failed(format!("a layer around the tool panicked: {panic}"), effects)),
            Ended::Dropped(Stop::Cancelled) => Err(self.cancelled(entered)),
            Ended::Dropped(Stop::TimeUp(after)) if entered => Err(timed_out(after, effects)),
            Ended::Dropped(Stop::TimeUp(_)) => Err(execute::too_late()),
        }
    }

    /// The value of this very call is accepted already; any other is not trusted.
    fn accept(&self, outcome: Outcome) -> Result<CanonicalValue, ToolError> {
        let Definition { tool, output, .. } = self.definition;
        let json = match outcome {
            Outcome::Accepted { value, of } if of.is(self.call) => return Ok(value),
            Outcome::Failed(error) => return Err(self.known_effects(error)),
            Outcome::Accepted { value, .. } | Outcome::Earlier(value) => value.to_json(),
            Outcome::Json(json) => json,
        };
        tool.accept_json(&json, output).map_err(|refused| {
            let effects = if self.call.body().was_entered() { possible(self.definition) } else { Effects::None };
            let name = &*self.definition.name;
            let message = format!("a layer around tool {name:?} gave an invalid value: {}", refused.join("; "));
            after_start(Code::INVALID_TOOL_OUTPUT, message, effects).retry(Retry::Never)
        })
    }

    fn cancelled(&self, entered: bool) -> ToolError {
        if entered { aborted(self.definition) } else { admit::aborted_before_dispatch() }
    }
}

fn layer_failed(message: String, effects: Effects) -> ToolError {
    after_start(Code::LAYER_FAILED, message, effects)
}

impl Dispatch<'_> {
    /// The call through the layers of its dispatcher.
    pub(super) async fn through(
        &mut self,
        stack: &dyn Stack,
        definition: &Arc<Definition>,
        call: &Call,
        grace: std::time::Duration,
    ) -> Result<CanonicalValue, ToolError> {
        let Some(handed_over) = self.hand_over(stack, definition, grace) else {
            return Err(admit::unknown(call.tool_name(), None));
        };
        let outcome = Around { definition, call, bounds: self.bounds(grace) }.ended(handed_over).await;
        if call.runs().dropped {
            self.trace.warn("a layer dropped the body before it had ended".to_owned());
        }
        outcome
    }

    /// Hands the call to the layers. Not in the future above, which would have a place for the request as long as it lives.
    fn hand_over<'s>(
        &self,
        stack: &'s dyn Stack,
        definition: &Arc<Definition>,
        grace: std::time::Duration,
    ) -> Option<Result<Running<'s>, String>> {
        let request = ToolRequest::new(definition, self, grace)?;
        Some(Contained::new(|| stack.run(request)))
    }
}
