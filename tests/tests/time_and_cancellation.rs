//! Timeouts, deadlines and cancelling, on a clock that stands still until it is moved.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tests::{Seen, code};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};
use tool_runtime::prelude::*;
use tool_runtime::{Effects, Limits, Retry, WithState};

/// What the bodies of this file share with the tests.
#[derive(Default)]
struct Stage {
    started: Notify,
    stopped: AtomicUsize,
    dropped: AtomicUsize,
}

/// Counts when a body is dropped before its end.
struct Guard<'a>(&'a Stage);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

#[tool_input]
enum Way {
    /// Ends at once.
    AtOnce,
    /// Ends by itself after some seconds.
    After(u64),
    /// Stops when it is told to, with a success, after some milliseconds.
    Obey(u64),
    /// Stops when it is told to, with its own failure.
    ObeyFailing,
    /// Stops when it is told to, with a panic.
    ObeyPanicking,
    /// Never ends.
    Ignore,
}

macro_rules! tool {
    ($name:ident, $($attribute:tt)*) => {
        /// Takes its time.
        #[derive(Tool)]
        #[tool(output = String, render = display, $($attribute)*)]
        struct $name {
            way: Way,
        }

        impl Execute<Arc<Stage>> for $name {
            async fn execute(&self, cx: &Context<Arc<Stage>>) -> Result<String, ToolError> {
                run(&self.way, cx).await
            }
        }
    };
}

tool!(Slow, name = "slow");
tool!(Timed, name = "timed", timeout = "10s");
tool!(Reads, name = "reads", read_only, timeout = "10s");

async fn run(way: &Way, cx: &Context<Arc<Stage>>) -> Result<String, ToolError> {
    let stage = cx.state();
    let guard = Guard(stage);
    cx.add_context("left by the body");
    stage.started.notify_one();
    match way {
        Way::AtOnce => {}
        Way::After(seconds) => sleep(Duration::from_secs(*seconds)).await,
        Way::Ignore => std::future::pending().await,
        Way::Obey(_) | Way::ObeyFailing | Way::ObeyPanicking => {
            cx.cancelled().await;
            assert!(cx.is_cancelled() && cx.cancellation().is_cancelled());
            stage.stopped.fetch_add(1, Ordering::SeqCst);
        }
    }
    match way {
        Way::Obey(milliseconds) => sleep(Duration::from_millis(*milliseconds)).await,
        Way::ObeyFailing => return Err(ToolError::new(Code::new("OWN_FAILURE"), "half done")),
        Way::ObeyPanicking => panic!("on purpose"),
        _ => {}
    }
    std::mem::forget(guard);
    Ok("done".into())
}

struct Scene {
    stage: Arc<Stage>,
    dispatcher: Dispatcher,
    seen: Seen,
}

fn scene() -> Scene {
    tests::quiet_panics();
    let (stage, seen) = (Arc::new(Stage::default()), Seen::default());
    let mut registry = Registry::new();
    let tools = registry.with(Arc::clone(&stage)).tool::<Slow>().and_then(WithState::tool::<Timed>);
    tools.and_then(WithState::tool::<Reads>).unwrap();
    let mut limits = Limits::default();
    limits.grace = Duration::from_secs(2);
    let dispatcher = Dispatcher::new(registry).observer(seen.clone()).limits(limits);
    Scene { stage, dispatcher, seen }
}

impl Scene {
    async fn call(&self, tool: &str, way: &str, options: CallOptions) -> ToolResult {
        let call = ToolCall::new("call-1", tool, format!("{{\"way\":{way}}}"));
        self.dispatcher.call_with(call, options).await
    }

    /// A call that is cancelled once its body has started.
    async fn cancelled(&self, tool: &str, way: &str) -> ToolResult {
        let cancellation = Cancellation::new();
        let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
        let cancel = async {
            self.stage.started.notified().await;
            cancellation.cancel();
        };
        tokio::join!(self.call(tool, way, options), cancel).0
    }

