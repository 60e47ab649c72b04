//! Replay gives what the model had read and what cards are drawn from, byte for byte.

use proptest::prelude::*;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, ResultView};
use tool_runtime::session::{MemoryStore, Message, Replay, Session, SessionLog, replay};
use tool_runtime::{Cards, JsonValue, Registry};

use crate::scene::{call, dispatcher, finish, read, session, step};

const WAYS: [&str; 15] = [
    "x",
    "é固",
    "fail",
    "fatal",
    "panic",
    "deny",
    "policy-fails",
    "block",
    "redact",
    "mask",
    "image",
    "notice",
    "context",
    "long",
    "hang",
];

#[derive(Clone, Debug)]
enum Asked {
    Act(&'static str, u64),
    Alone(&'static str),
    Outer(Vec<&'static str>),
    Raw(String),
    Unknown,
}

fn asked() -> impl Strategy<Value = Asked> {
    let way = || prop::sample::select(&WAYS[..]);
    prop_oneof![
        6 => (way(), 0_u64..30).prop_map(|(how, millis)| Asked::Act(how, millis)),
        2 => prop::sample::select(&WAYS[..14]).prop_map(Asked::Alone),
        1 => prop::collection::vec(way(), 0..4).prop_map(Asked::Outer),
        1 => "[{}\": a1,é]{0,12}".prop_map(Asked::Raw),
        1 => Just(Asked::Unknown),
    ]
}

impl Asked {
    fn call(&self, id: String) -> ToolCall<'static> {
        match self {
            Self::Act(how, millis) => {
                let json = serde_json::json!({ "how": how, "millis": millis });
                ToolCall::new(id, "act", json.to_string())
            }
            Self::Alone(how) => ToolCall::new(id, "alone", serde_json::json!({ "how": how }).to_string()),
            Self::Outer(calls) => ToolCall::new(id, "outer", serde_json::json!({ "calls": calls }).to_string()),
            Self::Raw(text) => ToolCall::new(id, "act", text.clone()),
            Self::Unknown => ToolCall::new(id, "nothing_like_it", "{}"),
        }
    }
}

/// What a host would have shown and sent, live.
#[derive(Debug, Default, PartialEq)]
struct Live {
    messages: Vec<String>,
    calls: Vec<String>,
}

fn said(who: &str, content: &Content) -> String {
    format!("{who} {}", serde_json::to_string(content).unwrap())
}

fn result_said(call_id: &str, is_error: bool, content: &Content) -> String {
    said(&format!("result {call_id} {is_error}"), content)
}

/// What cards are drawn from, and the cards, in bytes.
fn drawn(
    call: (&str, &str, &str),
    is_error: bool,
    content: &Content,
    meta: Option<&JsonValue>,
    cards: (&CallView, &ResultView),
) -> String {
    let content = serde_json::to_string(content).unwrap();
    let cards = serde_json::to_string(&cards).unwrap();
    format!("{call:?} {is_error} {content} {} {cards}", meta.map(ToString::to_string).unwrap_or_default())
}

async fn run(session: &Session, dispatcher: &Dispatcher, turns: &[Vec<Vec<Asked>>]) -> Live {
    let mut live = Live::default();
    for (turn, steps) in turns.iter().enumerate() {
        session.start_turn().await.unwrap();
        let content = Content::text(format!("turn {turn}"));
        live.messages.push(said("user", &content));
        session.user(content).await.unwrap();
        for asked in steps {
            session.start_step().await.unwrap();
            // Ids that come again in each step, as with some providers.
            let calls: Vec<_> =
                asked.iter().enumerate().map(|(nth, asked)| asked.call(format!("call-{nth}"))).collect();
            let results = step(session, dispatcher, calls.clone()).await;
            live.messages.push(said("assistant", &Content::text("I'll look.")));
            for (call, result) in calls.iter().zip(&results) {
                live.messages.push(result_said(result.call_id(), !result.is_success(), result.content()));
                let call = (call.id(), call.name(), call.arguments().unwrap());
                let cards = (&dispatcher.cards().call(call.1, call.2), &dispatcher.cards().live(call.2, result));
                live.calls.push(drawn(call, !result.is_success(), result.content(), result.meta(), cards));
            }
            for context in results.iter().flat_map(ToolResult::contexts) {
                live.messages.push(said("user", context));
                session.user(context.clone()).await.unwrap();
            }
            session.end_step().await.unwrap();
        }
        session.end_turn(tool_runtime::session::EndReason::completed()).await.unwrap();
    }
    live
}

fn replayed(replay: &Replay, cards: &Cards) -> Live {
    let messages = replay.messages().iter().map(|message| match message {
        Message::User(message) => said("user", &message.content),
        Message::Assistant(message) => said("assistant", &message.content),
        Message::ToolResult(result) => result_said(&result.call_id, result.is_error, &result.content),
        _ => unreachable!("there is no other message"),
    });
    let calls = replay.calls().iter().map(|replayed| {
        let (call, result) = (replayed.call(), replayed.result().unwrap());
        let call = (&*call.call_id, &*call.name, &*call.arguments);
        let cards = (&replayed.call_view(cards), &replayed.result_view(cards).unwrap());
        drawn(call, result.is_error, &result.content, result.meta.as_ref(), cards)
    });
    Live { messages: messages.collect(), calls: calls.collect() }
}

#[test]
fn replay_of_any_session_is_what_was_live() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let steps = prop::collection::vec(prop::collection::vec(asked(), 1..5), 1..3);
    let turns = prop::collection::vec(steps, 1..3);
    proptest!(ProptestConfig::with_cases(64), |(turns in turns)| {
        runtime.block_on(async {
            let store = MemoryStore::new();
            let live = run(&session(store.clone()).await, &dispatcher(), &turns).await;
            let bytes = store.bytes();
            let log = read(&bytes);
            let whole = replay(&log).unwrap();
            prop_assert_eq!(&replayed(&whole, &dispatcher().cards()), &live);
            // What is added later gives what is replayed at once, and reading again the same bytes.
            let mut incremental = Replay::default();
            for (length, entry) in log.entries().iter().enumerate() {
                incremental.add(entry).unwrap();
                if length % 7 == 0 {
                    let mut prefix = SessionLog::default().to_bytes();
                    for entry in &log.entries()[..=length] {
                        prefix.extend(entry.record().line());
                    }
                    prop_assert_eq!(&replay(&read(&prefix)).unwrap(), &incremental);
                }
            }
            prop_assert_eq!(&incremental, &whole);
            prop_assert_eq!(log.to_bytes(), bytes);
            Ok(())
        })?;
    });
}

#[tokio::test]
async fn a_tool_that_is_gone_or_has_changed_replays_as_it_was() {
    let store = MemoryStore::new();
    let session = session(store.clone()).await;
    session.start_turn().await.unwrap();
    session.start_step().await.unwrap();
    let results = step(&session, &dispatcher(), vec![call("a", "x")]).await;
    finish(&session).await;
    // No dispatcher is needed for it.
    let replay = replay(&read(&store.bytes())).unwrap();
    let result = replay.calls()[0].result().unwrap();
    assert_eq!(&result.content, results[0].content());
    assert_eq!(result.meta.as_ref(), results[0].meta());
    // A card without its tool is the generic one.
    let cards = Registry::new().cards();
    assert_eq!(replay.calls()[0].call_view(&cards).title(), "act");
    assert_eq!(replay.calls()[0].result_view(&cards).unwrap(), ResultView::fallback());
}
