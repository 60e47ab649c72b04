//! A process that is killed while it logs.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tool_runtime::prelude::*;
use tool_runtime::session::{Durability, Event, FileStore, Session, SessionLog, repairs, replay};

use crate::files::{child, log_of_the_child};
use crate::scene::{call, dispatcher, finish, step};

/// How long the torture goes on; `SESSION_TORTURE_SECONDS` makes it longer.
fn torture_time() -> Duration {
    let seconds = std::env::var("SESSION_TORTURE_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(8))
}

#[cfg(unix)]
#[test]
fn a_process_that_is_killed_loses_nothing_that_was_acknowledged() {
    let directory = tempfile::tempdir().unwrap();
    let started = Instant::now();
    // Numbers that look random, and are the same each time.
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let (mut rounds, mut acknowledged) = (0, 0);
    // One log grows through the rounds, so that each resumes what the one before left.
    let mut path = directory.path().join("0.jsonl");
    while started.elapsed() < torture_time() || rounds < 3 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        if rounds % 8 == 7 {
            path = directory.path().join(format!("{rounds}.jsonl"));
        }
        let lines = random % 300;
        let delay = Duration::from_micros(random >> 32 & 0x7FF);
        let told = kill_after(&path, lines, delay);
        acknowledged += told.len();
        judge(&path, &told);
        rounds += 1;
    }
    println!("{rounds} rounds, {acknowledged} events acknowledged");
}

/// Lets a child log until it has acknowledged so many events, kills it, and gives what it had acknowledged.
fn kill_after(path: &Path, lines: u64, delay: Duration) -> Vec<u64> {
    let mut running = child("", "killed::log_until_killed", path).stdout(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(running.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut acknowledged = Vec::new();
    let seqs = |line: String| line.strip_prefix("ack ").and_then(|seq| seq.parse::<u64>().ok());
    while (acknowledged.len() as u64) < lines {
        let Some(line) = told.next() else { break };
        acknowledged.extend(seqs(line));
    }
    std::thread::sleep(delay);
    running.kill().unwrap();
    running.wait().unwrap();
    acknowledged.extend(told.filter_map(seqs));
    acknowledged
}

/// Everything that was acknowledged is there; what was open is closed; the next process goes on.
fn judge(path: &Path, acknowledged: &[u64]) {
    let log = SessionLog::parse(&FileStore::read(path).unwrap_or_default()).unwrap();
    for seq in acknowledged {
        assert!(log.entry(*seq).is_some(), "event {seq} was acknowledged and is lost: {:?}", log.damage());
    }
    assert!(log.damage().len() <= 1, "{:?}", log.damage());
    assert!(log.entries().iter().map(tool_runtime::session::Entry::seq).eq(0..log.entries().len() as u64));
    let count =
        |log: &SessionLog, is: fn(&Event) -> bool| log.entries().iter().filter(|entry| is(entry.event())).count();
    let mut balanced = log.to_bytes();
    for entry in repairs(&log).unwrap() {
        balanced.extend(entry.record().line());
    }
    let balanced = SessionLog::parse(&balanced).unwrap();
    assert_eq!(repairs(&balanced).unwrap(), []);
    let asked: usize = balanced
        .entries()
        .iter()
        .map(|entry| if let Event::AssistantMessage(message) = entry.event() { message.calls.len() } else { 0 })
        .sum();
    assert_eq!(asked, count(&balanced, |event| matches!(event, Event::ToolResult(_))));
    assert_eq!(
        count(&balanced, |event| matches!(event, Event::TurnStart { .. })),
        count(&balanced, |event| matches!(event, Event::TurnEnd { .. }))
    );
    assert_eq!(replay(&balanced).unwrap(), replay(&SessionLog::parse(&balanced.to_bytes()).unwrap()).unwrap());
}

/// A child of the test above: logs turn after turn, and tells each event that was acknowledged.
#[test]
fn log_until_killed() {
    let Some(path) = log_of_the_child() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let resumed = Session::resume(FileStore::open(path, Durability::EachBatch).unwrap()).await.unwrap();
        assert_eq!(repairs(&resumed.log).unwrap(), []);
        let (session, mut next) = (resumed.session, resumed.log.next_seq());
        let mut acknowledge = |events: u64| {
            for seq in next..next + events {
                println!("\nack {seq}");
            }
            next += events;
        };
        acknowledge(0);
        let dispatcher = dispatcher();
        loop {
            session.start_turn().await.unwrap();
            session.start_step().await.unwrap();
            acknowledge(2);
            let calls = ["x", "fail", "notice"].map(|how| call(how, how)).to_vec();
            let results: Vec<ToolResult> = step(&session, &dispatcher, calls).await;
            acknowledge(1 + 2 * results.len() as u64);
            finish(&session).await;
            acknowledge(2);
        }
    });
}
