//! A failure that the run can't go on from: nothing of it for the model, and nothing more is started.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tests::{Seen, code};
use tokio::time::sleep;
use tool_runtime::prelude::*;
use tool_runtime::{Severity, Verdict, serde_json};

#[derive(ToolFailure)]
enum Broken {
    #[failure(code = "NO_DISK", "the disk is gone", fatal)]
    NoDisk,
    #[failure(code = "NO_ROOM", "the disk is full; delete something")]
    NoRoom,
}

/// What happened, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Save, beside others.
#[derive(Tool)]
#[tool(output = String, render = display, parallel, failure = Broken)]
struct Save {
    id: String,
    seconds: u64,
}

/// Format the disk, alone.
#[derive(Tool)]
#[tool(output = String, render = display, failure = Broken)]
struct Format {
    id: String,
}

async fn save(cx: &Context<Log>, id: &str, seconds: u64) -> Result<String, ToolError> {
    cx.state().note(format!("+{id}"));
    cx.add_context(format!("about {id}"));
    sleep(Duration::from_secs(seconds)).await;
    cx.state().note(format!("-{id}"));
    match id {
        "fatal" => Err(Broken::NoDisk)?,
        "full" => Err(Broken::NoRoom)?,
        _ => Ok(format!("saved {id}")),
    }
}

impl Execute<Log> for Save {
    async fn execute(&self, cx: &Context<Log>) -> Result<String, ToolError> {
        save(cx, &self.id, self.seconds).await
    }
}

impl Execute<Log> for Format {
    async fn execute(&self, cx: &Context<Log>) -> Result<String, ToolError> {
        save(cx, &self.id, 1).await
    }
}

fn dispatcher(log: &Log) -> Dispatcher {
    Dispatcher::new(toolset! { log.clone() => [Save, Format] }.unwrap())
}

fn to_save(id: &str, seconds: u64) -> ToolCall<'static> {
    ToolCall::new(id.to_owned(), "save", serde_json::json!({"id": id, "seconds": seconds}).to_string())
}

fn to_format(id: &str) -> ToolCall<'static> {
    ToolCall::new(id.to_owned(), "format", serde_json::json!({ "id": id }).to_string())
}

fn codes(results: &[ToolResult]) -> Vec<(&str, &str)> {
    results.iter().map(|result| (result.call_id(), code(result))).collect()
}

/// A policy that decides the same of every failure.
struct Always(Result<FailureDecision, &'static str>);

impl PostPolicy for Always {
    fn name(&self) -> &'static str {
        "always"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::accept())
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, failure: &Failure) -> Result<FailureDecision, ToolError> {
        assert_eq!(failure.error().severity(), Severity::Fatal, "the policy sees what it is");
        assert_eq!(failure.error().message(), "the disk is gone");
        self.0.clone().map_err(ToolError::msg)
    }
}

#[tokio::test(start_paused = true)]
async fn the_model_reads_nothing_of_a_fatal_failure_and_the_host_everything() {
    for profile in [TextProfile::Coded, TextProfile::Plain] {
        let seen = Seen::default();
        let dispatcher = dispatcher(&Log::default()).text_profile(profile).observer(seen.clone());
        let result = dispatcher.call(to_save("fatal", 0)).await;
        assert_eq!(result.for_model().unwrap_err().code(), "NO_DISK");
        assert_eq!((result.content(), result.contexts()), (&Content::default(), &[][..]));
        let fatal = result.fatal().unwrap();
        assert_eq!((fatal.code().as_str(), fatal.error().message()), ("NO_DISK", "the disk is gone"));
        assert_eq!(seen.codes(), ["NO_DISK"]);
    }
}

