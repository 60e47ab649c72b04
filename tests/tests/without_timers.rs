//! Calls on a runtime that can't tell the time.

use std::sync::Arc;

use tests::{code, quiet_panics};
use tokio::sync::Notify;
use tokio::task::yield_now;
use tool_runtime::prelude::*;
use tool_runtime::{Effects, Retry};

/// Wait a little.
#[derive(Tool)]
#[tool(output = String, render = display, timeout = "1s")]
struct Limited {}

/// Wait a little, for as long as it takes.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Unlimited {
    /// For ever.
    #[serde(default)]
    ever: bool,
}

impl Execute for Limited {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        yield_now().await;
        Ok("done".into())
    }
}

impl Execute<Arc<Notify>> for Unlimited {
    async fn execute(&self, cx: &Context<Arc<Notify>>) -> Result<String, ToolError> {
        yield_now().await;
        cx.state().notify_one();
        if self.ever {
            std::future::pending::<()>().await;
        }
        Ok("done".into())
    }
}

struct Thinks;

impl PrePolicy for Thinks {
    fn name(&self) -> &'static str {
        "thinks"
    }

    async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        yield_now().await;
        Ok(PreDecision::Allow)
    }
}

fn on_a_runtime_without_timers(test: impl Future<Output = ()>) {
    quiet_panics();
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(test);
}

fn dispatcher(started: &Arc<Notify>) -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<Limited>().unwrap();
    registry.with(Arc::clone(started)).tool::<Unlimited>().unwrap();
    Dispatcher::new(registry)
}

#[test]
fn a_call_whose_time_is_limited_fails_and_says_what_is_missing() {
    on_a_runtime_without_timers(async {
        let result = dispatcher(&Arc::default()).call(ToolCall::without_arguments("call-1", "limited")).await;
        let failure = result.failure().unwrap();
        assert_eq!(failure.code(), &Code::EXECUTION_ERROR);
        assert!(failure.error().message().contains("`enable_time`"), "{failure}");
        assert_eq!(failure.error().known_effects(), Effects::Possible);
        assert_eq!(failure.error().retry_advice(), Retry::Never);
    });
}

#[test]
fn a_call_without_a_limit_needs_none_and_can_be_cancelled() {
    on_a_runtime_without_timers(async {
        let started = Arc::default();
        let dispatcher = dispatcher(&started);
        let result = dispatcher.call(ToolCall::without_arguments("call-1", "unlimited")).await;
        assert_eq!(result.content().to_text(), "done");
        let cancellation = Cancellation::new();
        let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
        let call = tokio::spawn(async move {
            dispatcher.call_with(ToolCall::new("call-2", "unlimited", r#"{"ever":true}"#), options).await
        });
        started.notified().await;
        started.notified().await;
        cancellation.cancel();
        assert_eq!(code(&call.await.unwrap()), "ABORTED");
    });
}

#[test]
fn a_policy_that_waits_has_failed() {
    on_a_runtime_without_timers(async {
        let dispatcher = dispatcher(&Arc::default()).pre_policy(Thinks);
        let result = dispatcher.call(ToolCall::without_arguments("call-1", "unlimited")).await;
        assert_eq!(code(&result), "POLICY_FAILED");
    });
}
