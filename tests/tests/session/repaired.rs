//! What a crash leaves open is closed, once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tool_runtime::prelude::*;
use tool_runtime::session::{
    AssistantMessage, Entry, Event, MemoryStore, RequestedCall, Session, SessionLog, repairs, replay,
};

use crate::formats::line;
use crate::scene::{TIME, ask, call, dispatcher, finish, in_a_step, journaled, read, step, told};

#[test]
fn an_empty_log_needs_no_repair() {
    assert_eq!(repairs(&SessionLog::default()).unwrap(), []);
}

#[tokio::test]
async fn what_was_asked_for_and_not_answered_is_answered_in_order_and_the_turn_is_closed() {
    let (store, session) = in_a_step().await;
    ask(&session, &[call("a", "x"), call("b", "hang"), call("c", "x")]).await;
    let options = journaled(&session);
    let _ = dispatcher().call_with(call("a", "x"), options.clone()).await;
    // The journal has the second call when the process dies.
    let cancelled = store.bytes();
    let journal = options.journal.unwrap();
    {
        let hanging = dispatcher();
        let mut running = std::pin::pin!(
            hanging.call_with(call("b", "hang"), CallOptions { journal: Some(journal), ..CallOptions::default() })
        );
        let mut waking = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(running.as_mut().poll(&mut waking).is_pending());
        let dead = MemoryStore::of(store.bytes());
        assert!(dead.bytes().len() > cancelled.len());
        let at = TIME + 60_000;
        let resumed = Session::resume_at(dead.clone(), move || at).await.unwrap();
        assert_eq!(resumed.repaired, 4);
        let log = read(&dead.bytes());
        assert_eq!(
            told(&log)[6..],
            ["call b", "result b TOOL_OUTCOME_UNKNOWN", "result c TOOL_NOT_STARTED", "step/end", "turn/end"]
        );
        let seqs: Vec<u64> = log.entries().iter().map(Entry::seq).collect();
        assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>());
        assert!(log.entries().iter().all(|entry| entry.time() == TIME), "times are that of the last real event");
        let (Event::ToolResult(unknown), Event::ToolResult(not_started)) =
            (log.entries()[7].event(), log.entries()[8].event())
        else {
            panic!("two results");
        };
        assert_eq!(log.entries()[7].sources(), [6]);
        assert_eq!(log.entries()[8].sources(), [0_u64; 0]);
        assert_eq!(unknown.message_id.as_deref(), Some("interrupted-tool-result-b-7"));
        assert_eq!(not_started.message_id.as_deref(), Some("interrupted-tool-result-c-8"));
        assert!(not_started.content.to_text().contains("interrupted before the Harness recorded it as started"));
        assert!(unknown.content.to_text().ends_with("Do not retry blindly."));
        let again = Session::resume(dead.clone()).await.unwrap();
        assert_eq!(again.repaired, 0, "never twice");
        assert_eq!(again.log.to_bytes(), dead.bytes());
        assert_eq!(again.session.start_turn().await.unwrap(), 2);
    }
}

#[tokio::test]
async fn a_call_that_never_started_replays_with_what_the_model_asked_for_and_the_result_that_closed_it() {
    let (store, session) = in_a_step().await;
    let calls = [call("a", "x"), call("b", "é"), call("c", "x")];
    ask(&session, &calls).await;
    let _ = dispatcher().call_with(call("a", "x"), journaled(&session)).await;
    let dead = MemoryStore::of(store.bytes());
    let resumed = Session::resume(dead.clone()).await.unwrap();
    resumed.session.start_turn().await.unwrap();
    let replayed = replay(&read(&dead.bytes())).unwrap();
    let told: Vec<_> = replayed
        .calls()
        .iter()
        .map(|replayed| {
            let (call, result) = (replayed.call(), replayed.result().unwrap());
            assert_eq!((call.turn, call.step), (1, 1));
            let code = result.error.as_ref().map_or("OK", |error| &error.code);
            (&*call.call_id, &*call.name, &*call.arguments, code)
        })
        .collect();
    let codes = ["OK", "TOOL_NOT_STARTED", "TOOL_NOT_STARTED"];
    let expected: Vec<_> =
        calls.iter().zip(codes).map(|(call, code)| (call.id(), "act", call.arguments().unwrap(), code)).collect();
    assert_eq!(told, expected);
    let cards = dispatcher().cards();
    assert_eq!(replayed.calls()[1].call_view(&cards).title(), "Do é", "the card that was drawn live");
    assert!(replayed.calls()[1].result_view(&cards).is_some());
}

#[tokio::test]
async fn a_balanced_log_and_the_turns_before_the_open_one_stay_as_they_are() {
    let (store, session) = in_a_step().await;
    let _ = step(&session, &dispatcher(), vec![call("a", "x")]).await;
    finish(&session).await;
    assert_eq!(repairs(&read(&store.bytes())).unwrap(), []);
    session.start_turn().await.unwrap();
    session.start_step().await.unwrap();
    ask(&session, &[call("a", "x")]).await;
    let closed: Vec<Entry> = repairs(&read(&store.bytes())).unwrap();
    let kinds: Vec<&str> = closed.iter().map(Entry::kind).collect();
    assert_eq!(kinds, ["tool/result", "step/end", "turn/end"]);
    assert!(matches!(closed[2].event(), Event::TurnEnd { turn: 2, reason } if reason.kind() == "interrupted"));
}

