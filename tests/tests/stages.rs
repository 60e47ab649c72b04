//! The stages of a call: the code of each failure, the order of the stages, and exactly one result.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tests::{Decided, Seen, code, dispatcher_of};
use tool_runtime::prelude::*;
use tool_runtime::{Effects, Retry, Severity, TextProfile, serde_json};

/// Do what the argument says.
#[derive(Tool)]
#[tool(output = Out, present)]
struct Act {
    what: What,
}

#[tool_input]
enum What {
    Succeed,
    Fail,
    FailWithCode,
    FailWithQuestionMark,
    BreakTheSchema,
}

#[tool_output]
struct Out {
    #[schemars(range(max = 9))]
    n: u8,
}

const OWN: Code = Code::new("FS_NOT_FOUND");

impl Execute for Act {
    async fn execute(&self, cx: &Context) -> Result<Out, ToolError> {
        cx.add_context("left by the body");
        match self.what {
            What::Succeed => Ok(Out { n: 1 }),
            What::Fail => Err(ToolError::msg("it failed")),
            What::FailWithCode => Err(ToolError::new(OWN, "no such file")
                .retry(Retry::Never)
                .effects(Effects::None)
                .details(serde_json::json!({"path": "a"}))),
            What::FailWithQuestionMark => Ok(Out { n: "x".parse()? }),
            What::BreakTheSchema => Ok(Out { n: 10 }),
        }
    }
}

impl Render for Act {
    fn render(&self, out: &Out) -> Content {
        Content::text(format!("n = {}", out.n))
    }
}

impl Present for Act {
    type Meta = u8;

    fn meta(&self, out: &Out) -> u8 {
        out.n
    }
}

async fn act(what: &str) -> ToolResult {
    let call = ToolCall::new("call-1", "act", format!("{{\"what\":\"{what}\"}}"));
    dispatcher_of::<Act>().call(call).await
}

fn failure(result: &ToolResult) -> &Failure {
    result.failure().unwrap_or_else(|| panic!("{result:?}"))
}

