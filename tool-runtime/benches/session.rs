//! What a session's log costs: events a second by what is promised of them, against a plain buffered writer; a call with a
//! journal against one without; reading and replaying a long log.
//!
//! `cargo bench -p tool-runtime --bench session`. Files are made in `target/tmp`, so that the disk is that of the build.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tool_runtime::prelude::*;
use tool_runtime::session::{
    AssistantMessage, Durability, EndReason, FileStore, MemoryStore, RequestedCall, Session, SessionLog, SessionStore,
    replay,
};

/// Add two integers.
#[derive(Tool)]
#[tool(output = i64, render = display, parallel)]
struct Add {
    a: i64,
    b: i64,
}

impl Execute for Add {
    async fn execute(&self, _: &Context) -> Result<i64, ToolError> {
        Ok(self.a + self.b)
    }
}

const ARGUMENTS: &str = r#"{"a": 1, "b": 2}"#;

/// How many events are written at a time by tasks that don't wait for one another.
const TASKS: u64 = 16;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned()
}

fn per_second(what: &str, events: u64, took: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let rate = events as f64 / took.as_secs_f64();
    println!("{what:<58} {rate:>12.0} events/s {:>10.1} µs each", 1e6 / rate);
}

fn plain_writer(events: u64, line: &[u8]) {
    let path = directory().join("plain.jsonl");
    let mut file = BufWriter::new(File::create(&path).expect("the directory can be written"));
    let started = Instant::now();
    for _ in 0..events {
        file.write_all(line).expect("the disk has room");
    }
    file.flush().expect("the disk has room");
    per_second("a plain BufWriter, lines made before", events, started.elapsed());
}

/// Events of some 200 bytes, one after the other or from several tasks.
async fn append(what: &str, store: impl SessionStore, events: u64, tasks: u64) {
    let session = Session::create(store).await.expect("the store is empty");
    let started = Instant::now();
    let all: Vec<_> = (0..tasks)
        .map(|_| {
            let session = session.clone();
            tokio::spawn(async move {
                let text = "x".repeat(120);
                for _ in 0..events / tasks {
                    session.host_event("bench", text.as_str()).await.expect("the store takes it");
                }
            })
        })
        .collect();
    for one in all {
        one.await.expect("it does not panic");
    }
    per_second(what, events, started.elapsed());
    session.close().await;
}

fn file(name: &str, durability: Durability) -> FileStore {
    let path = directory().join(name);
    // A log of an earlier run, if there is one.
    let _ = std::fs::remove_file(&path);
    FileStore::open(path, durability).expect("the directory can be written")
}

async fn calls(what: &str, dispatcher: &Dispatcher, options: impl Fn() -> CallOptions, calls: u64) {
    let started = Instant::now();
    for _ in 0..calls {
        let _ = black_box(dispatcher.call_with(ToolCall::new("call-1", "add", ARGUMENTS), options()).await);
    }
    let nanos = started.elapsed().as_nanos() / u128::from(calls);
    println!("{what:<58} {nanos:>12} ns");
}

async fn long_log(dispatcher: &Dispatcher, events: usize) -> Vec<u8> {
    let store = MemoryStore::new();
    let session = Session::create(store.clone()).await.expect("the store is empty");
    let mut written = 0;
    while written < events {
        session.start_turn().await.expect("memory takes it");
        session.user("What is 1 + 2?").await.expect("memory takes it");
        session.start_step().await.expect("memory takes it");
        let calls: Vec<_> = (0..10).map(|id| ToolCall::new(format!("call-{id}"), "add", ARGUMENTS)).collect();
        let asked = calls.iter().map(|call| RequestedCall::of(call, dispatcher)).collect();
        session.assistant(AssistantMessage::new(Content::text("I'll add."), asked)).await.expect("memory takes it");
        let options = CallOptions { journal: Some(session.journal()), ..CallOptions::default() };
        let _ = dispatcher.batch(calls, options).all().await;
        session.end_step().await.expect("memory takes it");
        session.end_turn(EndReason::completed()).await.expect("memory takes it");
        written += 26;
    }
    store.bytes()
}

fn main() {
    let runtime = Builder::new_current_thread().build().expect("a runtime");
    let dispatcher = Dispatcher::new(toolset! { () => [Add] }.expect("the tool is right"));
    runtime.block_on(async {
        plain_writer(100_000, &[b'x'; 220]);
        append("memory", MemoryStore::new(), 100_000, 1).await;
        for durability in [Durability::Buffered, Durability::EachBatch, Durability::EachEvent] {
            let events = if durability == Durability::Buffered { 32_000 } else { 1_600 };
            append(&format!("file, {durability:?}, one task"), file("one.jsonl", durability), events, 1).await;
            let what = format!("file, {durability:?}, {TASKS} tasks");
            append(&what, file("many.jsonl", durability), events, TASKS).await;
        }
        calls("a call without a journal", &dispatcher, CallOptions::default, 100_000).await;
        let session = Session::create(MemoryStore::new()).await.expect("the store is empty");
        let journal = session.journal();
        let options = || CallOptions { journal: Some(journal.clone()), ..CallOptions::default() };
        calls("a call with a journal in memory", &dispatcher, options, 20_000).await;
        let bytes = long_log(&dispatcher, 100_000).await;
        let started = Instant::now();
        let log = SessionLog::parse(&bytes).expect("it is a log");
        let read = started.elapsed();
        let started = Instant::now();
        let replayed = replay(&log).expect("every event is known");
        println!(
            "{} events, {} MB: read in {} ms, {} messages replayed in {} ms",
            log.entries().len(),
            bytes.len() / 1_000_000,
            read.as_millis(),
            replayed.messages().len(),
            started.elapsed().as_millis()
        );
    });
}
