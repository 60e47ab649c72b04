//! What decides before a body is entered: policies, a person, guards; in this order, and never in favour of a call that one
//! of them is against.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tests::{Seen, code, quiet_panics, verdicts};
use tool_runtime::prelude::*;
use tool_runtime::{DynamicTool, Verdict, serde_json};

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

/// Remove a file.
#[derive(Tool, serde::Serialize)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = String, render = display, destructive)]
struct Remove {
    #[schemars(length(min = 1))]
    path: String,
}

use tool_runtime::serde;

impl Execute<Log> for Remove {
    async fn execute(&self, cx: &Context<Log>) -> Result<String, ToolError> {
        cx.state().note(format!("body {}", self.path));
        Ok(format!("removed {}", self.path))
    }
}

/// How a judge answers.
#[derive(Clone)]
enum Way {
    Says(PreDecision),
    Errs,
    Panics,
    Hangs,
}

struct Judge {
    name: &'static str,
    way: Way,
    log: Log,
}

impl PrePolicy for Judge {
    fn name(&self) -> &str {
        self.name
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let path = call.arguments_as::<Remove>().map_or("-", |remove| &remove.path).to_owned();
        assert_eq!(call.behaviour().is_destructive(), Some(true));
        self.log.note(format!("{} {path}", self.name));
        match &self.way {
            Way::Says(decision) => Ok(decision.clone()),
            Way::Errs => Err(ToolError::msg("the secret is 42")),
            Way::Panics => panic!("on purpose: the secret is 42"),
            Way::Hangs => pending().await,
        }
    }
}

#[derive(Clone)]
enum Person {
    Answers(Approval),
    Errs,
    Panics,
    Hangs,
}

struct Desk {
    person: Person,
    log: Log,
}

impl Approver for Desk {
    fn name(&self) -> &'static str {
        "desk"
    }

    async fn approve(&self, request: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        let reasons = request.reasons().join(", ");
        let asked = format!("{} {} {}", request.call_id(), request.tool_name(), request.arguments());
        self.log.note(format!("desk {asked} ({reasons})"));
        match &self.person {
            Person::Answers(approval) => Ok(approval.clone()),
            Person::Errs => Err(ToolError::msg("the secret is 42")),
            Person::Panics => panic!("on purpose: the secret is 42"),
            Person::Hangs => pending().await,
        }
    }
}

struct Fence {
    denial: Option<&'static str>,
    panics: bool,
    log: Log,
}

impl Guard for Fence {
    fn name(&self) -> &'static str {
        "fence"
    }

    fn denies(&self, call: &PolicyCall<'_>) -> Option<String> {
        self.log.note(format!("fence {}", call.arguments().unwrap()["path"].as_str().unwrap()));
        assert!(!self.panics, "on purpose: the secret is 42");
        self.denial.map(str::to_owned)
    }
}

/// Notes that it saw the result, with the arguments that it was told.
struct After(Log);

impl PostPolicy for After {
    fn name(&self) -> &'static str {
        "after"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        self.0.note(format!("after {}", call.arguments().unwrap()["path"]));
        Ok(PostDecision::accept())
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, failure: &Failure) -> Result<FailureDecision, ToolError> {
        self.0.note(format!("after {}", failure.code()));
        Ok(FailureDecision::accept())
    }
}

/// A dispatcher whose parts note what they see.
struct Scene {
    dispatcher: Dispatcher,
    log: Log,
    seen: Seen,
}

impl Scene {
    fn new() -> Self {
        quiet_panics();
        let (log, seen) = (Log::default(), Seen::default());
        let mut registry = Registry::new();
        registry.with(log.clone()).tool::<Remove>().unwrap();
        Self { dispatcher: Dispatcher::new(registry).policy(After(log.clone())).observer(seen.clone()), log, seen }
    }

    fn judge(self, name: &'static str, way: Way) -> Self {
        let judge = Judge { name, way, log: self.log.clone() };
        Self { dispatcher: self.dispatcher.pre_policy(judge), ..self }
    }

    fn says(self, name: &'static str, decision: PreDecision) -> Self {
        self.judge(name, Way::Says(decision))
    }