#[tokio::test]
async fn a_success_has_value_content_meta_and_contexts() {
    let result = act("Succeed").await;
    let success = result.success().unwrap();
    assert_eq!((success.value().as_str(), success.content().to_text().as_str()), (r#"{"n":1}"#, "n = 1"));
    assert_eq!(success.meta(), Some(&serde_json::json!(1)));
    assert_eq!(success.contexts(), [Content::text("left by the body")]);
    assert_eq!(success.canonical().to_json(), serde_json::json!({"n": 1}));
    assert!(!success.concludes_turn());
}

#[tokio::test]
async fn admit_fails_for_an_unknown_tool_with_the_nearest_name() {
    let dispatcher = dispatcher_of::<Act>();
    let result = dispatcher.call(ToolCall::new("call-1", "Act", "not even JSON")).await;
    let failure = failure(&result);
    assert_eq!(failure.code(), &Code::UNKNOWN_TOOL);
    assert_eq!(failure.error().message(), r#"unknown tool "Act"; did you mean "act"?"#);
    assert_eq!((failure.error().known_effects(), failure.error().retry_advice()), (Effects::None, Retry::Corrected));
    assert_eq!((failure.call_id(), failure.tool_name()), ("call-1", "Act"));
    assert!(failure.contexts().is_empty() && failure.meta().is_none());
}

#[tokio::test]
async fn decode_fails_before_the_body_and_says_that_a_corrected_call_may_work() {
    let result = act("Dance").await;
    let failure = failure(&result);
    assert_eq!(failure.code(), &Code::INVALID_ARGS);
    assert_eq!((failure.error().known_effects(), failure.error().retry_advice()), (Effects::None, Retry::Corrected));
    assert!(failure.contexts().is_empty(), "the body did not run");
}

#[tokio::test]
async fn a_body_fails_with_its_own_code_or_the_general_one() {
    let result = act("Fail").await;
    assert_eq!(failure(&result).code(), &Code::EXECUTION_ERROR);
    assert_eq!(result.content().to_text(), "Error [EXECUTION_ERROR]: it failed");
    assert_eq!(result.contexts(), [Content::text("left by the body")]);

    let result = act("FailWithCode").await;
    let error = failure(&result).error();
    assert_eq!(error.code(), &OWN);
    assert_eq!(error.message(), "no such file");
    assert_eq!((error.retry_advice(), error.known_effects()), (Retry::Never, Effects::None));
    assert_eq!(error.structured_details(), Some(&serde_json::json!({"path": "a"})));
    assert_eq!(error.severity(), Severity::Recoverable);
    assert_eq!(result.content().to_text(), "Error [FS_NOT_FOUND]: no such file");

    let result = act("FailWithQuestionMark").await;
    assert_eq!(failure(&result).code(), &Code::EXECUTION_ERROR);
    assert_eq!(failure(&result).error().message(), "invalid digit found in string");
    assert!(failure(&result).error().source().unwrap().is::<std::num::ParseIntError>());
}

#[tokio::test]
async fn accept_refuses_a_value_that_breaks_the_schema_and_shows_nothing_of_it() {
    let result = act("BreakTheSchema").await;
    let failure = failure(&result);
    assert_eq!(failure.code(), &Code::INVALID_TOOL_OUTPUT);
    let told = concat!(
        r#"tool "act" returned invalid output: "/n" must be at most 9, got 10; "#,
        "the tool has run and may have changed something: check before you call it again"
    );
    assert_eq!(failure.error().message(), told);
    assert_eq!(failure.error().known_effects(), Effects::Possible, "the body has run");
    assert!(failure.meta().is_none());
    assert_eq!(result.contexts(), [Content::text("left by the body")]);
}

#[tokio::test]
async fn decide_blocks_or_withholds() {
    let blocked = dispatcher_of::<Act>()
        .policy(Decided(PostDecision::block("not for you")))
        .call(ToolCall::new("call-1", "act", r#"{"what":"Succeed"}"#))
        .await;
    assert_eq!(failure(&blocked).code(), &Code::BLOCKED);
    assert_eq!(blocked.content().to_text(), "not for you");
    assert!(blocked.contexts().is_empty() && blocked.meta().is_none());
}

/// Notes that it ran.
struct Counts(Arc<AtomicUsize>, Arc<AtomicUsize>);

impl PostPolicy for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        assert!(call.arguments().is_some());
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(PostDecision::accept())
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, _: &Failure) -> Result<FailureDecision, ToolError> {
        self.1.fetch_add(1, Ordering::SeqCst);
        Ok(FailureDecision::accept())
    }
}

#[tokio::test]
async fn every_failure_goes_through_the_policies_and_each_call_is_published_once() {
    let (successes, failures, seen) = (Arc::default(), Arc::default(), Seen::default());
    let dispatcher = dispatcher_of::<Act>()
        .policy(Counts(Arc::clone(&successes), Arc::clone(&failures)))
        .observer(seen.clone())
        .observer(Seen::default());
    let calls = [
        ("act", r#"{"what":"Succeed"}"#, "OK"),
        ("none", "{}", "UNKNOWN_TOOL"),
        ("act", "{", "INVALID_ARGS"),
        ("act", r#"{"what":"Fail"}"#, "EXECUTION_ERROR"),
        ("act", r#"{"what":"FailWithCode"}"#, "FS_NOT_FOUND"),
        ("act", r#"{"what":"BreakTheSchema"}"#, "INVALID_TOOL_OUTPUT"),
    ];
    for (index, (name, arguments, expected)) in calls.into_iter().enumerate() {
        let result = dispatcher.call(ToolCall::new("call-1", name, arguments)).await;
        assert_eq!(code(&result), expected);
        assert_eq!(seen.codes().len(), index + 1, "{expected}");
    }
    assert_eq!(seen.codes(), calls.map(|(_, _, expected)| expected));
    assert_eq!((successes.load(Ordering::SeqCst), failures.load(Ordering::SeqCst)), (1, 5));
}

#[tokio::test]
async fn a_policy_learns_the_call_and_its_arguments_only_if_they_were_taken() {
    struct Learns(Arc<std::sync::Mutex<Vec<String>>>);

    impl PostPolicy for Learns {
        fn name(&self) -> &'static str {
            "learns"
        }

        async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
            self.0.lock().unwrap().push(format!("{call:?}"));
            Ok(PostDecision::accept())
        }

        async fn on_failure(&self, call: &PolicyCall<'_>, failure: &Failure) -> Result<FailureDecision, ToolError> {
            let arguments = call.arguments().map(ToString::to_string);
            let line = format!("{} {} {:?} {}", call.call_id(), call.tool_name(), arguments, failure.code());
            self.0.lock().unwrap().push(line);
            Ok(FailureDecision::accept())
        }
    }

    let lines = Arc::default();
    let dispatcher = dispatcher_of::<Act>().policy(Learns(Arc::clone(&lines)));
    for (id, name, arguments) in
        [("1", "act", r#"{"what":"Fail"}"#), ("2", "act", r#"{"what":"x"}"#), ("3", "none", r#"{"what":"Fail"}"#)]
    {
        assert!(!dispatcher.call(ToolCall::new(id, name, arguments)).await.is_success());
    }
    let expected =
        [r#"1 act Some("{\"what\":\"Fail\"}") EXECUTION_ERROR"#, "2 act None INVALID_ARGS", "3 none None UNKNOWN_TOOL"];
    assert_eq!(*lines.lock().unwrap(), expected);
}

#[tokio::test]
async fn the_plain_profile_leaves_the_code_out_of_the_text_and_nothing_else() {
    let call = || ToolCall::new("call-1", "act", r#"{"what":"FailWithCode"}"#);
    let plain = dispatcher_of::<Act>().text_profile(TextProfile::Plain).call(call()).await;
    assert_eq!(plain.content().to_text(), "Error: no such file");
    assert_eq!(failure(&plain).code(), &OWN);
    assert_eq!(failure(&plain).error().message(), "no such file");
    let coded = dispatcher_of::<Act>().call(call()).await;
    assert_eq!(coded.content().to_text(), "Error [FS_NOT_FOUND]: no such file");
}

#[tokio::test]
async fn a_failure_hands_on_its_error_with_its_code() {
    let error = act("FailWithCode").await.into_result().unwrap_err();
    assert_eq!(error.to_string(), "act [FS_NOT_FOUND]: no such file");
    let error = error.into_error();
    assert_eq!(error.code(), &OWN);
    assert!(act("Succeed").await.into_result().is_ok());
}

/// End the turn, and fail if told to.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Conclude {
    fail: bool,
}

impl Execute for Conclude {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        cx.conclude_turn();
        assert_eq!((cx.call_id(), cx.tool_name()), ("call-1", "conclude"));
        if self.fail { Err(ToolError::msg("it failed")) } else { Ok("done".into()) }
    }
}

#[tokio::test]
async fn only_a_success_concludes_the_turn() {
    let done = tests::call::<Conclude>(r#"{"fail":false}"#).await;
    assert!(done.success().unwrap().concludes_turn());
    assert_eq!(code(&tests::call::<Conclude>(r#"{"fail":true}"#).await), "EXECUTION_ERROR");
}

#[test]
fn no_code_of_the_table_is_unknown_to_the_constants() {
    for (name, _) in Code::TABLE {
        assert_eq!(Code::try_from((*name).to_owned()).unwrap().as_str(), *name);
    }
}
