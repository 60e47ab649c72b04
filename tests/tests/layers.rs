//! Layers around bodies: tower's own, as they are, and those of a host.

use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{self, Poll};
use std::time::Duration;

use tests::{Decided, Seen, code, quiet_panics};
use tokio::sync::Notify;
use tokio::time::sleep;
use tool_runtime::layer::{BoxError, Rejected, ToolRequest, ToolResponse, ToolService};
use tool_runtime::prelude::*;
use tool_runtime::{CanonicalValue, Effects, JsonValue, Limits};
use tower::buffer::BufferLayer;
use tower::limit::{ConcurrencyLimitLayer, RateLimitLayer};
use tower::load_shed::LoadShedLayer;
use tower::retry::{Policy, RetryLayer};
use tower::timeout::TimeoutLayer;
use tower::{Layer, Service, ServiceBuilder};

/// What the bodies of this file share with the tests.
#[derive(Default)]
struct Stage {
    entered: AtomicUsize,
    running: AtomicUsize,
    most_running: AtomicUsize,
    started: Notify,
}

/// Add one, after a while.
#[derive(Tool)]
#[tool(output = Sum, render = json)]
struct AddOne {
    number: i64,
    #[serde(default)]
    milliseconds: u64,
    /// How often it fails before it succeeds.
    #[serde(default)]
    failures: usize,
}

#[tool_output]
struct Sum {
    sum: i64,
}

impl Execute<Arc<Stage>> for AddOne {
    async fn execute(&self, cx: &Context<Arc<Stage>>) -> Result<Sum, ToolError> {
        struct Running<'a>(&'a Stage);
        impl Drop for Running<'_> {
            fn drop(&mut self) {
                self.0.running.fetch_sub(1, Ordering::SeqCst);
            }
        }
        let stage = cx.state();
        let nth = stage.entered.fetch_add(1, Ordering::SeqCst);
        stage.most_running.fetch_max(stage.running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let _running = Running(stage);
        stage.started.notify_one();
        cx.add_context(format!("run {}", nth + 1));
        if self.milliseconds > 0 {
            sleep(Duration::from_millis(self.milliseconds)).await;
        }
        if nth < self.failures { Err(ToolError::msg("not yet")) } else { Ok(Sum { sum: self.number + 1 }) }
    }
}

/// Reverse a text.
#[derive(Tool)]
#[tool(output = String, render = display, read_only, timeout = "100ms")]
struct Reverse {
    text: String,
    /// Whether it never ends the first time.
    #[serde(default)]
    hangs: bool,
}

impl Execute<Arc<Stage>> for Reverse {
    async fn execute(&self, cx: &Context<Arc<Stage>>) -> Result<String, ToolError> {
        if self.hangs && cx.state().entered.fetch_add(1, Ordering::SeqCst) == 0 {
            cx.cancelled().await;
        }
        Ok(self.text.chars().rev().collect())
    }
}

fn stage() -> (Arc<Stage>, Dispatcher) {
    let stage = Arc::new(Stage::default());
    let mut registry = Registry::new();
    registry.with(Arc::clone(&stage)).tool::<AddOne>().unwrap().tool::<Reverse>().unwrap();
    (stage, Dispatcher::new(registry))
}

fn add_one(arguments: &str) -> ToolCall<'_> {
    ToolCall::new("call-1", "add_one", arguments)
}

fn contexts(result: &ToolResult) -> Vec<String> {
    result.contexts().iter().map(Content::to_text).collect()
}

/// A layer of one function, as a host writes it.
#[derive(Clone)]
struct With<F>(F);

#[derive(Clone)]
struct WithService<F, S>(F, S);

impl<F: Clone, S> Layer<S> for With<F> {
    type Service = WithService<F, S>;

    fn layer(&self, inner: S) -> Self::Service {
        WithService(self.0.clone(), inner)
    }
}

type Responds = Pin<Box<dyn Future<Output = Result<ToolResponse, BoxError>> + Send>>;

