//! Logs that were cut off, or in which a byte has changed.

use tool_runtime::session::{DamageKind, Durability, Entry, FileStore, LogError, MemoryStore, Session, SessionLog};

use crate::scene::{call, dispatcher, finish, in_a_step, read, step, told};

/// A small log that holds characters of several bytes.
async fn small() -> Vec<u8> {
    let (store, session) = in_a_step().await;
    session.user("héllo 固 👩‍👩‍👧").await.unwrap();
    let _ = step(&session, &dispatcher(), vec![call("a", "é"), call("b", "notice")]).await;
    finish(&session).await;
    store.bytes()
}

/// One of five lines.
async fn smallest() -> Vec<u8> {
    let (store, session) = in_a_step().await;
    session.host_event("é", &()).await.unwrap_err();
    session.host_event("n", "固").await.unwrap();
    store.bytes()
}

fn payloads(log: &SessionLog) -> Vec<&str> {
    log.entries().iter().map(Entry::payload).collect()
}

#[tokio::test]
async fn a_log_that_is_cut_at_any_byte_keeps_every_whole_record() {
    let bytes = small().await;
    let whole = read(&bytes);
    let ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    for cut in 0..bytes.len() {
        let log = SessionLog::parse(&bytes[..cut]).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        // The header is no event; a record is whole without its newline.
        let kept = ends.iter().filter(|end| **end <= cut).count().saturating_sub(1);
        assert_eq!(payloads(&log), payloads(&whole)[..kept], "cut at {cut}");
        let torn: Vec<_> = log.damage().iter().map(|damage| (damage.offset, damage.kind.clone())).collect();
        let start = ends.iter().rfind(|end| **end < cut).map_or(0, |end| end + 1);
        let between = start == cut || ends.contains(&cut);
        let expected = if between { vec![] } else { vec![(start, DamageKind::Torn)] };
        assert_eq!(torn, expected, "cut at {cut}");
    }
}

#[tokio::test]
async fn a_byte_that_changed_loses_no_more_than_the_record_that_it_stands_in() {
    let bytes = smallest().await;
    let whole = read(&bytes);
    let lines: Vec<usize> =
        std::iter::once(0).chain((0..bytes.len()).filter(|at| bytes[*at] == b'\n').map(|at| at + 1)).collect();
    for at in 0..bytes.len() {
        for change in [0x01, 0x20, 0x80, bytes[at] ^ b'\n'] {
            if change == 0 {
                continue;
            }
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            let log = SessionLog::parse(&damaged).unwrap_or_else(|error| panic!("byte {at} ^ {change:x}: {error}"));
            let line = lines.iter().rposition(|start| *start <= at).unwrap();
            let lost: Vec<&str> =
                payloads(&whole).into_iter().filter(|payload| !payloads(&log).contains(payload)).collect();
            let mut may_be_lost = vec![];
            if line > 0 && bytes[at] != b'\n' {
                may_be_lost.push(payloads(&whole)[line - 1]);
            }
            assert_eq!(lost, may_be_lost, "byte {at} ^ {change:x}");
            assert!(!log.damage().is_empty(), "byte {at} ^ {change:x} is not named");
            for damage in log.damage() {
                assert!((lines[line]..=at + 1).contains(&damage.offset), "byte {at} ^ {change:x}: {damage}");
            }
            // A first byte that became a newline is a line of its own.
            let is_blank = lines[line] == at && damaged[at] == b'\n';
            assert_eq!(log.damage()[0].line, line + 1 + usize::from(is_blank), "byte {at} ^ {change:x}");
        }
    }
}