    fn stopped_and_dropped(&self) -> (usize, usize) {
        (self.stage.stopped.load(Ordering::SeqCst), self.stage.dropped.load(Ordering::SeqCst))
    }
}

const MAY_HAVE_CHANGED: &str = "; the tool has run and may have changed something: check before you call it again";
const ABORTED: &str =
    "tool call aborted; the tool has run and may have changed something: check before you call it again";

fn message(result: &ToolResult) -> &str {
    result.failure().unwrap().error().message()
}

#[tokio::test(start_paused = true)]
async fn a_body_within_its_time_is_untouched() {
    let scene = scene();
    for (tool, way) in [("timed", r#""AtOnce""#), ("timed", r#"{"After":9}"#), ("slow", r#"{"After":100000}"#)] {
        let result = scene.call(tool, way, CallOptions::default()).await;
        assert_eq!(code(&result), "OK", "{tool} {way}: {result:?}");
    }
    assert_eq!(scene.stopped_and_dropped(), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_tool_has_its_whole_time_at_every_call() {
    let scene = scene();
    for _ in 0..5 {
        let started = Instant::now();
        assert_eq!(code(&scene.call("timed", r#"{"After":9}"#, CallOptions::default()).await), "OK");
        assert_eq!(started.elapsed().as_secs(), 9);
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_its_turn_in_a_batch_takes_nothing_of_a_tool_s_time() {
    let scene = scene();
    let call = |id: &'static str| ToolCall::new(id, "timed", r#"{"way":{"After":9}}"#);
    let results = scene.dispatcher.run(["1", "2", "3"].map(call).into()).await;
    assert_eq!(results.iter().map(code).collect::<Vec<_>>(), ["OK"; 3]);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_obeys_the_time_limit_ends_within_the_grace() {
    let scene = scene();
    let started = Instant::now();
    let result = scene.call("timed", r#"{"Obey":1500}"#, CallOptions::default()).await;
    assert_eq!(code(&result), "TIMEOUT");
    assert_eq!(message(&result), format!("tool call timed out after 10000ms{MAY_HAVE_CHANGED}"));
    assert_eq!(started.elapsed().as_millis() / 100, 115);
    assert_eq!(scene.stopped_and_dropped(), (1, 0), "it came to its own end");
    assert!(result.trace().warnings().is_empty());
    assert_eq!(result.contexts(), [Content::text("left by the body")]);
    assert_eq!(scene.seen.codes(), ["TIMEOUT"]);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_ignores_the_time_limit_is_dropped_after_the_grace() {
    let scene = scene();
    let started = Instant::now();
    let result = scene.call("timed", r#""Ignore""#, CallOptions::default()).await;
    assert_eq!(code(&result), "TIMEOUT");
    assert_eq!(started.elapsed().as_secs(), 12);
    assert_eq!(scene.stopped_and_dropped(), (0, 1));
    let warnings = ["the body did not end within the grace of 2000ms after its time was up, and was dropped"];
    assert_eq!(result.trace().warnings(), warnings);
    assert_eq!(scene.seen.codes(), ["TIMEOUT"]);
}

#[tokio::test(start_paused = true)]
async fn a_failure_or_panic_after_the_time_is_the_timeout_s() {
    let scene = scene();
    for way in [r#""ObeyFailing""#, r#""ObeyPanicking""#] {
        let result = scene.call("timed", way, CallOptions::default()).await;
        assert_eq!(code(&result), "TIMEOUT", "{way}");
    }
}

#[tokio::test(start_paused = true)]
async fn effects_are_possible_unless_the_tool_only_reads() {
    let scene = scene();
    let effects = |result: &ToolResult| result.failure().unwrap().error().known_effects();
    assert_eq!(effects(&scene.call("timed", r#""Ignore""#, CallOptions::default()).await), Effects::Possible);
    assert_eq!(effects(&scene.call("reads", r#""Ignore""#, CallOptions::default()).await), Effects::None);
    assert_eq!(effects(&scene.cancelled("slow", r#""Ignore""#).await), Effects::Possible);
    assert_eq!(effects(&scene.cancelled("reads", r#""Ignore""#).await), Effects::None);
}

#[tokio::test(start_paused = true)]
async fn the_model_reads_that_something_may_have_changed_unless_the_tool_only_reads() {
    let scene = scene();
    assert!(message(&scene.call("timed", r#""Ignore""#, CallOptions::default()).await).ends_with(MAY_HAVE_CHANGED));
    let reads = scene.call("reads", r#""Ignore""#, CallOptions::default()).await;
    assert_eq!(message(&reads), "tool call timed out after 10000ms");
    assert_eq!(message(&scene.cancelled("slow", r#""Ignore""#).await), ABORTED);
    assert_eq!(message(&scene.cancelled("reads", r#""Ignore""#).await), "tool call aborted");
}

#[tokio::test(start_paused = true)]
async fn the_earlier_of_deadline_and_time_limit_ends_the_call() {
    let scene = scene();
    let at = |seconds| CallOptions {
        deadline: Some((Instant::now() + Duration::from_secs(seconds)).into_std()),
        ..CallOptions::default()
    };
    for (tool, seconds, expected) in [("slow", 3, 3), ("timed", 3, 3), ("timed", 30, 10)] {
        let started = Instant::now();
        let result = scene.call(tool, r#"{"Obey":0}"#, at(seconds)).await;
        assert_eq!(code(&result), "TIMEOUT");
        assert_eq!(started.elapsed().as_secs(), expected, "{tool} {seconds}");
        assert!(message(&result).starts_with("tool call timed out after"), "{}", message(&result));
    }
    assert_eq!(code(&scene.call("slow", r#"{"After":3}"#, at(4)).await), "OK");
}

#[tokio::test(start_paused = true)]
async fn a_body_sees_its_deadline() {
    /// See.
    #[derive(Tool)]
    #[tool(output = bool, render = display, timeout = "10s")]
    struct See {
        limited: bool,
    }

    impl Execute for See {
        async fn execute(&self, cx: &Context) -> Result<bool, ToolError> {
            let left = cx.deadline().map(|deadline| deadline - Instant::now().into_std());
            Ok((left == Some(Duration::from_secs(10))) == self.limited)
        }
    }

    sleep(Duration::from_secs(1000)).await;
    let result = tests::call::<See>(r#"{"limited":true}"#).await;
    assert_eq!(result.success().unwrap().value_as(), Some(&true));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_cancelled_before_it_began_runs_nothing() {
    let scene = scene();
    let options = CallOptions::default();
    options.cancellation.cancel();
    for (tool, arguments) in [("slow", r#""AtOnce""#), ("none", "1"), ("slow", "1")] {
        let result = scene.call(tool, arguments, options.clone()).await;
        assert_eq!(code(&result), "ABORTED_BEFORE_DISPATCH");
        let error = result.failure().unwrap().error();
        assert_eq!((error.known_effects(), error.retry_advice()), (Effects::None, Retry::Safe));
        assert!(result.contexts().is_empty(), "the body did not run");
    }
    assert_eq!(scene.seen.codes(), ["ABORTED_BEFORE_DISPATCH"; 3]);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_obeys_the_caller_ends_within_the_grace() {
    let scene = scene();
    let started = Instant::now();
    let result = scene.cancelled("slow", r#"{"Obey":1500}"#).await;
    assert_eq!((code(&result), message(&result)), ("ABORTED", ABORTED));
    assert_eq!(started.elapsed().as_millis() / 100, 15);
    assert_eq!(scene.stopped_and_dropped(), (1, 0));
    assert_eq!(scene.seen.codes(), ["ABORTED"]);
    assert_eq!(result.contexts(), [Content::text("left by the body")]);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_ignores_the_caller_is_dropped_after_the_grace() {
    let scene = scene();
    let started = Instant::now();
    let result = scene.cancelled("slow", r#""Ignore""#).await;
    assert_eq!(code(&result), "ABORTED");
    assert_eq!(started.elapsed().as_secs(), 2);
    assert_eq!(scene.stopped_and_dropped(), (0, 1));
    let warnings = ["the body did not end within the grace of 2000ms after the caller cancelled, and was dropped"];
    assert_eq!(result.trace().warnings(), warnings);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_body_keeps_its_own_failure() {
    let scene = scene();
    let result = scene.cancelled("slow", r#""ObeyFailing""#).await;
    assert_eq!((code(&result), message(&result)), ("OWN_FAILURE", "half done"));
    let result = scene.cancelled("slow", r#""ObeyPanicking""#).await;
    assert_eq!(code(&result), "PANICKED");
    assert_eq!(scene.seen.codes(), ["OWN_FAILURE", "PANICKED"]);
}

#[tokio::test(start_paused = true)]
async fn cancelling_before_the_time_is_up_is_an_abort_and_after_it_a_timeout() {
    let scene = scene();
    assert_eq!(code(&scene.cancelled("timed", r#""Ignore""#).await), "ABORTED");
    let options = CallOptions::default();
    let late = async {
        sleep(Duration::from_secs(11)).await;
        options.cancellation.cancel();
    };
    let (result, ()) = tokio::join!(scene.call("timed", r#""Ignore""#, options.clone()), late);
    assert_eq!(code(&result), "TIMEOUT");
}

/// Cancels the call while it decides.
struct Cancels(Cancellation);

impl PostPolicy for Cancels {
    fn name(&self) -> &'static str {
        "cancels"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        self.0.cancel();
        Ok(PostDecision::accept().with_context("left by the policy"))
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        self.0.cancel();
        Ok(FailureDecision::accept())
    }
}

#[tokio::test(start_paused = true)]
async fn cancelling_after_the_body_turns_a_success_into_an_abort_and_leaves_a_failure() {
    let scene = scene();
    let cancel_late = |arguments: &'static str| {
        let options = CallOptions::default();
        let dispatcher = scene.dispatcher.clone().policy(Cancels(options.cancellation.clone()));
        async move { dispatcher.call_with(ToolCall::new("call-1", "slow", arguments), options).await }
    };
    let aborted = cancel_late(r#"{"way":"AtOnce"}"#).await;
    assert_eq!((code(&aborted), message(&aborted)), ("ABORTED", ABORTED));
    assert_eq!(aborted.contexts(), [Content::text("left by the body"), Content::text("left by the policy")]);
    assert_eq!(code(&cancel_late("{}").await), "INVALID_ARGS");
    assert_eq!(scene.seen.codes(), ["ABORTED", "INVALID_ARGS"]);
}

#[tokio::test(start_paused = true)]
async fn what_may_have_happened_is_not_called_safe_to_repeat() {
    let scene = scene();
    let options = CallOptions::default();
    let dispatcher = scene.dispatcher.clone().policy(Cancels(options.cancellation.clone()));
    let call = ToolCall::new("call-1", "slow", r#"{"way":"AtOnce"}"#);
    let result = dispatcher.call_with(call, options).await;
    let error = result.failure().unwrap().error();
    assert_eq!(error.known_effects(), Effects::Possible);
    assert_ne!(error.retry_advice(), Retry::Safe, "the body has run, and may have changed something");
}

#[tokio::test(start_paused = true)]
async fn cancelling_one_call_leaves_others_and_a_child_leaves_its_parent() {
    let scene = scene();
    let parent = Cancellation::new();
    let (one, other) = (parent.child(), parent.child());
    let options =
        |cancellation: &Cancellation| CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let cancel = async {
        scene.stage.started.notified().await;
        one.cancel();
    };
    let calls = tokio::join!(
        scene.call("slow", r#""Ignore""#, options(&one)),
        scene.call("slow", r#"{"After":60}"#, options(&other)),
        cancel
    );
    assert_eq!((code(&calls.0), code(&calls.1)), ("ABORTED", "OK"));
    assert!(!parent.is_cancelled() && !other.is_cancelled());
    parent.cancel();
    assert!(other.is_cancelled());
}
