//! The bytes of the format, in golden logs, and logs of other versions.

use std::path::{Path, PathBuf};

use tool_runtime::prelude::*;
use tool_runtime::session::{Event, LogError, MemoryStore, Pruning, Session, SessionError, SessionLog, replay};

use crate::scene::{call, dispatcher, finish, in_a_step, read, session, step, told};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/session/v1").join(name)
}

/// Compares a log with the one that is kept, or with `SESSION=overwrite` writes that anew.
#[track_caller]
fn assert_kept(name: &str, bytes: &[u8]) {
    if std::env::var_os("SESSION").is_some_and(|mode| mode == "overwrite") {
        std::fs::write(path(name), bytes).unwrap();
    }
    let kept = std::fs::read(path(name)).unwrap_or_default();
    assert_eq!(String::from_utf8_lossy(bytes), String::from_utf8_lossy(&kept), "{name}");
    let log = read(&kept);
    assert_eq!(log.to_bytes(), kept, "{name} is not written as it is read");
}

/// A record of this payload, made by the rule in the guide and not by the library.
pub(crate) fn line(payload: &str) -> String {
    let mut crc = u32::MAX;
    for byte in payload.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    format!("{:08x} {:08x} {payload}\n", payload.len(), !crc)
}

const HEADER: &str = r#"{"format":"tool-session-log","version":1}"#;

fn log_of(payloads: &[&str]) -> Result<SessionLog, LogError> {
    let bytes: String = payloads.iter().map(|payload| line(payload)).collect();
    SessionLog::parse(bytes.as_bytes())
}

/// Show a note.
#[derive(Tool)]
#[tool(output = Note, present)]
struct ShowNote {
    title: String,
}

#[tool_output]
struct Note {
    title: String,
    lines: Vec<String>,
}

#[tool_output]
#[serde(rename_all = "camelCase")]
struct NoteMeta {
    line_count: usize,
    title: String,
}

impl Execute for ShowNote {
    async fn execute(&self, _: &Context) -> Result<Note, ToolError> {
        Ok(Note { title: self.title.clone(), lines: vec!["line one".into(), "line two".into()] })
    }
}

impl Render for ShowNote {
    fn render(&self, note: &Note) -> Content {
        Content::text(format!("# {}\n- {}", note.title, note.lines.join("\n- ")))
    }
}

impl Present for ShowNote {
    type Meta = NoteMeta;

    fn meta(&self, note: &Note) -> NoteMeta {
        NoteMeta { line_count: note.lines.len(), title: note.title.clone() }
    }
}

