//! The receipt of a call: what it says for every failure that the pipeline can make, and for every success.

use std::future::{Ready, pending, ready};
use std::task::{self, Poll};
use std::time::Duration;

use tests::{Decided, code, quiet_panics};
use tool_runtime::layer::{BoxError, ToolRequest, ToolResponse, ToolService};
use tool_runtime::prelude::*;
use tool_runtime::{Body, Next, Outcome, Receipt, Repeats, Severity, Stage, Verdict, serde_json};
use tower::timeout::TimeoutLayer;
use tower::{Layer, Service};

#[tool_input]
enum Way {
    Return,
    BreakTheSchema,
    RenderPanics,
    Fail,
    FailNoEffects,
    FailPossible,
    FailSafe,
    FailSafePossible,
    FailAfter,
    FailCorrected,
    FailNever,
    FailNeverPossible,
    FailFatal,
    FailAsIfInvalid,
    Panic,
    Hang,
    StopWhenTold,
}

#[tool_output]
struct Out {
    #[schemars(range(max = 9))]
    n: u8,
}

const OWN: Code = Code::new("OWN");

async fn act(way: &Way, cx: &Context) -> Result<Out, ToolError> {
    let error = |code: Code| ToolError::new(code, "it failed");
    Err(match way {
        Way::Return => return Ok(Out { n: 1 }),
        Way::RenderPanics => return Ok(Out { n: 2 }),
        Way::BreakTheSchema => return Ok(Out { n: 10 }),
        Way::Fail => error(OWN),
        Way::FailNoEffects => error(OWN).effects(Effects::None),
        Way::FailPossible => error(OWN).effects(Effects::Possible),
        Way::FailSafe => error(OWN).retry(Retry::Safe),
        Way::FailSafePossible => error(OWN).retry(Retry::Safe).effects(Effects::Possible),
        Way::FailAfter => error(OWN).retry(Retry::After(Duration::from_secs(2))),
        Way::FailCorrected => error(OWN).retry(Retry::Corrected),
        Way::FailNever => error(OWN).retry(Retry::Never),
        Way::FailNeverPossible => error(OWN).retry(Retry::Never).effects(Effects::Possible),
        Way::FailFatal => error(OWN).retry(Retry::Safe).fatal(),
        Way::FailAsIfInvalid => error(Code::INVALID_TOOL_OUTPUT),
        Way::Panic => panic!("on purpose"),
        Way::Hang => pending().await,
        Way::StopWhenTold => {
            cx.cancellation().cancelled().await;
            return Ok(Out { n: 1 });
        }
    })
}

macro_rules! tools {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        #[derive(Tool)]
        $(#[$attribute])*
        struct $name {
            way: Way,
        }

        impl Execute for $name {
            async fn execute(&self, cx: &Context) -> Result<Out, ToolError> {
                act(&self.way, cx).await
            }
        }

        impl Render for $name {
            fn render(&self, out: &Out) -> Content {
                assert!(out.n != 2, "on purpose");
                Content::text("done")
            }
        }
    )*};
}

tools! {
    /// Change something.
    #[tool(output = Out, timeout = "10s")]
    Change;

    /// Look at something.
    #[tool(output = Out, read_only, timeout = "10s")]
    Look;

    /// Put something where it belongs.
    #[tool(output = Out, idempotent, timeout = "10s")]
    Put;
}

fn dispatcher() -> Dispatcher {
    quiet_panics();
    let mut registry = Registry::new();
    registry.tool::<Change>().unwrap().tool::<Look>().unwrap().tool::<Put>().unwrap();
    Dispatcher::new(registry)
}

