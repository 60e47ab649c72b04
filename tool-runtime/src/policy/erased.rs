//! Policies of both kinds as one object.

use std::any::TypeId;
use std::marker::PhantomData;

use super::{FailureDecision, PolicyCall, PostDecision, PostPolicy, TypedPolicy};
use crate::definition::{Arguments, BoxFuture};
use crate::erased::Erased;
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::result::{Failure, Success};
use crate::tool::Tool;

/// The value that a policy puts in the place of another.
pub(crate) enum Replacement {
    Json(JsonValue),
    Typed(Erased),
}

pub(crate) trait ErasedPolicy: Send + Sync {
    fn name(&self) -> &str;

    /// Whether it judges the calls of a tool with these arguments; an unknown or dynamic tool has no type of them.
    fn concerns(&self, tool: Option<TypeId>) -> bool;

    fn on_success<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        arguments: &'a Arguments,
        success: &'a Success,
    ) -> BoxFuture<'a, Result<PostDecision<Replacement>, ToolError>>;

    fn on_failure<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        arguments: Option<&'a Arguments>,
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
        _: &'a Arguments,
        success: &'a Success,
    ) -> BoxFuture<'a, Result<PostDecision<Replacement>, ToolError>> {
        Box::pin(async move { Ok(self.0.on_success(call, success).await?.map_value(Replacement::Json)) })
    }

    fn on_failure<'a>(
        &'a self,
        call: &'a PolicyCall<'a>,
        _: Option<&'a Arguments>,
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
        _: &'a PolicyCall<'a>,
        arguments: &'a Arguments,
        success: &'a Success,
    ) -> BoxFuture<'a, Result<PostDecision<Replacement>, ToolError>> {
        Box::pin(async move {
            let value = success.value_as().expect("the policy concerns this tool, so the value is of its output type");
            let decision = self.policy.on_success(typed(arguments), value, success).await?;
            Ok(decision.map_value(|value| Replacement::Typed(Erased::new(value))))
        })
    }

    fn on_failure<'a>(
        &'a self,
        _: &'a PolicyCall<'a>,
        arguments: Option<&'a Arguments>,
        failure: &'a Failure,
    ) -> BoxFuture<'a, Result<FailureDecision, ToolError>> {
        Box::pin(self.policy.on_failure(arguments.map(typed), failure))
    }
}

fn typed<T: Tool>(arguments: &Arguments) -> &T {
    arguments.typed.get().expect("the policy concerns this tool, so the arguments are of its type")
}
