//! Policies of both kinds as one object.

use std::any::TypeId;
use std::marker::PhantomData;

use super::{FailureDecision, PolicyCall, PostDecision, PostPolicy, TypedPolicy};
use crate::definition::{BoxFuture, TypedValue};
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::panics::Guarded;
use crate::result::{Failure, Success};
use crate::tool::Tool;

/// The value that a policy puts in the place of another.
pub(crate) enum Replacement {
    Json(JsonValue),
    Typed(TypedValue),
}

pub(crate) trait ErasedPolicy: Send + Sync {
    fn name(&self) -> &str;

    /// Whether it judges the calls of a tool with these arguments; an unknown or dynamic tool has no type of them.
    fn concerns(&self, tool: Option<TypeId>) -> bool;

    fn on_success<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        success: &'a Success,
    ) -> BoxFuture<'a, Result<PostDecision<Replacement>, ToolError>>;

    fn on_failure<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        failure: &'a Failure,
    ) -> BoxFuture<'a, Result<FailureDecision, ToolError>>;
}

/// A policy for all tools.
pub(crate) struct Everything<P>(pub(crate) P);

impl<P: PostPolicy> ErasedPolicy for Everything<P> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn concerns(&self, _: Option<TypeId>) -> bool {
        true
    }

    fn on_success<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        success: &'a Success,
    ) -> BoxFuture<'a, Result<PostDecision<Replacement>, ToolError>> {
        Box::pin(async move { Ok(self.0.on_success(call, success).await?.map_value(Replacement::Json)) })
    }

    fn on_failure<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        failure: &'a Failure,
    ) -> BoxFuture<'a, Result<FailureDecision, ToolError>> {
        Box::pin(self.0.on_failure(call, failure))
    }
}

/// A policy for the tool `T`.
pub(crate) struct OnlyFor<T, P> {
    policy: P,
    tool: PhantomData<fn() -> T>,
}

impl<T, P> OnlyFor<T, P> {
    pub(crate) fn new(policy: P) -> Self {
        Self { policy, tool: PhantomData }
    }
}

impl<T: Tool, P: TypedPolicy<T>> ErasedPolicy for OnlyFor<T, P> {
    fn name(&self) -> &str {
        self.policy.name()
    }

    fn concerns(&self, tool: Option<TypeId>) -> bool {
        tool == Some(TypeId::of::<T>())
    }

    fn on_success<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        success: &'a Success,
    ) -> BoxFuture<'a, Result<PostDecision<Replacement>, ToolError>> {
        Box::pin(async move {
            let value = success.value_as().expect("the policy concerns this tool, so the value is of its output type");
            let decision = self.policy.on_success(typed(call), value, success).await?;
            Ok(decision.map_value(|value| Replacement::Typed(Guarded::new(Box::new(value)))))
        })
    }

    fn on_failure<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        failure: &'a Failure,
    ) -> BoxFuture<'a, Result<FailureDecision, ToolError>> {
        Box::pin(self.policy.on_failure(call.call.arguments(), failure))
    }
}

fn typed<'a, T: Tool>(call: &PolicyCall<'a>) -> &'a T {
    call.call.arguments().expect("the policy concerns this tool, so the arguments are of its type")
}