#[tokio::test(start_paused = true)]
async fn any_other_result_has_something_for_the_model() {
    let dispatcher = dispatcher(&Log::default());
    for (id, told) in [("fine", "saved fine"), ("full", "Error [NO_ROOM]: the disk is full; delete something")] {
        let result = dispatcher.call(to_save(id, 0)).await;
        assert_eq!(result.for_model().unwrap().to_text(), told);
        assert!(result.fatal().is_none());
        assert_eq!(result.contexts().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_fatal_failure_stays_fatal_and_silent_whatever_a_policy_makes_of_it() {
    let secret = || Content::text("for the model");
    for (decision, expected, verdict) in [
        (Ok(FailureDecision::accept().with_context("more")), "NO_DISK", Verdict::Accepted),
        (Ok(FailureDecision::replace_content(secret())), "NO_DISK", Verdict::ReplacedContent),
        (Ok(FailureDecision::block(secret()).with_context("more")), "BLOCKED", Verdict::Blocked),
        (Err("it failed"), "POLICY_FAILED", Verdict::Failed),
    ] {
        let result = dispatcher(&Log::default()).policy(Always(decision)).call(to_save("fatal", 0)).await;
        assert_eq!((code(&result), tests::verdicts(&result)), (expected, vec![("always", verdict)]));
        assert!(result.fatal().is_some() && result.for_model().is_err(), "{result:?}");
        assert_eq!(result.content(), &Content::default());
        assert_eq!(result.contexts(), []);
    }
    let blocked = dispatcher(&Log::default()).policy(Always(Ok(FailureDecision::block("withheld"))));
    let result = blocked.call(to_save("fatal", 0)).await;
    assert_eq!(result.fatal().unwrap().error().message(), "withheld", "the host reads the feedback");
}

#[tokio::test(start_paused = true)]
async fn in_a_batch_nothing_starts_after_a_fatal_failure_and_what_runs_ends_by_itself() {
    let log = Log::default();
    let calls = vec![
        to_save("slow", 5),
        to_save("fatal", 1),
        to_format("alone"),
        to_save("late", 1),
        ToolCall::new("unknown", "nothing", "{}"),
    ];
    let results = dispatcher(&log).run(calls).await;
    let aborted = "ABORTED_BEFORE_DISPATCH";
    assert_eq!(
        codes(&results),
        [("slow", "OK"), ("fatal", "NO_DISK"), ("alone", aborted), ("late", aborted), ("unknown", aborted)]
    );
    assert_eq!(log.lines(), ["+slow", "+fatal", "-fatal", "-slow"]);
    for result in &results[2..] {
        let error = result.failure().unwrap().error();
        assert_eq!((error.known_effects(), error.is_fatal()), (Effects::None, false));
    }
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_room_does_not_start_and_what_ended_before_stays() {
    let log = Log::default();
    let mut limits = Limits::default();
    limits.parallel_calls = 2;
    let calls = vec![to_save("first", 0), to_save("fatal", 2), to_save("third", 4), to_save("fourth", 1)];
    let results = dispatcher(&log).limits(limits).run(calls).await;
    assert_eq!(
        codes(&results),
        [("first", "OK"), ("fatal", "NO_DISK"), ("third", "OK"), ("fourth", "ABORTED_BEFORE_DISPATCH")]
    );
    assert_eq!(log.lines(), ["+first", "-first", "+fatal", "+third", "-fatal", "-third"]);
}

#[tokio::test(start_paused = true)]
async fn two_fatal_failures_are_both_told() {
    let results = dispatcher(&Log::default()).run(vec![to_save("fatal", 2), to_save("fatal", 1)]).await;
    assert_eq!(codes(&results), [("fatal", "NO_DISK"), ("fatal", "NO_DISK")]);
}

#[tokio::test(start_paused = true)]
async fn the_next_batch_starts_anew() {
    let dispatcher = dispatcher(&Log::default());
    let results = dispatcher.run(vec![to_save("fatal", 0), to_save("next", 0)]).await;
    assert_eq!(codes(&results)[1], ("next", "ABORTED_BEFORE_DISPATCH"));
    assert_eq!(codes(&dispatcher.run(vec![to_save("next", 0)]).await), [("next", "OK")]);
}

/// Asks a person about each call, and notes it.
struct Asks(Log);

impl PrePolicy for Asks {
    fn name(&self) -> &'static str {
        "asks"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let first = call.call_id() == "fatal";
        Ok(if first { PreDecision::allow() } else { PreDecision::ask("is it needed?") })
    }
}

impl Approver for Asks {
    fn name(&self) -> &'static str {
        "person"
    }

    async fn approve(&self, request: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        self.0.note(format!("asked about {}", request.call_id()));
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_about_a_call_that_will_not_run() {
    let log = Log::default();
    let dispatcher = dispatcher(&log).pre_policy(Asks(log.clone())).approver(Asks(log.clone()));
    let start = tokio::time::Instant::now();
    let results = dispatcher.run(vec![to_save("fatal", 2), to_save("second", 0), to_save("third", 0)]).await;
    let aborted = "ABORTED_BEFORE_DISPATCH";
    assert_eq!(codes(&results), [("fatal", "NO_DISK"), ("second", aborted), ("third", aborted)]);
    assert_eq!(log.lines(), ["+fatal", "asked about second", "-fatal"]);
    assert_eq!(start.elapsed(), Duration::from_secs(2), "the question that was open is taken back");
}

/// Wait until it is told to stop, and say that all is lost.
#[derive(Tool)]
#[tool(output = String, render = display, failure = Broken, timeout = "1s")]
struct Wait {}

impl Execute for Wait {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        cx.cancelled().await;
        Err(Broken::NoDisk)?
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_body_says_after_its_time_is_not_believed_and_after_a_cancel_it_is() {
    let dispatcher = Dispatcher::new(toolset! { () => [Wait] }.unwrap());
    let wait = || ToolCall::without_arguments("c", "wait");
    let late = dispatcher.call(wait()).await;
    assert_eq!((code(&late), late.fatal().is_some()), ("TIMEOUT", false));
    let options = CallOptions::default();
    let cancel = options.cancellation.clone();
    let (cancelled, ()) = tokio::join!(dispatcher.call_with(wait(), options), async { cancel.cancel() });
    assert_eq!((code(&cancelled), cancelled.fatal().is_some()), ("NO_DISK", true));
}

#[tokio::test(start_paused = true)]
async fn a_fatal_failure_passes_through_layers() {
    let layered = dispatcher(&Log::default()).layer(tower::layer::util::Identity::new());
    let results = layered.run(vec![to_save("fatal", 0), to_save("next", 0)]).await;
    assert_eq!(codes(&results), [("fatal", "NO_DISK"), ("next", "ABORTED_BEFORE_DISPATCH")]);
    assert!(results[0].fatal().is_some());
}

/// Save by another tool.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Outer {
    hands_on: bool,
}

impl Execute for Outer {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        match cx.call("save", r#"{"id": "fatal", "seconds": 0}"#).await {
            ToolResult::Failure(failure) if self.hands_on => Err(failure.into_error()),
            result => Ok(format!("went on without it: {}", result.for_model().is_ok())),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_meets_a_fatal_failure_decides_whether_the_run_ends() {
    let dispatcher = Dispatcher::new(toolset! { Log::default() => [Save], () => [Outer] }.unwrap());
    let handed_on = dispatcher.call(ToolCall::new("c", "outer", r#"{"hands_on": true}"#)).await;
    assert_eq!((code(&handed_on), handed_on.for_model().is_err()), ("NO_DISK", true));
    let caught = dispatcher.call(ToolCall::new("c", "outer", r#"{"hands_on": false}"#)).await;
    assert_eq!(caught.content().to_text(), "went on without it: false");
    assert_eq!(caught.contexts(), [], "the fatal call left nothing for the model");
}
