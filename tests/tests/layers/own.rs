//! Layers of a host.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tests::{Decided, Seen, code, quiet_panics};
use tool_runtime::layer::{BoxError, Rejected, ToolRequest, ToolResponse, ToolService};
use tool_runtime::prelude::*;
use tool_runtime::{CanonicalValue, Effects};
use tower::Service;
use tower::limit::ConcurrencyLimitLayer;

use super::{Responds, Sum, add_one, contexts, give, stage, with};

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
    let limits = Limits { grace: Duration::from_millis(20), ..Limits::default() };
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