#[tokio::test]
async fn what_is_torn_is_moved_away_before_the_next_record_and_told_once() {
    let bytes = small().await;
    let dispatcher = dispatcher();
    let directory = tempfile::tempdir().unwrap();
    for cut in bytes.len() - 300..=bytes.len() {
        let path = directory.path().join(format!("{cut}.jsonl"));
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let whole = payloads(&SessionLog::parse(&bytes[..cut]).unwrap()).len();
        let resumed = Session::resume(FileStore::open(&path, Durability::Buffered).unwrap()).await.unwrap();
        let torn = resumed.log.damage().to_vec();
        assert_eq!(resumed.log.entries().len(), whole + resumed.repaired, "cut at {cut}");
        let session = resumed.session;
        session.start_turn().await.unwrap();
        session.start_step().await.unwrap();
        let _ = step(&session, &dispatcher, vec![call("new", "x")]).await;
        finish(&session).await;
        session.close().await;

        let again = Session::resume(FileStore::open(&path, Durability::Buffered).unwrap()).await.unwrap();
        assert_eq!(again.log.damage(), [], "cut at {cut}");
        assert_eq!(again.repaired, 0, "cut at {cut}");
        let told = told(&again.log);
        assert_eq!(
            told[told.len() - 7..],
            ["turn/start", "step/start", "assistant/message", "call new", "result new OK", "step/end", "turn/end"]
        );
        if let [torn] = &*torn {
            let apart = directory.path().join(format!("{cut}.jsonl.torn-{}", torn.offset));
            let kept = std::fs::read(apart).unwrap();
            assert_eq!(kept[..kept.len() - 1], bytes[torn.offset..cut], "cut at {cut}");
        }
    }
}

#[tokio::test]
async fn damage_in_the_middle_stays_named_and_what_is_written_later_is_read() {
    let mut bytes = small().await;
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    let store = MemoryStore::of(bytes.clone());
    let resumed = Session::resume(store.clone()).await.unwrap();
    resumed.session.start_turn().await.unwrap();
    let log = resumed.session.log().await.unwrap();
    assert_eq!(log.damage(), SessionLog::parse(&bytes).unwrap().damage());
    assert_eq!(told(&log).last().unwrap(), "turn/start");
    assert!(store.bytes().starts_with(&bytes));
}

#[tokio::test]
async fn a_log_without_its_header_is_named_so_and_every_event_in_it_is_read() {
    let bytes = small().await;
    let whole = read(&bytes);
    for lost in 1..whole.entries().len() {
        let start = bytes.len() - whole.entries()[lost - 1..].iter().map(|it| it.record().line().len()).sum::<usize>();
        let store = MemoryStore::of(bytes[start..].to_vec());
        let log = SessionLog::parse(&store.bytes()).unwrap();
        assert_eq!(payloads(&log), payloads(&whole)[lost - 1..]);
        let [damage] = log.damage() else { panic!("{:?}", log.damage()) };
        assert_eq!((damage.line, damage.offset, &damage.kind), (1, 0, &DamageKind::NoHeader));
        assert!(damage.loses_a_record());
        assert!(damage.to_string().contains("does not begin with its header"), "{damage}");
        // It is told each time, since nothing that is written later mends it.
        let resumed = Session::resume(store.clone()).await.unwrap();
        assert_eq!(resumed.log.damage(), log.damage());
        assert_eq!(SessionLog::parse(&store.bytes()).unwrap().damage(), log.damage());
    }
}

#[test]
fn what_is_no_log_is_refused_and_never_written() {
    let other: &[&[u8]] =
        &[b"{\"type\":\"turn/start\"}\n", b"#!/bin/sh\n", b"\x7fELF", &[0; 4096], b"00000002 00000000 {}\n"];
    for bytes in other {
        assert_eq!(SessionLog::parse(bytes).unwrap_err(), LogError::NotALog);
    }
    assert!(SessionLog::parse(b"").unwrap().entries().is_empty());
}

#[test]
fn any_bytes_at_all_are_read_without_a_panic() {
    use proptest::prelude::*;
    proptest!(ProptestConfig::with_cases(300), |(bytes in prop::collection::vec(any::<u8>(), 0..400))| {
        let _ = SessionLog::parse(&bytes);
        let mut log = SessionLog::default().to_bytes();
        let header = log.len();
        log.extend(&bytes);
        let read = SessionLog::parse(&log).unwrap();
        prop_assert!(read.damage().iter().all(|damage| damage.offset >= header));
    });
}
