//! A session that is logged, replayed and taken up again.

use std::fmt::Write as _;
use std::path::Path;

use tool_runtime::Cards;
use tool_runtime::prelude::*;
use tool_runtime::session::{
    AssistantMessage, Durability, EndReason, FileStore, MemoryStore, Message, RequestedCall, Session, SessionError,
    SessionLog, replay,
};
use tool_runtime::terminal::Terminal;

/// Look up the stock of an article.
#[derive(Tool)]
#[tool(output = u32, render = display, read_only, parallel)]
struct Stock {
    /// The article.
    article: String,
}

impl Execute for Stock {
    async fn execute(&self, _: &Context) -> Result<u32, ToolError> {
        match self.article.as_str() {
            "screws" => Ok(12),
            _ => Err(ToolError::msg("there is no such article")),
        }
    }
}

// ANCHOR: turn
/// One turn with one step: what the user says, what the model asks for, and what comes of it.
async fn turn(session: &Session, dispatcher: &Dispatcher, calls: Vec<ToolCall<'_>>) -> Result<(), SessionError> {
    session.start_turn().await?;
    session.user("What do we have?").await?;

    session.start_step().await?;
    let asked = calls.iter().map(|call| RequestedCall::of(call, dispatcher)).collect();
    session.assistant(AssistantMessage::new(Content::text("I'll look."), asked)).await?;
    let options = CallOptions { journal: Some(session.journal()), ..CallOptions::default() };
    let results = dispatcher.batch(calls, options).all().await;
    for context in results.iter().flat_map(ToolResult::contexts) {
        session.user(context.clone()).await?;
    }
    session.end_step().await?;

    session.end_turn(EndReason::completed()).await
}
// ANCHOR_END: turn

// ANCHOR: replay
fn told(log: &SessionLog, cards: &Cards) -> Result<String, SessionError> {
    let mut text = String::new();
    let replayed = replay(log)?;
    for message in replayed.messages() {
        let line = match message {
            Message::User(user) => format!("user: {}", user.content.to_text()),
            Message::Assistant(said) => format!("model: {} ({} calls)", said.content.to_text(), said.calls.len()),
            Message::ToolResult(result) => format!("{}: {}", result.call_id, result.content.to_text()),
            _ => continue,
        };
        let _ = writeln!(text, "{line}");
    }
    let terminal = Terminal::plain(60);
    for call in replayed.calls() {
        let view = call.call_view(cards);
        text += &terminal.call(&view);
        if let (Some(drawn), Some(result)) = (call.result_view(cards), call.result()) {
            text += &terminal.result(&view, &drawn, &result.durable());
        }
    }
    Ok(text)
}
// ANCHOR_END: replay

// ANCHOR: read
/// Reads a log beside its writer: it takes no lock, and makes and changes nothing.
fn look(path: &Path) -> Result<SessionLog, SessionError> {
    Ok(SessionLog::parse(&FileStore::read(path)?)?)
}
// ANCHOR_END: read

// ANCHOR: resume
async fn resume(path: &Path) -> Result<Session, SessionError> {
    let store = FileStore::open(path, Durability::EachBatch)?;
    let resumed = Session::resume(store).await?;
    for damage in resumed.log.damage() {
        eprintln!("{}: {damage}", path.display());
    }
    println!("{} events closed what was open", resumed.repaired);
    Ok(resumed.session)
}
// ANCHOR_END: resume

fn cards() -> Cards {
    toolset! { () => [Stock] }.unwrap().cards()
}

async fn logged() -> Vec<u8> {
    let store = MemoryStore::new();
    let session = Session::create_at(store.clone(), || 1_700_000_000_000).await.unwrap();
    let dispatcher = Dispatcher::new(toolset! { () => [Stock] }.unwrap());
    let calls = vec![
        ToolCall::new("call-1", "stock", r#"{"article": "screws"}"#),
        ToolCall::new("call-2", "stock", r#"{"article": "nails"}"#),
    ];
    turn(&session, &dispatcher, calls).await.unwrap();
    store.bytes()
}

#[tokio::test]
async fn a_log_tells_what_was_said() {
    let bytes = logged().await;
    super::assert_shown("log.txt", std::str::from_utf8(&bytes).unwrap());
    let log = SessionLog::parse(&bytes).unwrap();
    super::assert_shown("replay.txt", &told(&log, &cards()).unwrap());
}

#[tokio::test]
async fn damage_is_named() {
    let mut bytes = logged().await;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bytes.truncate(bytes.len() - 20);
    let log = SessionLog::parse(&bytes).unwrap();
    let text: Vec<String> = log.damage().iter().map(ToString::to_string).collect();
    super::assert_shown("damage.txt", &text.join("\n"));
}

#[tokio::test]
async fn a_crash_is_closed() {
    let bytes = logged().await;
    // The process ends while the second call runs.
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let started = lines.iter().rposition(|line| line.contains(r#""type":"tool/call""#)).unwrap();
    let directory = std::env::temp_dir().join(format!("tool-session-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("session.jsonl");
    std::fs::write(&path, lines[..=started].concat()).unwrap();
    let session = resume(&path).await.unwrap();
    let log = session.log().await.unwrap();
    assert_eq!(look(&path).unwrap().to_bytes(), log.to_bytes());
    assert!(look(&directory.join("none.jsonl")).is_err() && !directory.join("none.jsonl").exists());
    session.close().await;
    std::fs::remove_dir_all(&directory).unwrap();
    let mut shown = told(&log, &cards()).unwrap();
    for entry in log.entries().iter().skip(started) {
        let _ = writeln!(shown, "{} {}", entry.seq(), entry.kind());
    }
    super::assert_shown("resume.txt", &shown);
}