impl<F, S> Service<ToolRequest> for WithService<F, S>
where
    S: Service<ToolRequest> + Clone,
    F: Fn(ToolRequest, S) -> Responds,
{
    type Response = ToolResponse;
    type Error = BoxError;
    type Future = Responds;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: ToolRequest) -> Responds {
        (self.0)(request, self.1.clone())
    }
}

fn with<F>(around: F) -> With<F>
where
    F: Fn(ToolRequest, ToolService) -> Responds + Clone,
{
    With(around)
}

fn give(response: ToolResponse) -> Responds {
    Box::pin(async { Ok(response) })
}

#[tokio::test]
async fn a_call_goes_through_its_layers_from_the_first_to_the_body_and_back() {
    let (_, dispatcher) = stage();
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let tell = |name: &'static str| {
        let seen = Arc::clone(&seen);
        tower::util::MapRequestLayer::new(move |request: ToolRequest| {
            seen.lock().unwrap().push(format!("{name} {} {}", request.tool_name(), request.arguments()));
            request
        })
    };
    let dispatcher = dispatcher.layer((tell("outer"), tell("inner"))).layer(tell("added later"));
    let result = dispatcher.call(add_one(r#"{ "number": 1 }"#)).await;
    assert_eq!(result.content().to_text(), r#"{"sum":2}"#);
    assert_eq!(
        *seen.lock().unwrap(),
        [r#"added later add_one {"number":1}"#, r#"outer add_one {"number":1}"#, r#"inner add_one {"number":1}"#]
    );
}

#[tokio::test]
async fn a_call_that_is_refused_before_reaches_no_layer() {
    let (stage, dispatcher) = stage();
    let reached = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&reached);
    let dispatcher = dispatcher.layer(tower::util::MapRequestLayer::new(move |request: ToolRequest| {
        count.fetch_add(1, Ordering::SeqCst);
        request
    }));
    assert_eq!(code(&dispatcher.call(add_one("{}")).await), "INVALID_ARGS");
    assert_eq!(code(&dispatcher.call(ToolCall::new("call-1", "nothing", "{}")).await), "UNKNOWN_TOOL");
    assert_eq!((reached.load(Ordering::SeqCst), stage.entered.load(Ordering::SeqCst)), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn towers_timeout_drops_a_body_and_the_result_says_so() {
    let (stage, dispatcher) = stage();
    let dispatcher = dispatcher.layer(TimeoutLayer::new(Duration::from_millis(50)));
    let result = dispatcher.call(add_one(r#"{"number":1,"milliseconds":1000}"#)).await;
    let failure = result.failure().unwrap();
    assert_eq!(failure.code(), &Code::LAYER_FAILED);
    assert!(failure.error().message().starts_with("a layer around the tool failed: request timed out"), "{failure}");
    assert_eq!(failure.error().known_effects(), Effects::Possible);
    assert_eq!(failure.trace().warnings(), ["a layer dropped the body before it had ended"]);
    assert_eq!(stage.running.load(Ordering::SeqCst), 0, "the body is gone");
    // And the next call is unaffected.
    assert!(dispatcher.call(add_one(r#"{"number":1}"#)).await.is_success());
}

#[tokio::test(start_paused = true)]
async fn towers_concurrency_limit_lets_no_more_run_and_wakes_everyone_who_waits() {
    let (stage, dispatcher) = stage();
    let dispatcher = dispatcher.layer(ConcurrencyLimitLayer::new(2));
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let dispatcher = dispatcher.clone();
            tokio::spawn(async move { dispatcher.call(add_one(r#"{"number":1,"milliseconds":10}"#)).await })
        })
        .collect();
    for call in calls {
        assert!(call.await.unwrap().is_success());
    }
    assert_eq!(stage.most_running.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_while_it_waits_for_room_leaves_the_room_to_others() {
    let (stage, dispatcher) = stage();
    let dispatcher = dispatcher.layer(ConcurrencyLimitLayer::new(1));
    let holder = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call(add_one(r#"{"number":1,"milliseconds":1000}"#)).await }
    });
    stage.started.notified().await;
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let waiting = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call_with(add_one(r#"{"number":2}"#), options).await }
    });
    sleep(Duration::from_millis(10)).await;
    cancellation.cancel();
    let given_up = waiting.await.unwrap();
    assert_eq!(code(&given_up), "ABORTED_BEFORE_DISPATCH");
    let late = tokio::time::Instant::now().into_std() + Duration::from_millis(10);
    let options = CallOptions { deadline: Some(late), ..CallOptions::default() };
    let too_late = dispatcher.call_with(add_one(r#"{"number":3}"#), options).await;
    assert_eq!(code(&too_late), "TIMEOUT");
    assert_eq!(too_late.failure().unwrap().error().known_effects(), Effects::None);
    assert!(holder.await.unwrap().is_success());
    assert!(dispatcher.call(add_one(r#"{"number":4}"#)).await.is_success());
    assert_eq!(stage.entered.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn towers_rate_limit_spaces_calls_behind_a_buffer_and_without_one() {
    let start = tokio::time::Instant::now();
    let (_, buffered) = stage();
    let rate = RateLimitLayer::new(1, Duration::from_secs(1));
    let buffered = buffered.layer(ServiceBuilder::new().layer(BufferLayer::<ToolRequest>::new(16)).layer(rate.clone()));
    let calls = (0..3).map(|_| {
        let dispatcher = buffered.clone();
        tokio::spawn(async move { dispatcher.call(add_one(r#"{"number":1}"#)).await })
    });
    for call in calls.collect::<Vec<_>>() {
        assert!(call.await.unwrap().is_success());
    }
    assert!(start.elapsed() >= Duration::from_secs(2), "{:?}", start.elapsed());
    // The stack is one instance, so it need not be cloned.
    let start = tokio::time::Instant::now();
    let (_, bare) = stage();
    let bare = bare.layer(rate);
    for _ in 0..3 {
        assert!(bare.call(add_one(r#"{"number":1}"#)).await.is_success());
    }
    assert!(start.elapsed() >= Duration::from_secs(2), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn towers_load_shed_refuses_what_there_is_no_room_for() {
    let (stage, dispatcher) = stage();
    let dispatcher = dispatcher.layer((LoadShedLayer::new(), ConcurrencyLimitLayer::new(1)));
    let holder = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call(add_one(r#"{"number":1,"milliseconds":1000}"#)).await }
    });
    stage.started.notified().await;
    let shed = dispatcher.call(add_one(r#"{"number":2}"#)).await;
    let failure = shed.failure().unwrap();
    assert_eq!(failure.code(), &Code::LAYER_FAILED);
    assert_eq!(failure.error().message(), "a layer around the tool failed: service overloaded");
    assert_eq!(failure.error().known_effects(), Effects::None, "the body was not entered");
    assert!(holder.await.unwrap().is_success());
}

/// Tries again while the body fails.
#[derive(Clone)]
struct WhileFailing(usize);

impl Policy<ToolRequest, ToolResponse, BoxError> for WhileFailing {
    type Future = Ready<()>;

    fn retry(&mut self, _: &mut ToolRequest, result: &mut Result<ToolResponse, BoxError>) -> Option<Ready<()>> {
        let failed = result.as_ref().is_ok_and(|response| !response.is_success());
        self.0 = self.0.checked_sub(1)?;
        failed.then(|| ready(()))
    }

    fn clone_request(&mut self, request: &ToolRequest) -> Option<ToolRequest> {
        Some(request.clone())
    }
}

#[tokio::test]
async fn towers_retry_runs_a_body_again_and_keeps_what_the_last_run_left() {
    let (stage, dispatcher) = stage();
    let dispatcher = dispatcher.layer(RetryLayer::new(WhileFailing(5)));
    let result = dispatcher.call(add_one(r#"{"number":1,"failures":2}"#)).await;
    assert_eq!(result.content().to_text(), r#"{"sum":2}"#);
    assert_eq!(stage.entered.load(Ordering::SeqCst), 3);
    assert_eq!(contexts(&result), ["run 3"]);
}

#[tokio::test(start_paused = true)]
async fn a_run_after_one_that_took_too_long_has_its_own_time() {
    let (_, dispatcher) = stage();
    let dispatcher = dispatcher.layer(RetryLayer::new(WhileFailing(1)));
    let result = dispatcher.call(ToolCall::new("call-1", "reverse", r#"{"text":"abc","hangs":true}"#)).await;
    assert_eq!(result.content().to_text(), "cba");
}

#[tokio::test]
async fn a_run_that_comes_too_late_does_not_hide_the_one_before_it() {
    let (stage, dispatcher) = stage();
    let cancellation = Cancellation::new();
    let retry = |before_again: Arc<dyn Fn() + Send + Sync>| {
        dispatcher.clone().layer(with(move |request, mut inner: ToolService| -> Responds {
            let before_again = Arc::clone(&before_again);
            Box::pin(async move {
                let _ = inner.call(request.clone()).await?;
                before_again();
                inner.call(request).await
            })
        }))
    };
    let cancel = Arc::new({
        let cancellation = cancellation.clone();
        move || cancellation.cancel()
    });
    let options = CallOptions { cancellation, ..CallOptions::default() };
    let result = retry(cancel).call_with(add_one(r#"{"number":1,"failures":9}"#), options).await;
    assert_eq!(code(&result), "ABORTED", "the body was entered");
    let soon = std::time::Instant::now() + Duration::from_hours(1);
    let options = CallOptions { deadline: Some(soon), ..CallOptions::default() };
    let result = retry(Arc::new(|| {})).call_with(add_one(r#"{"number":1,"failures":9}"#), options).await;
    assert_eq!(code(&result), "EXECUTION_ERROR");
    assert_eq!(stage.entered.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_passes_between_two_runs_does_not_hide_the_first() {
    let (_, dispatcher) = stage();
    let dispatcher = dispatcher.layer(with(move |request, mut inner: ToolService| -> Responds {
        Box::pin(async move {
            let _ = inner.call(request.clone()).await?;
            // It holds the thread, so that nothing but the next run sees the time pass.
            tokio::time::advance(Duration::from_secs(2)).await;
            inner.call(request).await
        })
    }));
    let deadline = tokio::time::Instant::now().into_std() + Duration::from_secs(1);
    let options = CallOptions { deadline: Some(deadline), ..CallOptions::default() };
    let result = dispatcher.call_with(add_one(r#"{"number":1,"failures":9}"#), options).await;
    let failure = result.failure().unwrap();
    assert_eq!(failure.code(), &Code::TIMEOUT);
    assert_eq!(failure.error().known_effects(), Effects::Possible);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_room_does_not_eat_the_time_of_a_tool() {
    let (stage, dispatcher) = stage();
    let dispatcher = dispatcher.layer(ConcurrencyLimitLayer::new(1));
    let holder = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call(add_one(r#"{"number":1,"milliseconds":5000}"#)).await }
    });
    stage.started.notified().await;
    let result = dispatcher.call(ToolCall::new("call-2", "reverse", r#"{"text":"abc"}"#)).await;
    assert_eq!(result.content().to_text(), "cba");
    assert!(holder.await.unwrap().is_success());
}

#[tokio::test]
async fn a_layers_own_success_is_checked_and_projected_like_a_bodys() {
    let (stage, dispatcher) = stage();
    let made = |value: JsonValue| {
        dispatcher.clone().layer(with(move |_, _| give(ToolResponse::value(value.clone()).with_context("made up"))))
    };
    let good = made(serde_json::json!({"sum": 7})).call(add_one(r#"{"number":1}"#)).await;
    assert_eq!(good.content().to_text(), r#"{"sum":7}"#);
    assert!(good.success().unwrap().value_as::<Sum>().is_some(), "it is typed again");
    assert_eq!(contexts(&good), ["made up"]);
    let bad = made(serde_json::json!({"sum": "seven"})).call(add_one(r#"{"number":1}"#)).await;
    let failure = bad.failure().unwrap();
    assert_eq!(failure.code(), &Code::INVALID_TOOL_OUTPUT);
    assert_eq!(failure.error().known_effects(), Effects::None, "no body ran");
    assert_eq!(stage.entered.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_value_of_another_call_or_tool_is_checked_once_more() {
    let (stage, dispatcher) = stage();
    let kept: Arc<Mutex<Option<CanonicalValue>>> = Arc::default();
    let cache = with({
        let kept = Arc::clone(&kept);
        move |request, mut inner: ToolService| -> Responds {
            let kept = Arc::clone(&kept);
            Box::pin(async move {
                if let Some(value) = kept.lock().unwrap().clone() {
                    return Ok(ToolResponse::from(value));
                }
                let response = inner.call(request).await?;
                *kept.lock().unwrap() = response.canonical().cloned();
                Ok(response)
            })
        }
    });
    let dispatcher = dispatcher.layer(cache);
    let first = dispatcher.call(add_one(r#"{"number":1}"#)).await;
    let again = dispatcher.call(add_one(r#"{"number":1}"#)).await;
    assert_eq!(first.content(), again.content());
    assert_eq!(stage.entered.load(Ordering::SeqCst), 1);
    let other = dispatcher.call(ToolCall::new("call-3", "reverse", r#"{"text":"abc"}"#)).await;
    assert_eq!(code(&other), "INVALID_TOOL_OUTPUT", "the cache forgot to ask which tool it was");
}

#[tokio::test]
async fn another_calls_response_is_not_taken_for_ones_own() {
    let (_, dispatcher) = stage();
    // Runs the first call's request for every later one.
    let first: Arc<Mutex<Option<ToolRequest>>> = Arc::default();
    let swap = with(move |request, mut inner: ToolService| -> Responds {
        let first = first.lock().unwrap().get_or_insert(request).clone();
        Box::pin(async move { inner.call(first).await })
    });
    let dispatcher = dispatcher.layer(swap);
    assert!(dispatcher.call(add_one(r#"{"number":1}"#)).await.is_success());
    let second = dispatcher.call(add_one(r#"{"number":5}"#)).await;
    assert_eq!(code(&second), "ABORTED_BEFORE_DISPATCH", "the first dispatch is over, so its request runs nothing");
}

#[tokio::test]
async fn a_layers_failure_keeps_its_own_code_and_contexts_and_others_get_one() {
    const QUOTA: Code = Code::new("QUOTA");
    let (_, dispatcher) = stage();
    let failing = |make: fn() -> Result<ToolResponse, BoxError>| {
        dispatcher.clone().layer(with(move |_, _| Box::pin(async move { make() })))
    };
    let call = || add_one(r#"{"number":1}"#);
    let authored = failing(|| Ok(ToolResponse::failure(ToolError::new(QUOTA, "used up")).with_context("a hint")));
    let authored = authored.call(call()).await;
    assert_eq!((code(&authored), contexts(&authored)), ("QUOTA", vec!["a hint".to_owned()]));
    let rejected = failing(|| Err(Rejected::new(ToolError::new(QUOTA, "used up")).into())).call(call()).await;
    assert_eq!(rejected.content().to_text(), "Error [QUOTA]: used up");
    let plain = failing(|| Err("out of order".into())).call(call()).await;
    assert_eq!(plain.content().to_text(), "Error [LAYER_FAILED]: a layer around the tool failed: out of order");
    quiet_panics();
    let panicking = failing(|| panic!("on purpose")).call(call()).await;
    assert_eq!(panicking.content().to_text(), "Error [LAYER_FAILED]: a layer around the tool panicked: on purpose");
}

#[tokio::test]
async fn a_layer_sees_accepted_values_and_told_failures() {
    let (_, dispatcher) = stage();
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let dispatcher = dispatcher.layer(tower::util::MapResponseLayer::new({
        let seen = Arc::clone(&seen);
        move |response: ToolResponse| {
            let told = match (response.text(), response.error()) {
                (Some(text), _) => text.as_str().to_owned(),
                (None, Some(error)) => format!("{} {error}", error.code()),
                (None, None) => unreachable!("it is one of the two"),
            };
            seen.lock().unwrap().push(told);
            response
        }
    }));
    let policies_see_both = Seen::default();
    let dispatcher = dispatcher.observer(policies_see_both.clone());
    let _ = dispatcher.call(add_one(r#"{"number":1}"#)).await;
    let _ = dispatcher.call(add_one(r#"{"number":1,"failures":9}"#)).await;
    assert_eq!(*seen.lock().unwrap(), [r#"{"sum":2}"#, "EXECUTION_ERROR not yet"]);
    assert_eq!(policies_see_both.codes(), ["OK", "EXECUTION_ERROR"]);
}

#[tokio::test]
async fn policies_after_execution_judge_what_layers_left() {
    let (_, dispatcher) = stage();
    let dispatcher = dispatcher
        .layer(with(|_, _| give(ToolResponse::value(serde_json::json!({"sum": 7})))))
        .policy(Decided(PostDecision::block("no")));
    let result = dispatcher.call(add_one(r#"{"number":1}"#)).await;
    assert_eq!(code(&result), "BLOCKED");
}

#[tokio::test(start_paused = true)]
async fn cancelling_reaches_a_body_behind_layers_and_drops_it_after_the_grace() {
    let (stage, dispatcher) = stage();
    let mut limits = Limits::default();
    limits.grace = Duration::from_millis(20);
    let dispatcher = dispatcher.limits(limits).layer(ConcurrencyLimitLayer::new(1));
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let call = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call_with(add_one(r#"{"number":1,"milliseconds":60000}"#), options).await }
    });
    stage.started.notified().await;
    cancellation.cancel();
    let result = call.await.unwrap();
    assert_eq!(code(&result), "ABORTED");
    assert_eq!(contexts(&result), ["run 1"]);
    assert_eq!(stage.running.load(Ordering::SeqCst), 0);
    assert!(dispatcher.call(add_one(r#"{"number":1}"#)).await.is_success(), "its permit is back");
}

#[tokio::test]
async fn a_success_that_a_layer_gives_after_the_caller_cancelled_is_none() {
    let (_, dispatcher) = stage();
    let cancellation = Cancellation::new();
    let dispatcher = dispatcher.layer(with({
        let cancellation = cancellation.clone();
        move |_, _| {
            cancellation.cancel();
            give(ToolResponse::value(serde_json::json!({"sum": 7})))
        }
    }));
    let options = CallOptions { cancellation, ..CallOptions::default() };
    let result = dispatcher.call_with(add_one(r#"{"number":1}"#), options).await;
    assert_eq!(code(&result), "ABORTED_BEFORE_DISPATCH", "no body ran");
}

#[tokio::test]
async fn a_layer_that_goes_on_after_the_caller_cancelled_enters_no_body() {
    let (stage, dispatcher) = stage();
    let cancellation = Cancellation::new();
    let dispatcher = dispatcher.layer(with({
        let cancellation = cancellation.clone();
        move |request, mut inner: ToolService| -> Responds {
            cancellation.cancel();
            Box::pin(inner.call(request))
        }
    }));
    let options = CallOptions { cancellation, ..CallOptions::default() };
    let result = dispatcher.call_with(add_one(r#"{"number":1}"#), options).await;
    assert_eq!(code(&result), "ABORTED_BEFORE_DISPATCH");
    assert_eq!(stage.entered.load(Ordering::SeqCst), 0);
}