#[tokio::test]
async fn every_prefix_of_a_session_is_repaired_to_a_conversation_in_which_each_call_has_one_result() {
    let (store, session) = in_a_step().await;
    let dispatcher = dispatcher();
    let _ = step(&session, &dispatcher, vec![call("same", "x"), call("twin", "fail"), call("c", "notice")]).await;
    session.end_step().await.unwrap();
    session.start_step().await.unwrap();
    let _ =
        step(&session, &dispatcher, vec![call("same", "x"), ToolCall::new("o", "outer", r#"{"calls":["x"]}"#)]).await;
    finish(&session).await;
    let whole = read(&store.bytes());
    for length in 0..=whole.entries().len() {
        let mut bytes = SessionLog::default().to_bytes();
        for entry in &whole.entries()[..length] {
            // Another writer's log may hold an id twice in one message.
            bytes.extend(line(&entry.payload().replace("twin", "same")).into_bytes());
        }
        let dead = MemoryStore::of(bytes);
        let resumed = Session::resume(dead.clone()).await.unwrap();
        let log = read(&dead.bytes());
        assert_eq!(log.to_bytes(), resumed.log.to_bytes());
        let replayed = replay(&log).unwrap();
        let (mut open, mut turns) = (Vec::<String>::new(), 0_i32);
        for message in replayed.messages() {
            match message {
                tool_runtime::session::Message::Assistant(message) => {
                    assert!(open.is_empty(), "cut after {length}: {open:?}");
                    open.extend(message.calls.iter().map(|call| call.call_id.clone()));
                }
                tool_runtime::session::Message::ToolResult(result) => {
                    let at = open.iter().position(|call| *call == result.call_id);
                    open.remove(at.unwrap_or_else(|| panic!("cut after {length}: a result too many")));
                }
                _ => {}
            }
        }
        assert_eq!(open, Vec::<String>::new(), "cut after {length}");
        for entry in log.entries() {
            turns += i32::from(entry.kind() == "turn/start") - i32::from(entry.kind() == "turn/end");
        }
        assert_eq!(turns, 0, "cut after {length}");
        assert_eq!(replay(&read(&dead.bytes())).unwrap(), replayed, "replay twice is the same");
    }
}

/// Send a mail.
#[derive(Tool)]
#[tool(output = usize, render = display)]
struct SendMail {}

impl Execute<Arc<AtomicUsize>> for SendMail {
    async fn execute(&self, cx: &Context<Arc<AtomicUsize>>) -> Result<usize, ToolError> {
        Ok(cx.state().fetch_add(1, Ordering::SeqCst))
    }
}

#[tokio::test]
async fn no_body_is_run_by_resuming_wherever_the_process_died() {
    let sent = Arc::new(AtomicUsize::new(0));
    let mut registry = Registry::new();
    registry.with(Arc::clone(&sent)).tool::<SendMail>().unwrap();
    let (store, session) = in_a_step().await;
    let calls = vec![RequestedCall::new("mail", "send_mail", "{}")];
    session.assistant(AssistantMessage::new(Content::empty(), calls)).await.unwrap();
    let before_intent = store.bytes();
    let _ = Dispatcher::new(registry).call_with(ToolCall::new("mail", "send_mail", "{}"), journaled(&session)).await;
    let after_result = store.bytes();
    let log = read(&after_result);
    let result = log.entries().last().unwrap().record().line().len();
    let after_intent = after_result[..after_result.len() - result].to_vec();
    for (bytes, told_last) in [
        (before_intent, "result mail TOOL_NOT_STARTED"),
        (after_intent, "result mail TOOL_OUTCOME_UNKNOWN"),
        (after_result, "result mail OK"),
    ] {
        let dead = MemoryStore::of(bytes);
        Session::resume(dead.clone()).await.unwrap();
        let told = told(&read(&dead.bytes()));
        assert_eq!(told[told.len() - 3], told_last);
    }
    assert_eq!(sent.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_message_that_asks_for_two_calls_with_one_id_is_refused_and_nothing_is_logged() {
    let (store, session) = in_a_step().await;
    let before = store.bytes();
    let asked = |ids: [&str; 3]| {
        let calls = ids.map(|id| RequestedCall::new(id, "act", "{}"));
        AssistantMessage::new(Content::empty(), calls.into())
    };
    let error = session.assistant(asked(["a", "b", "a"])).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the event does not fit the session: its message asks for two calls with the id \"a\", so their results could not be \
         told apart; give each call an id of its own"
    );
    assert_eq!(store.bytes(), before);
    session.assistant(asked(["a", "b", "c"])).await.unwrap();
}
