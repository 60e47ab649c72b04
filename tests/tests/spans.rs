//! What a subscriber sees of a call: one span with OpenTelemetry's names, the events in it, and no content unless asked for.

mod spans {
    pub(crate) mod collector;
}

use std::future::pending;
use std::time::Duration;

use spans::collector::{Collector, Line};
use tests::{Decided, code};
use tool_runtime::prelude::*;
use tool_runtime::{Recorded, Repeats, serde_json};
use tracing::Level;

/// Say something.
#[derive(Tool, serde::Serialize)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = String, render = display, parallel, timeout = "10s")]
struct Say {
    text: String,
}

use tool_runtime::serde;

impl Execute for Say {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        tracing::info!(text = "before", "in the body");
        tokio::time::sleep(Duration::from_secs(1)).await;
        tracing::info!(text = "after", "in the body");
        tracing::info_span!("of_the_body").in_scope(|| ());
        match self.text.as_str() {
            "fail" => Err(ToolError::new(Code::new("SECRET_FAILURE"), "the key is sk-1")),
            "hang" => pending().await,
            text => Ok(format!("said {text}")),
        }
    }
}

fn dispatcher() -> Dispatcher {
    tests::dispatcher_of::<Say>()
}

fn say(id: &str, text: &str) -> ToolCall<'static> {
    ToolCall::new(id.to_owned(), "say", serde_json::json!({"text": text}).to_string())
}

#[tokio::test(start_paused = true)]
async fn a_call_is_one_span_with_opentelemetry_s_names() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    assert_eq!(code(&dispatcher().call(say("call-7", "a secret")).await), "OK");
    let spans = collector.spans("execute_tool");
    let [span] = spans.as_slice() else { panic!("{spans:?}") };
    assert_eq!(span.level, Level::INFO);
    assert!(span.is_closed);
    assert_eq!(
        span.fields(),
        [
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.call.id", "call-7"),
            ("gen_ai.tool.description", "Say something."),
            ("gen_ai.tool.name", "say"),
            ("gen_ai.tool.type", "function"),
            ("otel.kind", "internal"),
            ("otel.name", "execute_tool say"),
        ]
    );
    assert!(!collector.all().contains("a secret"), "{}", collector.all());
}

#[tokio::test(start_paused = true)]
async fn a_failure_has_its_code_as_the_type_of_the_error_and_not_what_it_says() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let _ = dispatcher().call(say("call-1", "fail")).await;
    let span = collector.spans("execute_tool").remove(0);
    assert_eq!(span.field("error.type"), Some("SECRET_FAILURE"));
    assert_eq!(span.field("otel.status_code"), Some("ERROR"));
    assert_eq!(span.field("otel.status_description"), None);
    let failed = collector.event("the call failed");
    assert_eq!(failed.in_span, Some("execute_tool"));
    assert_eq!(
        (failed.field("code"), failed.field("stage"), failed.field("effects")),
        (Some("SECRET_FAILURE"), Some("execute"), Some("Unknown"))
    );
    assert!(!collector.all().contains("sk-1"), "{}", collector.all());
}

#[tokio::test(start_paused = true)]
async fn the_name_of_no_tool_is_cut_and_names_no_span() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let _ = dispatcher().call(ToolCall::new("call-1", "固".repeat(1000), "{}")).await;
    let span = collector.spans("execute_tool").remove(0);
    assert_eq!(span.field("otel.name"), Some("execute_tool"));
    assert_eq!(span.field("gen_ai.tool.name"), Some("固".repeat(42).as_str()));
    assert_eq!(span.field("gen_ai.tool.description"), None);
    assert_eq!(span.field("error.type"), Some("UNKNOWN_TOOL"));
}