    fn person(self, person: Person) -> Self {
        let desk = Desk { person, log: self.log.clone() };
        Self { dispatcher: self.dispatcher.approver(desk), ..self }
    }

    fn fence(self, denial: Option<&'static str>, panics: bool) -> Self {
        let fence = Fence { denial, panics, log: self.log.clone() };
        Self { dispatcher: self.dispatcher.guard(fence), ..self }
    }

    async fn call(&self) -> ToolResult {
        self.dispatcher.call(ToolCall::new("call-1", "remove", r#"{"path":"a"}"#)).await
    }

    /// The code and the model's text of a call, which must not have run.
    async fn refused(&self) -> (String, String) {
        let result = self.call().await;
        let lines = self.log.lines();
        assert!(!lines.iter().any(|line| line.starts_with("body")), "{lines:?}");
        let failure = result.failure().unwrap();
        assert_eq!(failure.error().known_effects(), Effects::None);
        assert_eq!(lines.last(), Some(&format!("after {}", failure.code())), "policies after execution see it");
        assert_eq!(self.seen.codes(), [failure.code().as_str()], "one result");
        assert!(!format!("{result:?}").contains("42"), "what a policy said is nowhere in the result");
        (failure.code().to_string(), failure.error().message().to_owned())
    }
}

fn asks() -> PreDecision {
    PreDecision::ask("it removes a file")
}

fn granted() -> Person {
    Person::Answers(Approval::Granted)
}

#[tokio::test]
async fn policies_judge_in_order_then_a_person_then_guards_then_it_runs() {
    let scene = Scene::new()
        .says("one", PreDecision::allow())
        .says("two", asks())
        .says("three", PreDecision::ask("and once more"))
        .person(granted())
        .fence(None, false);
    let result = scene.call().await;
    assert_eq!(result.content().to_text(), "removed a");
    assert_eq!(
        scene.log.lines(),
        [
            "one a",
            "two a",
            "three a",
            r#"desk call-1 remove {"path":"a"} (it removes a file, and once more)"#,
            "fence a",
            "body a",
            r#"after "a""#,
        ]
    );
    assert_eq!(
        verdicts(&result),
        [
            ("one", Verdict::Allowed),
            ("two", Verdict::Asked),
            ("three", Verdict::Asked),
            ("desk", Verdict::Granted),
            ("fence", Verdict::Allowed),
            ("after", Verdict::Accepted),
        ]
    );
}

#[tokio::test]
async fn a_denial_ends_the_call_and_is_what_the_model_reads() {
    let scene = Scene::new().says("one", PreDecision::deny("not on Mondays")).says("two", asks()).person(granted());
    assert_eq!(scene.refused().await, ("DENIED".into(), "not on Mondays".into()));
    assert_eq!(scene.log.lines(), ["one a", "after DENIED"], "nobody else is asked");
    let result = scene.call().await;
    assert_eq!(result.content().to_text(), "Error [DENIED]: not on Mondays");
    assert_eq!(verdicts(&result), [("one", Verdict::Denied), ("after", Verdict::Accepted)]);
}

#[tokio::test]
async fn a_policy_may_cancel_in_the_caller_s_stead() {
    let scene = Scene::new().says("one", PreDecision::Cancel);
    assert_eq!(scene.refused().await, ("ABORTED_BEFORE_DISPATCH".into(), "tool call aborted before dispatch".into()));
}

#[tokio::test]
async fn what_needs_approval_fails_where_nobody_can_be_asked() {
    let scene = Scene::new().says("one", asks());
    let told = r#"tool "remove" requires approval, and there is nobody to ask: it removes a file"#;
    assert_eq!(scene.refused().await, ("APPROVAL_UNAVAILABLE".into(), told.into()));
    let scene = Scene::new().says("one", PreDecision::Ask { reason: None });
    let told = r#"tool "remove" requires approval, and there is nobody to ask"#;
    assert_eq!(scene.refused().await, ("APPROVAL_UNAVAILABLE".into(), told.into()));
}

#[tokio::test]
async fn only_a_grant_lets_it_run() {
    let rejected = Approval::Rejected { reason: None };
    let because = Approval::Rejected { reason: Some("use archive".into()) };
    let cases = [
        (rejected, "APPROVAL_REJECTED", r#"the user rejected tool "remove""#, Verdict::Rejected),
        (because, "APPROVAL_REJECTED", r#"the user rejected tool "remove": use archive"#, Verdict::Rejected),
        (
            Approval::Cancelled,
            "APPROVAL_UNAVAILABLE",
            r#"approval for tool "remove" was cancelled"#,
            Verdict::Unanswered,
        ),
        (
            Approval::Unavailable,
            "APPROVAL_UNAVAILABLE",
            r#"tool "remove" requires approval, but no approval channel is available"#,
            Verdict::Unanswered,
        ),
    ];
    for (approval, code, message, verdict) in cases {
        let scene = Scene::new().says("one", asks()).person(Person::Answers(approval));
        assert_eq!(scene.refused().await, (code.into(), message.into()));
        assert_eq!(verdicts(&scene.call().await)[1], ("desk", verdict));
    }
}

#[tokio::test]
async fn a_grant_is_for_one_call() {
    let scene = Scene::new().says("one", asks()).person(granted());
    for _ in 0..2 {
        assert!(scene.call().await.is_success());
    }
    assert_eq!(scene.log.lines().iter().filter(|line| line.starts_with("desk")).count(), 2);
}

#[tokio::test]
async fn a_call_that_cannot_run_is_never_shown_to_a_person() {
    let scene = Scene::new().says("one", asks()).says("two", PreDecision::deny("no")).person(granted());
    scene.refused().await;
    for call in [ToolCall::new("c", "remove", r#"{"path":""}"#), ToolCall::new("c", "erase", r#"{"path":"a"}"#)] {
        assert!(!scene.dispatcher.call(call).await.is_success());
    }
    let lines = scene.log.lines();
    assert!(!lines.iter().any(|line| line.starts_with("desk")), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("one")).count(), 1, "policies see only what can run");
}

#[tokio::test(start_paused = true)]
async fn a_policy_that_gives_no_answer_denies_and_the_model_reads_its_name_alone() {
    let told = r#"the policy "one" failed, so the call was denied; the tool has not run"#;
    for way in [Way::Errs, Way::Panics, Way::Hangs] {
        let scene = Scene::new().judge("one", way).person(granted());
        assert_eq!(scene.refused().await, ("POLICY_FAILED".into(), told.into()));
        assert_eq!(verdicts(&scene.call().await)[0], ("one", Verdict::Failed));
    }
}

#[tokio::test(start_paused = true)]
async fn an_approver_that_gives_no_answer_denies() {
    let told = r#"the policy "desk" failed, so the call was denied; the tool has not run"#;
    for person in [Person::Errs, Person::Panics] {
        let scene = Scene::new().says("one", asks()).person(person);
        assert_eq!(scene.refused().await, ("POLICY_FAILED".into(), told.into()));
    }
    let scene = Scene::new().says("one", asks()).person(Person::Hangs);
    let told = r#"tool "remove" requires approval, and nobody answered within 600000ms"#;
    assert_eq!(scene.refused().await, ("APPROVAL_UNAVAILABLE".into(), told.into()));
}

#[tokio::test(start_paused = true)]
async fn a_policy_after_execution_that_hangs_withholds_the_result() {
    struct Hangs;
    impl PostPolicy for Hangs {
        fn name(&self) -> &'static str {
            "hangs"
        }
        async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
            pending().await
        }
    }
    let scene = Scene::new();
    let result = scene.dispatcher.clone().policy(Hangs).call(ToolCall::new("c", "remove", r#"{"path":"a"}"#)).await;
    assert_eq!(code(&result), "POLICY_FAILED");
    assert!(result.content().to_text().contains("the tool has run"), "{result:?}");
}

#[tokio::test]
async fn a_guard_has_the_last_word() {
    let scene = Scene::new().says("one", asks()).person(granted()).fence(Some("outside of the fence"), false);
    assert_eq!(scene.refused().await, ("DENIED".into(), "outside of the fence".into()));
    let scene = Scene::new().fence(None, true);
    let told = r#"the policy "fence" failed, so the call was denied; the tool has not run"#;
    assert_eq!(scene.refused().await, ("POLICY_FAILED".into(), told.into()));
}

#[tokio::test]
async fn rewritten_arguments_are_what_everyone_after_sees_and_what_runs() {
    let scene = Scene::new()
        .says("one", PreDecision::rewrite(serde_json::json!({"path": "b"})))
        .says("two", asks())
        .person(granted())
        .fence(None, false);
    let result = scene.call().await;
    assert_eq!(result.content().to_text(), "removed b");
    let shown = r#"desk call-1 remove {"path":"b"} (it removes a file)"#;
    assert_eq!(scene.log.lines(), ["one a", "two b", shown, "fence b", "body b", r#"after "b""#]);
    let [rewritten] = result.trace().rewritten() else { panic!("{:?}", result.trace()) };
    assert_eq!(rewritten.policy(), "one");
    assert_eq!(
        (rewritten.before(), rewritten.after()),
        (&serde_json::json!({"path": "a"}), &serde_json::json!({"path": "b"}))
    );
    assert_eq!(verdicts(&result)[0], ("one", Verdict::Rewrote));
    assert_eq!(result.call_id(), "call-1");
}

#[tokio::test]
async fn arguments_rewritten_into_wrong_ones_are_the_policy_s_failure() {
    for wrong in [serde_json::json!({"path": ""}), serde_json::json!({"file": "b"}), serde_json::json!([])] {
        let scene = Scene::new().says("one", PreDecision::rewrite(wrong)).says("two", PreDecision::allow());
        let told = r#"the policy "one" failed, so the call was denied; the tool has not run"#;
        assert_eq!(scene.refused().await, ("POLICY_FAILED".into(), told.into()));
        assert_eq!(scene.log.lines(), ["one a", "after POLICY_FAILED"]);
        let result = scene.call().await;
        let [warning] = result.trace().warnings() else { panic!("{:?}", result.trace()) };
        assert!(warning.contains(r#"the policy "one" failed: it rewrote the arguments into some"#), "{warning}");
        assert!(scene.call().await.trace().rewritten().is_empty());
    }
}

#[tokio::test]
async fn a_caller_that_cancels_overtakes_whoever_is_asked() {
    let judged = Scene::new().judge("one", Way::Hangs);
    let asked = Scene::new().says("one", asks()).person(Person::Hangs);
    for scene in [judged, asked] {
        let cancellation = Cancellation::new();
        let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
        let call = scene.dispatcher.call_with(ToolCall::new("c", "remove", r#"{"path":"a"}"#), options);
        let cancel = async {
            tokio::task::yield_now().await;
            cancellation.cancel();
        };
        let (result, ()) = tokio::join!(call, cancel);
        assert_eq!(code(&result), "ABORTED_BEFORE_DISPATCH");
        assert_eq!(scene.log.lines().last().unwrap(), "after ABORTED_BEFORE_DISPATCH");
    }
}

#[tokio::test]
async fn a_denial_outlives_a_cancellation_that_came_with_it() {
    struct DeniesAndCancels(Cancellation, PreDecision);
    impl PrePolicy for DeniesAndCancels {
        fn name(&self) -> &'static str {
            "both"
        }
        async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
            self.0.cancel();
            Ok(self.1.clone())
        }
    }
    for (decision, expected) in [
        (PreDecision::deny("no"), "DENIED"),
        (PreDecision::allow(), "ABORTED_BEFORE_DISPATCH"),
        (asks(), "ABORTED_BEFORE_DISPATCH"),
    ] {
        let scene = Scene::new();
        let cancellation = Cancellation::new();
        let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
        let dispatcher = scene.dispatcher.clone().pre_policy(DeniesAndCancels(cancellation, decision));
        let result = dispatcher.call_with(ToolCall::new("c", "remove", r#"{"path":"a"}"#), options).await;
        assert_eq!(code(&result), expected);
        assert!(!scene.log.lines().iter().any(|line| line.starts_with("body")));
    }
}

#[tokio::test]
async fn a_program_s_call_is_judged_as_a_model_s() {
    let scene = Scene::new().says("one", PreDecision::deny("not from programs either"));
    let failure = scene.dispatcher.invoke(Remove { path: "a".into() }).await.unwrap_err();
    assert_eq!(failure.code(), &Code::DENIED);
    assert_eq!(scene.log.lines(), ["one a", "after DENIED"]);
    let scene = Scene::new().says("one", PreDecision::rewrite(serde_json::json!({"path": "b"})));
    assert_eq!(scene.dispatcher.invoke(Remove { path: "a".into() }).await.unwrap(), "removed b");
}

#[tokio::test]
async fn dynamic_tools_are_judged_and_rewritten_alike() {
    struct Rewrites;
    impl PrePolicy for Rewrites {
        fn name(&self) -> &'static str {
            "rewrites"
        }
        async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
            let text = call.arguments().unwrap()["text"].as_str().unwrap().to_owned();
            Ok(PreDecision::rewrite(serde_json::json!({"text": text + "!"})))
        }
    }
    let shout = DynamicTool::new("shout", "Say it.", |arguments, _| async move { Ok(arguments["text"].clone()) })
        .input_schema(serde_json::json!({"type": "object", "properties": {"text": {"type": "string", "maxLength": 3}}}))
        .output_schema(serde_json::json!({"type": "string"}));
    let mut registry = Registry::new();
    registry.dynamic(shout).unwrap();
    let dispatcher = Dispatcher::new(registry).pre_policy(Rewrites);
    let result = dispatcher.call(ToolCall::new("c", "shout", r#"{"text":"hi"}"#)).await;
    assert_eq!(result.content().to_text(), r#""hi!""#);
    let result = dispatcher.call(ToolCall::new("c", "shout", r#"{"text":"hey"}"#)).await;
    assert_eq!(code(&result), "POLICY_FAILED");
}

#[tokio::test(start_paused = true)]
async fn a_policy_s_time_is_the_host_s_to_set() {
    let limits = Limits { policy_time: Duration::from_millis(5), ..Limits::default() };
    let scene = Scene::new().judge("one", Way::Hangs);
    let dispatcher = scene.dispatcher.clone().limits(limits);
    let started = tokio::time::Instant::now();
    assert_eq!(code(&dispatcher.call(ToolCall::new("c", "remove", r#"{"path":"a"}"#)).await), "POLICY_FAILED");
    assert_eq!(started.elapsed().as_millis(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_bounds_whoever_is_asked_and_keeps_a_late_body_from_being_entered() {
    let told = ("TIMEOUT", "the time for this call was over before the tool ran");
    let judged = Scene::new().judge("one", Way::Hangs);
    let asked = Scene::new().says("one", asks()).person(Person::Hangs);
    let free = Scene::new();
    for (scene, seconds) in [(judged, 2), (asked, 2), (free, 0)] {
        let start = tokio::time::Instant::now();
        let deadline = Some((start + Duration::from_secs(seconds)).into_std());
        let options = CallOptions { deadline, ..CallOptions::default() };
        let result = scene.dispatcher.call_with(ToolCall::new("c", "remove", r#"{"path":"a"}"#), options).await;
        let failure = result.failure().unwrap();
        assert_eq!((failure.code().as_str(), failure.error().message()), told);
        assert_eq!(failure.error().known_effects(), Effects::None);
        assert_eq!(start.elapsed().as_secs(), seconds);
        let withheld = scene.dispatcher.clone().policy(FailsAfter);
        let options = CallOptions { deadline: Some(start.into_std()), ..CallOptions::default() };
        let result = withheld.call_with(ToolCall::new("c", "remove", r#"{"path":"a"}"#), options).await;
        assert!(result.content().to_text().contains("the tool has not run"), "{result:?}");
        assert!(!scene.log.lines().iter().any(|line| line.starts_with("body")));
    }
}

/// A policy after execution that fails.
struct FailsAfter;

impl PostPolicy for FailsAfter {
    fn name(&self) -> &'static str {
        "fails-after"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Err(ToolError::msg("it failed"))
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        Err(ToolError::msg("it failed"))
    }
}
