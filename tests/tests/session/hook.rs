//! What a dispatcher logs of calls.

use std::pin::pin;
use std::task::{Context as Waking, Waker};
use std::time::Duration;

use serde_json::json;
use tool_runtime::prelude::*;
use tool_runtime::session::{Event, MemoryStore};

use crate::scene::{ask, call, dispatcher, finish, in_a_step, journaled, read, step, told};

/// Count what the log says while the body runs.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct Look {}

impl Execute<MemoryStore> for Look {
    async fn execute(&self, cx: &Context<MemoryStore>) -> Result<usize, ToolError> {
        Ok(told(&read(&cx.state().bytes())).iter().filter(|event| *event == "call look-1").count())
    }
}

#[tokio::test]
async fn a_call_is_logged_before_its_body_runs_and_its_result_before_the_caller_gets_it() {
    let (store, session) = in_a_step().await;
    let mut registry = Registry::new();
    registry.with(store.clone()).tool::<Look>().unwrap();
    let calls = vec![ToolCall::without_arguments("look-1", "look")];
    let results = step(&session, &Dispatcher::new(registry), calls).await;
    assert_eq!(results[0].content().to_text(), "1");
    assert_eq!(told(&read(&store.bytes()))[4..], ["call look-1", "result look-1 OK"]);
}

