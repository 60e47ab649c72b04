//! Tower's own layers, as they are.

use std::future::{Ready, ready};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tests::code;
use tokio::time::sleep;
use tool_runtime::Effects;
use tool_runtime::layer::{BoxError, ToolRequest, ToolResponse, ToolService};
use tool_runtime::prelude::*;
use tower::buffer::BufferLayer;
use tower::limit::{ConcurrencyLimitLayer, RateLimitLayer};
use tower::load_shed::LoadShedLayer;
use tower::retry::{Policy, RetryLayer};
use tower::timeout::TimeoutLayer;
use tower::{Service, ServiceBuilder};

use super::{Responds, add_one, contexts, stage, with};

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