/// The third of the worked examples: a turn, a call, its result, and no value anywhere.
#[tokio::test]
async fn the_note_tool_s_log_is_the_worked_example_s() {
    let store = MemoryStore::new();
    let session = session(store.clone()).await;
    session.start_turn().await.unwrap();
    let dispatcher = tests::dispatcher_of::<ShowNote>();
    let options = CallOptions { journal: Some(session.journal()), ..CallOptions::default() };
    let _ = dispatcher.call_with(ToolCall::new("call-1", "show_note", r#"{"title":"Demo"}"#), options).await;
    assert_kept("note.jsonl", &store.bytes());
    let log = read(&store.bytes());
    assert_eq!(told(&log), ["turn/start", "call call-1", "result call-1 OK"]);
    assert!(log.entries().iter().map(tool_runtime::session::Entry::seq).eq(0..3));
    let text = String::from_utf8(store.bytes()).unwrap();
    assert!(!text.contains("\"lines\"") && !text.contains("\"value\""), "{text}");
    assert_eq!(replay(&log).unwrap().messages().len(), 1, "a call is no message");
}

#[tokio::test]
async fn a_session_with_everything_in_it_is_the_same_bytes_each_time() {
    let (store, session) = in_a_step().await;
    let dispatcher = dispatcher();
    let calls = vec![
        call("ok", "x"),
        call("image", "image"),
        call("notice", "notice"),
        call("fail", "fail"),
        call("deny", "deny"),
        call("redact", "redact"),
        ToolCall::new("torn", "act", r#"{"how": "#),
        ToolCall::new("outer", "outer", r#"{"calls":["x","fail"]}"#),
    ];
    let _ = step(&session, &dispatcher, calls).await;
    finish(&session).await;
    session.start_turn().await.unwrap();
    session.user("And now?").await.unwrap();
    session.host_event("todo", &serde_json::json!({ "todos": ["é"] })).await.unwrap();
    session.start_step().await.unwrap();
    let _ = step(&session, &dispatcher, vec![call("long", "long")]).await;
    session.prune(&Pruning::new(100, 10, 10).unwrap(), u64::MAX).await.unwrap();
    crate::scene::ask(&session, &[call("last", "x")]).await;
    session.interrupt().await.unwrap();
    assert_kept("session.jsonl", &store.bytes());
}

#[test]
fn the_library_writes_what_the_rule_in_the_guide_says() {
    assert_eq!(SessionLog::default().to_bytes(), line(HEADER).into_bytes());
}

#[test]
fn old_names_and_ids_load_and_keep_their_bytes() {
    let start = r#"{"type":"tool/code-dispatch-start","seq":0,"time":1,"data":{"rootCallId":"r","parentCallId":"r","subCallId":"code-1-sub-2","name":"read","arguments":{"path":"a"}}}"#;
    let end = r#"{"type":"tool/code-dispatch","seq":1,"time":1,"data":{"rootCallId":"r","parentCallId":"r","subCallId":"code-1-sub-2","name":"read","arguments":{"path":"a"},"isError":false,"content":[{"type":"text","text":"A"}]}}"#;
    let log = log_of(&[HEADER, start, end]).unwrap();
    assert_eq!(told(&log), ["start code-1-sub-2", "end code-1-sub-2 OK"]);
    assert_eq!(log.entries()[0].kind(), "tool/code-dispatch-start");
    assert_eq!(log.to_bytes(), format!("{}{}{}", line(HEADER), line(start), line(end)).into_bytes());
    assert!(replay(&log).unwrap().messages().is_empty());
}

const NEWER: &str = r#"{"type":"tool/summary","seq":0,"time":1,"data":{"z":1,"a":[1.50]}}"#;

#[tokio::test]
async fn an_event_of_a_newer_version_stops_replay_and_is_kept_as_it_stands() {
    let log = log_of(&[HEADER, NEWER]).unwrap();
    let refused = replay(&log).unwrap_err().to_string();
    assert_eq!(
        refused,
        "event 0 on line 2 is a \"tool/summary\", which this version does not know; it can't be passed over, so nothing is \
         replayed"
    );
    assert_eq!(log.entries()[0].payload(), NEWER);
    assert!(matches!(log.entries()[0].event(), Event::Unknown(unknown) if unknown.data["z"] == 1));
    assert_eq!(log.to_bytes(), format!("{}{}", line(HEADER), line(NEWER)).into_bytes());
    let store = MemoryStore::of(log.to_bytes());
    assert!(matches!(Session::resume(store.clone()).await, Err(SessionError::Log(LogError::UnknownEvent { .. }))));
    assert_eq!(store.bytes(), log.to_bytes(), "what is refused is not changed");
}

#[test]
fn an_unknown_event_that_says_so_is_passed_over() {
    let ignorable = NEWER.replace("}}", r#"},"ignorable":true,"extra":{"x":1}}"#);
    let user = r#"{"type":"user/message","seq":1,"time":1,"data":{"turn":1,"mood":"good","message":{"role":"user","content":[{"type":"text","text":"hi"}]}},"surfaceOp":"append"}"#;
    let log = log_of(&[HEADER, &ignorable, user]).unwrap();
    assert_eq!(replay(&log).unwrap().messages().len(), 1);
    assert_eq!(log.to_bytes(), format!("{}{}{}", line(HEADER), line(&ignorable), line(user)).into_bytes());
}

#[test]
fn a_known_event_that_can_t_be_read_or_has_a_newer_version_stops_replay() {
    for payload in [
        r#"{"type":"tool/call","seq":0,"time":1,"data":{"turn":1}}"#,
        r#"{"v":2,"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}"#,
        r#"{"type":"turn/start","seq":0,"time":1,"data":{"turn":1},"surfaceOp":"append"}"#,
        r#"{"type":"user/message","seq":0,"time":1,"data":{"turn":1,"message":{"role":"user","content":[]}},"surfaceOp":"weave"}"#,
    ] {
        let log = log_of(&[HEADER, payload]).unwrap();
        assert!(log.understood().is_err(), "{payload}");
        assert_eq!(log.entries()[0].payload(), payload);
    }
}

#[test]
fn a_newer_format_is_refused_by_its_number() {
    let refused = log_of(&[r#"{"format":"tool-session-log","version":2,"more":true}"#, NEWER]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the session log has format 2, and this program reads formats up to 1; use a newer program"
    );
    assert!(log_of(&[r#"{"format":"tool-session-log","version":1,"more":true}"#]).is_ok());
}

#[test]
fn what_is_whole_and_no_event_is_damage_with_its_reason() {
    for (payload, why) in [
        ("[1]", "it is no object"),
        (r#"{"type":"x","time":1}"#, "it has no \"seq\""),
        (r#"{"seq":1,"seq":1,"time":1,"type":"x"}"#, "/seq"),
    ] {
        let log = log_of(&[HEADER, payload]).unwrap();
        assert!(log.damage()[0].to_string().contains(why), "{}", log.damage()[0]);
    }
}