#[tokio::test(start_paused = true)]
async fn arguments_and_results_are_recorded_only_for_who_asks_and_within_bounds() {
    let recorded = async |recorded: Recorded, text: &str| {
        let collector = Collector::new();
        let _collecting = collector.collecting();
        let _ = dispatcher().record(recorded).call(say("call-1", text)).await;
        let span = collector.spans("execute_tool").remove(0);
        ["gen_ai.tool.call.arguments", "gen_ai.tool.call.result", "otel.status_description"]
            .map(|name| span.field(name).map(str::to_owned))
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(recorded(Recorded::nothing(), "a").await, [None, None, None]);
    assert_eq!(recorded(Recorded::nothing().arguments(), "a").await, [some(r#"{"text":"a"}"#), None, None]);
    assert_eq!(recorded(Recorded::nothing().results(), "a").await, [None, some(r#""said a""#), None]);
    assert_eq!(recorded(Recorded::nothing().results(), "fail").await, [None, None, some("the key is sk-1")]);
    let both = Recorded::nothing().arguments().results();
    assert_eq!(
        recorded(both.at_most(5), "abc").await,
        [some(r#"{"tex… (+9 more bytes)"#), some(r#""said… (+5 more bytes)"#), None]
    );
    let [arguments, ..] = recorded(both, &"x".repeat(100_000)).await;
    assert_eq!(arguments.unwrap().len(), 4096 + "… (+95915 more bytes)".len());
}

#[tokio::test(start_paused = true)]
async fn what_is_recorded_of_a_result_is_what_the_policies_left() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let both = Recorded::nothing().arguments().results();
    let blocked = dispatcher().policy(Decided(PostDecision::block("withheld"))).record(both);
    assert_eq!(code(&blocked.call(say("call-1", "fine")).await), "BLOCKED");
    let replaced = PostDecision::replace_value(serde_json::Value::from("other"));
    assert_eq!(code(&dispatcher().policy(Decided(replaced)).record(both).call(say("call-2", "fine")).await), "OK");
    let spans = collector.spans("execute_tool");
    assert_eq!(spans[0].field("gen_ai.tool.call.result"), None);
    assert_eq!(spans[1].field("gen_ai.tool.call.result"), Some(r#""other""#));
    assert!(!collector.all().contains("said fine"));
}

#[tokio::test(start_paused = true)]
async fn what_a_body_tells_is_inside_the_span_before_and_after_it_waits() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let _ = dispatcher().call(say("call-1", "a")).await;
    let told = collector.events("in the body");
    assert_eq!(told.iter().filter_map(|event| event.field("text")).collect::<Vec<_>>(), ["before", "after"]);
    assert!(told.iter().all(|event| event.in_span == Some("execute_tool")), "{told:?}");
    assert_eq!(collector.spans("of_the_body")[0].in_span, Some("execute_tool"));
}

#[tokio::test(start_paused = true)]
async fn calls_of_a_batch_have_a_span_each_and_keep_what_they_tell_apart() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let turn = tracing::info_span!("turn");
    let results = {
        use tracing::Instrument as _;
        async { dispatcher().run(vec![say("call-1", "a"), say("call-2", "fail"), say("call-3", "c")]).await }
            .instrument(turn)
            .await
    };
    assert_eq!(results.iter().map(code).collect::<Vec<_>>(), ["OK", "SECRET_FAILURE", "OK"]);
    let spans = collector.spans("execute_tool");
    let ids: Vec<_> = spans.iter().map(|span| span.field("gen_ai.tool.call.id").unwrap()).collect();
    assert_eq!(ids, ["call-1", "call-2", "call-3"]);
    assert!(spans.iter().all(|span| span.is_closed && span.in_span == Some("turn")), "{spans:?}");
    for (span, failed) in spans.iter().zip([false, true, false]) {
        assert_eq!(span.field("error.type").is_some(), failed);
        let own = collector.events("in the body").into_iter().filter(|event| event.span_id == Some(span.id));
        let own: Vec<Line> = own.collect();
        assert_eq!(own.iter().filter_map(|event| event.field("text")).collect::<Vec<_>>(), ["before", "after"]);
    }
}

/// A policy before execution that asks, and one after it that fails with a secret.
struct Asks;

impl PrePolicy for Asks {
    fn name(&self) -> &'static str {
        "asks"
    }

    async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        Ok(PreDecision::ask("a private reason"))
    }
}

struct Person;

impl Approver for Person {
    fn name(&self) -> &'static str {
        "person"
    }

    async fn approve(&self, _: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        tokio::time::sleep(Duration::from_secs(5)).await;
        Ok(Approval::Rejected { reason: Some("a private answer".to_owned()) })
    }
}

#[tokio::test(start_paused = true)]
async fn decisions_and_approvals_are_events_that_quote_nothing() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let dispatcher = dispatcher().pre_policy(Asks).approver(Person).policy(Decided(PostDecision::accept()));
    assert_eq!(code(&dispatcher.call(say("call-1", "a")).await), "APPROVAL_REJECTED");
    let told: Vec<String> = collector.in_span("execute_tool").iter().map(Line::told).collect();
    assert_eq!(
        told,
        [
            "DEBUG a policy decided policy=asks verdict=asked for approval",
            "INFO approval is asked for approver=person",
            "INFO approval was asked for, and answered approver=person verdict=rejected",
            "DEBUG a policy decided policy=decided verdict=accepted",
            "INFO the call failed body=the body was not entered code=APPROVAL_REJECTED effects=None next=do something \
             else, the same call can only fail again stage=authorise",
        ]
    );
    assert!(!collector.all().contains("private"), "{}", collector.all());
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_told_to_stop_and_one_that_is_dropped_are_events() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    assert_eq!(code(&dispatcher().call(say("call-1", "hang")).await), "TIMEOUT");
    let stopped = collector.event("the body is told to stop");
    assert_eq!((stopped.in_span, stopped.field("reason")), (Some("execute_tool"), Some("its time is up")));
    let dropped = collector.event("the body did not stop within its grace, and was dropped");
    assert_eq!((dropped.level, dropped.field("grace_ms")), (Level::WARN, Some("1000")));

    let options = CallOptions::default();
    let cancellation = options.cancellation.clone();
    let dispatcher = dispatcher();
    let call = dispatcher.call_with(say("call-2", "hang"), options);
    let cancel = async move {
        tokio::time::sleep(Duration::from_secs(2)).await;
        cancellation.cancel();
    };
    let (result, ()) = tokio::join!(call, cancel);
    assert_eq!(code(&result), "ABORTED");
    let stopped = collector.events("the body is told to stop").remove(1);
    assert_eq!(stopped.field("reason"), Some("its caller cancelled"));
}

#[tokio::test(start_paused = true)]
async fn a_stop_of_repeats_is_a_decision_like_others() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let dispatcher = dispatcher().repeats(Repeats::new().stop_at(2).unwrap());
    let _ = dispatcher.call(say("call-1", "a")).await;
    assert_eq!(code(&dispatcher.call(say("call-2", "a")).await), "REPEATED_CALL");
    let decided = collector.event("a policy decided");
    assert_eq!((decided.field("policy"), decided.field("verdict")), (Some("repeats"), Some("denied")));
}

#[tokio::test(start_paused = true)]
async fn who_wants_only_warnings_gets_no_span_and_the_same_result() {
    let collector = Collector::at(Level::WARN);
    let _collecting = collector.collecting();
    let both = Recorded::nothing().arguments().results();
    assert_eq!(code(&dispatcher().record(both).call(say("call-1", "a")).await), "OK");
    assert_eq!(code(&dispatcher().record(both).call(say("call-1", "fail")).await), "SECRET_FAILURE");
    assert_eq!(collector.all(), "");
}

#[tokio::test(start_paused = true)]
async fn a_typed_call_of_a_program_has_a_span_too() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    dispatcher().invoke(Say { text: "a".to_owned() }).await.unwrap();
    let span = collector.spans("execute_tool").remove(0);
    assert!(span.field("gen_ai.tool.call.id").unwrap().starts_with("program-"));
}

/// Have the other tool say something.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Relay {}

impl Execute for Relay {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        cx.invoke(Say { text: "a".to_owned() }).await.map_err(Failure::into_error)
    }
}

#[tokio::test(start_paused = true)]
async fn the_span_of_a_call_that_a_body_makes_is_inside_the_body_s() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let mut registry = Registry::new();
    registry.tool::<Say>().unwrap().tool::<Relay>().unwrap();
    assert_eq!(code(&Dispatcher::new(registry).call(ToolCall::new("call-1", "relay", "{}")).await), "OK");
    let spans = collector.spans("execute_tool");
    let [outer, inner] = spans.as_slice() else { panic!("{spans:?}") };
    assert_eq!((outer.field("gen_ai.tool.name"), inner.field("gen_ai.tool.name")), (Some("relay"), Some("say")));
    assert_eq!(inner.span_id, Some(outer.id));
}

/// Work on another thread.
#[derive(Tool)]
#[tool(output = bool, render = display)]
struct Dig {}

impl Execute<Collector> for Dig {
    async fn execute(&self, cx: &Context<Collector>) -> Result<bool, ToolError> {
        let collector = cx.state().clone();
        cx.blocking(move |_| Ok(collector.is_in("execute_tool"))).await
    }
}

#[tokio::test]
async fn what_a_body_does_on_another_thread_is_inside_the_span() {
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let mut registry = Registry::new();
    registry.with(collector.clone()).tool::<Dig>().unwrap();
    let dug = Dispatcher::new(registry).call(ToolCall::new("call-1", "dig", "{}")).await;
    assert_eq!(dug.content().to_text(), "true");
    assert!(collector.spans("execute_tool")[0].is_closed);
}