#[tokio::test(start_paused = true)]
async fn calls_and_results_of_a_batch_are_logged_in_the_order_of_the_calls() {
    let (store, session) = in_a_step().await;
    let slow = |id: &str, millis: u64| {
        ToolCall::new(id.to_owned(), "act", json!({ "how": "x", "millis": millis }).to_string())
    };
    let calls = vec![slow("a", 30), call("b", "deny"), slow("c", 10), ToolCall::new("d", "nope", "{}"), slow("e", 20)];
    let _ = step(&session, &dispatcher(), calls).await;
    finish(&session).await;
    let log = read(&store.bytes());
    let told = told(&log);
    let of = |what: &str| -> Vec<&String> { told.iter().filter(|event| event.starts_with(what)).collect() };
    assert_eq!(of("call"), ["call a", "call b", "call c", "call d", "call e"]);
    assert_eq!(of("result"), ["result a OK", "result b DENIED", "result c OK", "result d UNKNOWN_TOOL", "result e OK"]);
    // The first result comes after the last of those that overlap with it was called.
    assert_eq!(told[4..7], ["call a", "call b", "call c"]);
    for entry in log.entries() {
        if let Event::ToolResult(result) = entry.event() {
            let [seq] = entry.sources() else { panic!("{entry:?} cites no call") };
            let cited = log.entry(*seq).unwrap().event();
            assert!(matches!(cited, Event::ToolCall(call) if call.call_id == result.call_id));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn however_a_call_ends_it_has_one_result_and_its_arguments_stand_as_they_were_sent() {
    tests::quiet_panics();
    let ways = [
        ("act", r#" {"how" : "x"} "#, "OK"),
        ("act", r#"{"how": "#, "INVALID_ARGS"),
        ("act", "", "INVALID_ARGS"),
        ("act", r#"{"how": "x", "hw": 1}"#, "INVALID_ARGS"),
        ("nope", r#"{"how": "x"}"#, "UNKNOWN_TOOL"),
        ("act", r#"{"how": "fail"}"#, "NO_ROOM"),
        ("act", r#"{"how": "panic"}"#, "PANICKED"),
        ("act", r#"{"how": "hang"}"#, "TIMEOUT"),
        ("act", r#"{"how": "deny"}"#, "DENIED"),
        ("act", r#"{"how": "policy-fails"}"#, "POLICY_FAILED"),
        ("act", r#"{"how": "block"}"#, "BLOCKED"),
        ("act", r#"{"how": "fatal"}"#, "NO_KEY"),
    ];
    for (name, arguments, code) in ways {
        let (store, session) = in_a_step().await;
        let results = step(&session, &dispatcher(), vec![ToolCall::new("c", name, arguments)]).await;
        assert_eq!(tests::code(&results[0]), code, "{arguments}");
        let bytes = store.bytes();
        let log = read(&bytes);
        assert_eq!(told(&log)[4..], ["call c".to_owned(), format!("result c {code}")], "{arguments}");
        let Event::ToolCall(call) = log.entries()[4].event() else { panic!("{arguments}") };
        assert_eq!((&*call.name, &*call.arguments), (name, arguments));
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains("the policy's secret"), "{text}");
        assert!(!text.contains("\"secret\""), "the value is in the log: {text}");
    }
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_it_ran_is_logged_too() {
    let (store, session) = in_a_step().await;
    let options = journaled(&session);
    options.cancellation.cancel();
    let _ = dispatcher().call_with(call("c", "x"), options).await;
    assert_eq!(told(&read(&store.bytes()))[3..], ["call c", "result c ABORTED_BEFORE_DISPATCH"]);
}

#[tokio::test]
async fn calls_that_a_body_makes_are_logged_with_their_checked_arguments_and_never_as_messages() {
    let (store, session) = in_a_step().await;
    let calls = vec![ToolCall::new("o", "outer", r#"{"calls": ["x", "fail", "unknown", "bad", "deny"]}"#)];
    let _ = step(&session, &dispatcher(), calls).await;
    finish(&session).await;
    let log = read(&store.bytes());
    let told = told(&log);
    assert_eq!(told.iter().filter(|event| event.starts_with("start")).count(), 5);
    let ends: Vec<&String> = told.iter().filter(|event| event.starts_with("end")).collect();
    let expected = ["1 OK", "2 NO_ROOM", "3 UNKNOWN_TOOL", "4 INVALID_ARGS", "5 DENIED"];
    assert_eq!(ends, expected.map(|end| format!("end o:call:{end}")).each_ref());
    let starts = log.entries().iter().filter_map(|entry| match entry.event() {
        Event::DispatchStart(call) => Some(call),
        _ => None,
    });
    let starts: Vec<_> = starts.collect();
    assert_eq!(starts[0].arguments, json!({ "how": "x" }));
    assert_eq!((&*starts[0].root_call_id, &*starts[0].parent_call_id), ("o", "o"));
    assert!(!String::from_utf8(store.bytes()).unwrap().contains("share"), "nested calls have no meta");
    let replayed = tool_runtime::session::replay(&log).unwrap();
    assert_eq!(replayed.messages().len(), 3);
}

/// Polls once and drops.
pub(crate) fn begin_and_drop<T>(future: impl Future<Output = T>) {
    let mut future = pin!(future);
    assert!(future.as_mut().poll(&mut Waking::from_waker(Waker::noop())).is_pending());
}

#[tokio::test]
async fn calls_that_are_dropped_leave_a_balanced_log_once_the_turn_is_interrupted() {
    let (store, session) = in_a_step().await;
    let calls = || vec![call("a", "hang"), ToolCall::new("b", "alone", r#"{"how": "hang"}"#), call("c", "x")];
    ask(&session, &calls()).await;
    begin_and_drop(dispatcher().batch(calls(), journaled(&session)).all());
    assert_eq!(told(&read(&store.bytes()))[4..], ["call a", "result a TOOL_OUTCOME_UNKNOWN"]);
    session.interrupt().await.unwrap();
    let balanced = told(&read(&store.bytes()));
    assert_eq!(
        balanced[6..],
        ["result b TOOL_NOT_STARTED", "result c TOOL_NOT_STARTED", "step/end", "turn/end"].map(str::to_owned)
    );
    session.interrupt().await.unwrap();
    assert_eq!(told(&read(&store.bytes())), balanced);
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_that_ends_with_its_caller_s_time_is_logged_before_its_caller() {
    let (store, session) = in_a_step().await;
    let calls = vec![ToolCall::new("o", "outer", r#"{"calls": ["hang"]}"#)];
    let results = step(&session, &dispatcher(), calls).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let told = told(&read(&store.bytes()));
    assert_eq!(told[4..6], ["call o", "start o:call:1"]);
    assert_eq!(told[6], "end o:call:1 TIMEOUT");
    assert_eq!(told[7..], [format!("result o {}", tests::code(&results[0]))]);
}

#[tokio::test]
async fn steps_and_turns_are_numbered_and_calls_know_theirs() {
    let (store, session) = in_a_step().await;
    let dispatcher = dispatcher();
    let _ = step(&session, &dispatcher, vec![call("a", "x")]).await;
    session.end_step().await.unwrap();
    assert_eq!(session.start_step().await.unwrap(), 2);
    let _ = step(&session, &dispatcher, vec![call("a", "x")]).await;
    finish(&session).await;
    assert_eq!(session.start_turn().await.unwrap(), 2);
    assert_eq!(session.start_step().await.unwrap(), 1);
    let _ = step(&session, &dispatcher, vec![call("a", "x")]).await;
    let places: Vec<(u64, u64)> = read(&store.bytes())
        .entries()
        .iter()
        .filter_map(|entry| match entry.event() {
            Event::ToolResult(result) => Some((result.turn, result.step)),
            _ => None,
        })
        .collect();
    assert_eq!(places, [(1, 1), (1, 2), (2, 1)]);
}

#[tokio::test]
async fn what_does_not_fit_the_session_is_refused_and_leaves_no_trace() {
    let (store, session) = in_a_step().await;
    let before = store.bytes();
    let refused = [
        session.start_turn().await.unwrap_err().to_string(),
        session.start_step().await.unwrap_err().to_string(),
        session.end_turn(tool_runtime::session::EndReason::completed()).await.unwrap_err().to_string(),
        session.host_event("Bad Name", &1).await.unwrap_err().to_string(),
        session.host_event("nan", &f64::NAN).await.unwrap_err().to_string(),
    ];
    assert_eq!(store.bytes(), before, "{refused:?}");
    ask(&session, &[call("a", "x")]).await;
    let open = session.end_step().await.unwrap_err().to_string();
    assert_eq!(open, "the event does not fit the session: call \"a\" has no result; run it, or interrupt the turn");
    session.host_event("todo", &json!({ "todos": [] })).await.unwrap();
    assert_eq!(told(&read(&store.bytes())).last().unwrap(), "host/todo");
}
