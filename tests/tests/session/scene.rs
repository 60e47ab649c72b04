//! A host with a few tools, whose calls do what their arguments say, and a session at a fixed time.

use std::time::Duration;

use serde_json::json;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, GenericCall, GenericResult, ResultView};
use tool_runtime::session::{
    AssistantMessage, EndReason, MemoryStore, RequestedCall, Session, SessionLog, SessionStore,
};

/// The time of every event.
pub(crate) const TIME: u64 = 1_700_000_000_000;

/// Do what is said.
#[derive(Tool)]
#[tool(output = Done, present, parallel, timeout = "1h")]
struct Act {
    how: String,
    #[serde(default)]
    millis: u64,
}

/// Do what is said, alone.
#[derive(Tool)]
#[tool(output = Done, render = json)]
struct Alone {
    how: String,
}

/// Call tools.
#[derive(Tool)]
#[tool(output = u64, render = display, timeout = "1s")]
struct Outer {
    calls: Vec<String>,
}

#[tool_output]
pub(crate) struct Done {
    secret: String,
    length: usize,
}

#[tool_output]
struct DoneMeta {
    length: usize,
    share: f64,
}

async fn act(how: &str, cx: &Context) -> Result<Done, ToolError> {
    match how {
        "fail" => Err(ToolError::new(Code::new("NO_ROOM"), "the disk is full")),
        "fatal" => Err(ToolError::new(Code::new("NO_KEY"), "no key").fatal()),
        "panic" => panic!("on purpose"),
        "hang" => {
            cx.cancelled().await;
            Err(ToolError::aborted())
        }
        "context" => {
            cx.add_context(Content::text("one more thing"));
            Ok(Done { secret: how.to_owned(), length: how.len() })
        }
        _ => Ok(Done { secret: how.to_owned(), length: how.len() }),
    }
}

impl Execute for Act {
    async fn execute(&self, cx: &Context) -> Result<Done, ToolError> {
        if self.millis > 0 {
            tokio::time::sleep(Duration::from_millis(self.millis)).await;
        }
        act(&self.how, cx).await
    }
}

impl Render for Act {
    fn render(&self, done: &Done) -> Content {
        match self.how.as_str() {
            "image" => Content::text("a picture").with(tool_runtime::Block::image(b"png", "image/png")),
            "notice" => Content::text("a part").with_notice("3 more"),
            "long" => Content::text("é".repeat(9000)),
            _ => Content::text(format!("did {} of {}\n\"quoted\" \u{2028}", self.how, done.length)),
        }
    }
}

impl Present for Act {
    type Meta = DoneMeta;

    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn meta(&self, done: &Done) -> DoneMeta {
        DoneMeta { length: done.length, share: done.length as f64 / 3.0 }
    }

    fn call_view(&self) -> Option<CallView> {
        Some(GenericCall::new(format!("Do {}", self.how)).into())
    }

    fn result_view(&self, result: &Durable<'_, DoneMeta>) -> Option<ResultView> {
        let meta = result.meta()?;
        let title = format!("Did {} of {}", meta.share, meta.length);
        Some(GenericResult::new().with_title(title).with_content(result.content()).into())
    }
}

impl Execute for Alone {
    async fn execute(&self, cx: &Context) -> Result<Done, ToolError> {
        act(&self.how, cx).await
    }
}

impl Execute for Outer {
    async fn execute(&self, cx: &Context) -> Result<u64, ToolError> {
        let calls = self.calls.iter().map(|how| match how.as_str() {
            "unknown" => ("nothing_like_it", json!({ "how": how })),
            "bad" => ("act", json!({ "how": 1 })),
            _ => ("act", json!({ "how": how })),
        });
        Ok(cx.run(calls).await.len() as u64)
    }
}

/// Decides by the words in the arguments.
struct Judge;

impl PrePolicy for Judge {
    fn name(&self) -> &'static str {
        "judge"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let how = call.arguments().and_then(|arguments| arguments["how"].as_str().map(str::to_owned));
        Ok(match how.as_deref() {
            Some("deny") => PreDecision::deny("not today"),
            Some("policy-fails") => Err(ToolError::msg("the policy's secret"))?,
            _ => PreDecision::allow(),
        })
    }
}

impl PostPolicy for Judge {
    fn name(&self) -> &'static str {
        "judge"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        let how = call.arguments().and_then(|arguments| arguments["how"].as_str().map(str::to_owned));
        Ok(match how.as_deref() {
            Some("block") => PostDecision::block("Ask for the summary."),
            Some("redact") => PostDecision::replace_content(Content::text("redacted")),
            Some("mask") => PostDecision::replace_value(json!({ "secret": "***", "length": 3 })),
            _ => PostDecision::accept(),
        })
    }
}

pub(crate) fn dispatcher() -> Dispatcher {
    tests::quiet_panics();
    let registry = toolset! { () => [Act, Alone, Outer] }.unwrap();
    Dispatcher::new(registry).pre_policy(Judge).policy(Judge)
}

pub(crate) async fn session(store: impl SessionStore) -> Session {
    Session::create_at(store, || TIME).await.unwrap()
}

/// A session in memory with a turn and a step open.
pub(crate) async fn in_a_step() -> (MemoryStore, Session) {
    let store = MemoryStore::new();
    let session = session(store.clone()).await;
    session.start_turn().await.unwrap();
    session.user("Go on.").await.unwrap();
    session.start_step().await.unwrap();
    (store, session)
}

pub(crate) fn journaled(session: &Session) -> CallOptions {
    CallOptions { journal: Some(session.journal()), ..CallOptions::default() }
}

pub(crate) fn call(id: &str, how: &str) -> ToolCall<'static> {
    ToolCall::new(id.to_owned(), "act", json!({ "how": how }).to_string())
}

/// Logs that the model asks for these calls, and runs them.
pub(crate) async fn step(session: &Session, dispatcher: &Dispatcher, calls: Vec<ToolCall<'_>>) -> Vec<ToolResult> {
    ask_of(session, dispatcher, &calls).await;
    dispatcher.batch(calls, journaled(session)).all().await
}

pub(crate) async fn ask(session: &Session, calls: &[ToolCall<'_>]) {
    ask_of(session, &dispatcher(), calls).await;
}

async fn ask_of(session: &Session, dispatcher: &Dispatcher, calls: &[ToolCall<'_>]) {
    let calls = calls.iter().map(|call| RequestedCall::of(call, dispatcher)).collect();
    session.assistant(AssistantMessage::new(Content::text("I'll look."), calls)).await.unwrap();
}

pub(crate) async fn finish(session: &Session) {
    session.end_step().await.unwrap();
    session.end_turn(EndReason::completed()).await.unwrap();
}

pub(crate) fn read(bytes: &[u8]) -> SessionLog {
    let log = SessionLog::parse(bytes).unwrap();
    assert_eq!(log.damage(), []);
    log
}

/// The types of a log's events, and the call that each is about.
pub(crate) fn told(log: &SessionLog) -> Vec<String> {
    use tool_runtime::session::Event;
    let told = log.entries().iter().map(|entry| match entry.event() {
        Event::ToolCall(call) => format!("call {}", call.call_id),
        Event::ToolResult(result) => {
            let code = result.error.as_ref().map_or("OK", |error| &error.code);
            format!("result {} {code}", result.call_id)
        }
        Event::DispatchStart(call) => format!("start {}", call.sub_call_id),
        Event::Dispatch(result) => {
            let code = result.error.as_ref().map_or("OK", |error| &error.code);
            format!("end {} {code}", result.call.sub_call_id)
        }
        _ => entry.kind().to_owned(),
    });
    told.collect()
}