async fn call(dispatcher: &Dispatcher, tool: &str, way: &str) -> ToolResult {
    dispatcher.call(ToolCall::new("call-1", tool, format!(r#"{{"way":"{way}"}}"#))).await
}

/// What a receipt says, and the code beside it.
type Said = (&'static str, Body, Effects, Outcome, Next);

#[track_caller]
fn assert_said(what: &str, result: &ToolResult, said: Said) {
    let Receipt { body, effects, outcome, next, .. } = result.receipt();
    assert_eq!((code(result), body, effects, outcome, next), said, "{what}");
}

use Outcome::{Failed, Succeeded};

#[tokio::test(start_paused = true)]
async fn a_success_says_whether_something_may_have_changed() {
    let dispatcher = dispatcher();
    for (tool, effects) in [("change", Effects::Possible), ("look", Effects::None), ("put", Effects::Possible)] {
        let said = ("OK", Body::Returned, effects, Succeeded, Next::Nothing);
        assert_said(tool, &call(&dispatcher, tool, "Return").await, said);
    }
}

#[tokio::test(start_paused = true)]
async fn what_never_entered_the_body_has_changed_nothing() {
    let dispatcher = dispatcher();
    let not_run = |code, stage, next| (code, Body::NotEntered, Effects::None, Failed(stage), next);

    let said = not_run("UNKNOWN_TOOL", Stage::Admit, Next::Correct);
    assert_said("no tool", &call(&dispatcher, "nothing", "Return").await, said);
    let said = not_run("INVALID_ARGS", Stage::Decode, Next::Correct);
    assert_said("bad arguments", &call(&dispatcher, "change", "Dance").await, said);

    let options = CallOptions::default();
    options.cancellation.cancel();
    let cancelled = dispatcher.call_with(ToolCall::new("call-1", "change", r#"{"way":"Return"}"#), options).await;
    assert_said("cancelled", &cancelled, not_run("ABORTED_BEFORE_DISPATCH", Stage::Admit, Next::RetryNow));

    let options = CallOptions { deadline: Some(tokio::time::Instant::now().into_std()), ..CallOptions::default() };
    let late = dispatcher.call_with(ToolCall::new("call-1", "change", r#"{"way":"Return"}"#), options).await;
    assert_said("too late", &late, not_run("TIMEOUT", Stage::Authorise, Next::RetryNow));
}

/// A policy before execution.
struct Judge(Option<PreDecision>);

impl PrePolicy for Judge {
    fn name(&self) -> &'static str {
        "judge"
    }

    async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        self.0.clone().ok_or_else(|| ToolError::msg("a secret"))
    }
}

/// A person with one answer.
struct Person(Approval);

impl Approver for Person {
    fn name(&self) -> &'static str {
        "person"
    }

    async fn approve(&self, _: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        Ok(self.0.clone())
    }
}

struct Never;

impl Guard for Never {
    fn name(&self) -> &'static str {
        "never"
    }

    fn denies(&self, _: &PolicyCall<'_>) -> Option<String> {
        Some("never".to_owned())
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_not_authorised_has_changed_nothing() {
    let judged = |decision| dispatcher().pre_policy(Judge(decision));
    let asked = || judged(Some(PreDecision::ask("why")));
    let rejected = Person(Approval::Rejected { reason: None });
    for (what, dispatcher, code, next) in [
        ("denied", judged(Some(PreDecision::deny("no"))), "DENIED", Next::GiveUp),
        ("guarded", dispatcher().guard(Never), "DENIED", Next::GiveUp),
        ("cancelled", judged(Some(PreDecision::cancel())), "ABORTED_BEFORE_DISPATCH", Next::RetryNow),
        ("failed", judged(None), "POLICY_FAILED", Next::MayRetry),
        ("rewrote", judged(Some(PreDecision::rewrite(serde_json::json!({})))), "POLICY_FAILED", Next::MayRetry),
        ("rejected", asked().approver(rejected), "APPROVAL_REJECTED", Next::GiveUp),
        ("nobody", asked(), "APPROVAL_UNAVAILABLE", Next::MayRetry),
        ("unavailable", asked().approver(Person(Approval::Unavailable)), "APPROVAL_UNAVAILABLE", Next::MayRetry),
        ("closed", asked().approver(Person(Approval::Cancelled)), "APPROVAL_UNAVAILABLE", Next::MayRetry),
    ] {
        let said = (code, Body::NotEntered, Effects::None, Failed(Stage::Authorise), next);
        assert_said(what, &call(&dispatcher, "change", "Return").await, said);
    }
    let granted = asked().approver(Person(Approval::Granted));
    let said = ("OK", Body::Returned, Effects::Possible, Succeeded, Next::Nothing);
    assert_said("granted", &call(&granted, "change", "Return").await, said);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_stopped_as_repeated_has_changed_nothing() {
    for (repeats, severity, next) in [
        (Repeats::new().stop_at(2).unwrap(), Severity::Recoverable, Next::GiveUp),
        (Repeats::new().stop_at(2).unwrap().fatal(), Severity::Fatal, Next::Stop),
    ] {
        let dispatcher = dispatcher().repeats(repeats);
        assert_eq!(code(&call(&dispatcher, "change", "Return").await), "OK");
        let stopped = call(&dispatcher, "change", "Return").await;
        let said = ("REPEATED_CALL", Body::NotEntered, Effects::None, Failed(Stage::Authorise), next);
        assert_said("stopped", &stopped, said);
        assert_eq!(stopped.failure().unwrap().error().severity(), severity);
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_failed_is_advised_by_its_word_on_effects_and_by_the_tool_s_facts() {
    let dispatcher = dispatcher();
    let after = Next::RetryAfter(Duration::from_secs(2));
    // What to do after a tool that may change something, one that only reads, and one that is idempotent.
    for (way, code, body, told, next) in [
        ("Fail", "OWN", Body::Failed, Effects::Unknown, [Next::CheckFirst, Next::MayRetry, Next::MayRetry]),
        ("FailNoEffects", "OWN", Body::Failed, Effects::None, [Next::MayRetry; 3]),
        ("FailPossible", "OWN", Body::Failed, Effects::Possible, [Next::CheckFirst, Next::CheckFirst, Next::MayRetry]),
        ("FailSafe", "OWN", Body::Failed, Effects::Unknown, [Next::RetryNow; 3]),
        (
            "FailSafePossible",
            "OWN",
            Body::Failed,
            Effects::Possible,
            [Next::CheckFirst, Next::CheckFirst, Next::RetryNow],
        ),
        ("FailAfter", "OWN", Body::Failed, Effects::Unknown, [after; 3]),
        ("FailCorrected", "OWN", Body::Failed, Effects::Unknown, [Next::Correct; 3]),
        ("FailNever", "OWN", Body::Failed, Effects::Unknown, [Next::GiveUp; 3]),
        (
            "FailNeverPossible",
            "OWN",
            Body::Failed,
            Effects::Possible,
            [Next::CheckFirst, Next::CheckFirst, Next::GiveUp],
        ),
        ("FailFatal", "OWN", Body::Failed, Effects::Unknown, [Next::Stop; 3]),
        (
            "FailAsIfInvalid",
            "INVALID_TOOL_OUTPUT",
            Body::Failed,
            Effects::Unknown,
            [Next::CheckFirst, Next::MayRetry, Next::MayRetry],
        ),
    ] {
        for (tool, next) in ["change", "look", "put"].into_iter().zip(next) {
            let told = if tool == "look" && told == Effects::Unknown { Effects::None } else { told };
            let said = (code, body, told, Failed(Stage::Execute), next);
            assert_said(&format!("{tool} {way}"), &call(&dispatcher, tool, way).await, said);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_ended_otherwise_than_with_an_error_of_its_own_may_have_changed_something() {
    let dispatcher = dispatcher();
    for (way, code, body, stage, next) in [
        ("Panic", "PANICKED", Body::Panicked, Stage::Execute, Next::MayRetry),
        ("Hang", "TIMEOUT", Body::Dropped, Stage::Execute, Next::MayRetry),
        ("StopWhenTold", "TIMEOUT", Body::Returned, Stage::Execute, Next::MayRetry),
        ("BreakTheSchema", "INVALID_TOOL_OUTPUT", Body::Returned, Stage::Accept, Next::GiveUp),
        ("RenderPanics", "INVALID_TOOL_OUTPUT", Body::Returned, Stage::Project, Next::GiveUp),
    ] {
        for (tool, effects, next) in [
            ("change", Effects::Possible, Next::CheckFirst),
            ("look", Effects::None, next),
            ("put", Effects::Possible, next),
        ] {
            let said = (code, body, effects, Failed(stage), next);
            assert_said(&format!("{tool} {way}"), &call(&dispatcher, tool, way).await, said);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_abort_says_whether_the_body_came_to_its_end() {
    let dispatcher = dispatcher();
    for (way, body) in [("Hang", Body::Dropped), ("StopWhenTold", Body::Returned)] {
        let options = CallOptions::default();
        let cancellation = options.cancellation.clone();
        let call = dispatcher.call_with(ToolCall::new("call-1", "change", format!(r#"{{"way":"{way}"}}"#)), options);
        let cancel = async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            cancellation.cancel();
        };
        let (result, ()) = tokio::join!(call, cancel);
        let said = ("ABORTED", body, Effects::Possible, Failed(Stage::Execute), Next::CheckFirst);
        assert_said(way, &result, said);
    }
}

/// Cancels the call's caller once there is a result.
struct CancelsLate(Cancellation);

impl PostPolicy for CancelsLate {
    fn name(&self) -> &'static str {
        "cancels-late"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        self.0.cancel();
        Ok(PostDecision::accept())
    }
}

#[tokio::test(start_paused = true)]
async fn an_abort_while_policies_judge_the_result_ends_the_call_there() {
    for (tool, effects, next) in
        [("change", Effects::Possible, Next::CheckFirst), ("look", Effects::None, Next::MayRetry)]
    {
        let options = CallOptions::default();
        let dispatcher = dispatcher().policy(CancelsLate(options.cancellation.clone()));
        let result = dispatcher.call_with(ToolCall::new("call-1", tool, r#"{"way":"Return"}"#), options).await;
        assert_said(tool, &result, ("ABORTED", Body::Returned, effects, Failed(Stage::Decide), next));
    }
}

/// Blocks everything, or fails at everything.
struct Withholds {
    by_failing: bool,
}

impl PostPolicy for Withholds {
    fn name(&self) -> &'static str {
        "withholds"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        if self.by_failing { Err(ToolError::msg("a secret")) } else { Ok(PostDecision::block("withheld")) }
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        if self.by_failing { Err(ToolError::msg("a secret")) } else { Ok(FailureDecision::block("withheld")) }
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_policy_withheld_keeps_what_is_known_of_the_body() {
    for (by_failing, code, harmless) in [(false, "BLOCKED", Next::GiveUp), (true, "POLICY_FAILED", Next::MayRetry)] {
        let dispatcher = dispatcher().policy(Withholds { by_failing });
        for (tool, way, body, effects, next) in [
            ("change", "Return", Body::Returned, Effects::Possible, Next::CheckFirst),
            ("look", "Return", Body::Returned, Effects::None, harmless),
            ("put", "Return", Body::Returned, Effects::Possible, harmless),
            ("change", "Dance", Body::NotEntered, Effects::None, harmless),
            ("nothing", "Return", Body::NotEntered, Effects::None, harmless),
            ("change", "Fail", Body::Failed, Effects::Unknown, Next::CheckFirst),
            ("change", "FailNoEffects", Body::Failed, Effects::None, harmless),
            ("change", "Hang", Body::Dropped, Effects::Possible, Next::CheckFirst),
            ("change", "Panic", Body::Panicked, Effects::Possible, Next::CheckFirst),
        ] {
            let said = (code, body, effects, Failed(Stage::Decide), next);
            assert_said(&format!("{tool} {way} {code}"), &call(&dispatcher, tool, way).await, said);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_replacement_that_is_refused_is_a_failure_of_the_decision() {
    let bad = PostDecision::replace_value(serde_json::json!({"n": 99}));
    let result = call(&dispatcher().policy(Decided(bad)), "change", "Return").await;
    assert_eq!(tests::verdicts(&result), [("decided", Verdict::RefusedReplacement)]);
    let said = ("INVALID_TOOL_OUTPUT", Body::Returned, Effects::Possible, Failed(Stage::Decide), Next::CheckFirst);
    assert_said("refused", &result, said);

    let good = PostDecision::replace_value(serde_json::json!({"n": 3}));
    let result = call(&dispatcher().policy(Decided(good)), "change", "Return").await;
    assert_said("replaced", &result, ("OK", Body::Returned, Effects::Possible, Succeeded, Next::Nothing));
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_policies_let_pass_is_still_that_of_its_stage() {
    let dispatcher = dispatcher().policy(Decided(PostDecision::accept()));
    let said = ("INVALID_ARGS", Body::NotEntered, Effects::None, Failed(Stage::Decode), Next::Correct);
    assert_said("accepted", &call(&dispatcher, "change", "Dance").await, said);
}

#[tokio::test(start_paused = true)]
async fn a_receipt_is_plain_data_and_a_sentence() {
    let dispatcher = dispatcher();
    for (way, json, sentence) in [
        (
            "Return",
            r#"{"body":"returned","effects":"possible","outcome":"succeeded","next":"nothing"}"#,
            "the call succeeded; the body returned a value; something may have changed; there is nothing to do",
        ),
        (
            "FailAfter",
            r#"{"body":"failed","effects":"unknown","outcome":{"failed":"execute"},"next":{"retry_after_ms":2000}}"#,
            "the call failed at execute; the body returned an error; whether something has changed is not known; try the \
             same call again after 2000ms",
        ),
        (
            "Dance",
            r#"{"body":"not_entered","effects":"none","outcome":{"failed":"decode"},"next":"correct"}"#,
            "the call failed at decode; the body was not entered; nothing has changed; send a corrected call",
        ),
    ] {
        let receipt = call(&dispatcher, "change", way).await.receipt();
        assert_eq!(serde_json::to_string(&receipt).unwrap(), json);
        assert_eq!(serde_json::from_str::<Receipt>(json).unwrap(), receipt);
        assert_eq!(receipt.to_string(), sentence);
    }
}

/// A typed call's failure has a receipt too.
#[tokio::test(start_paused = true)]
async fn a_program_s_failure_has_a_receipt() {
    #[derive(Tool, serde::Serialize)]
    #[serde(crate = "tool_runtime::serde")]
    #[tool(output = Out, render = json, description = "Fail.")]
    struct Fails {}

    impl Execute for Fails {
        async fn execute(&self, _: &Context) -> Result<Out, ToolError> {
            Err(ToolError::new(OWN, "it failed").retry(Retry::Never).effects(Effects::None))
        }
    }

    let failure = tests::dispatcher_of::<Fails>().invoke(Fails {}).await.err().unwrap();
    assert_eq!(failure.receipt().outcome, Failed(Stage::Execute));
    assert_eq!(failure.receipt().next, Next::GiveUp);
}

/// A layer that answers for the body.
struct Answers(JsonValue);

struct Answering(JsonValue);

impl Layer<ToolService> for Answers {
    type Service = Answering;

    fn layer(&self, _: ToolService) -> Answering {
        Answering(self.0.clone())
    }
}

impl Service<ToolRequest> for Answering {
    type Response = ToolResponse;
    type Error = BoxError;
    type Future = Ready<Result<ToolResponse, BoxError>>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: ToolRequest) -> Self::Future {
        ready(Ok(ToolResponse::value(self.0.clone())))
    }
}

#[tokio::test(start_paused = true)]
async fn a_layer_that_answers_for_the_body_has_changed_nothing() {
    let answered = dispatcher().layer(Answers(serde_json::json!({"n": 3})));
    let said = ("OK", Body::NotEntered, Effects::None, Succeeded, Next::Nothing);
    assert_said("answered", &call(&answered, "change", "Return").await, said);

    let refused = dispatcher().layer(Answers(serde_json::json!({"n": 99})));
    let said = ("INVALID_TOOL_OUTPUT", Body::NotEntered, Effects::None, Failed(Stage::Accept), Next::GiveUp);
    assert_said("refused", &call(&refused, "change", "Return").await, said);

    let options = CallOptions::default();
    let late = answered.policy(CancelsLate(options.cancellation.clone()));
    let result = late.call_with(ToolCall::new("call-1", "change", r#"{"way":"Return"}"#), options).await;
    let said = ("ABORTED_BEFORE_DISPATCH", Body::NotEntered, Effects::None, Failed(Stage::Decide), Next::RetryNow);
    assert_said("late", &result, said);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_a_layer_dropped_is_told_as_dropped() {
    let dispatcher = dispatcher().layer(TimeoutLayer::new(Duration::from_secs(1)));
    for (tool, effects, next) in
        [("change", Effects::Possible, Next::CheckFirst), ("look", Effects::None, Next::MayRetry)]
    {
        let said = ("LAYER_FAILED", Body::Dropped, effects, Failed(Stage::Execute), next);
        assert_said(tool, &call(&dispatcher, tool, "Hang").await, said);
    }
    let said = ("INVALID_TOOL_OUTPUT", Body::Returned, Effects::Possible, Failed(Stage::Accept), Next::CheckFirst);
    assert_said("through a layer", &call(&dispatcher, "change", "BreakTheSchema").await, said);
    let said = ("PANICKED", Body::Panicked, Effects::Possible, Failed(Stage::Execute), Next::CheckFirst);
    assert_said("through a layer", &call(&dispatcher, "change", "Panic").await, said);
}
