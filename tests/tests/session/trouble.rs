//! A store that fails, panics or is slow.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use tool_runtime::prelude::*;
use tool_runtime::seam::{Journal, JournalCall, JournalEnd, JournalHandle, Recording};
use tool_runtime::session::{MemoryStore, Record, Session, SessionError, SessionStore, StoreError, StoreErrorKind};

use crate::hook::begin_and_drop;
use crate::scene::{ask, call, dispatcher, finish, journaled, read, session, step, told};

/// Fails while it is told to.
#[derive(Clone, Default)]
struct Flaky {
    inner: MemoryStore,
    fails: Arc<AtomicBool>,
    panics: Arc<AtomicBool>,
    on_a_thread: bool,
}

impl SessionStore for Flaky {
    fn load(&mut self) -> Result<Vec<u8>, StoreError> {
        self.inner.load()
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        assert!(!self.panics.load(Ordering::SeqCst), "boom on purpose");
        if self.fails.load(Ordering::SeqCst) {
            return Err(StoreError::new(StoreErrorKind::Full, "no room on /secret/disk"));
        }
        self.inner.append(records)
    }

    fn may_block(&self) -> bool {
        self.on_a_thread
    }
}

async fn started(store: &Flaky) -> Session {
    let session = session(store.clone()).await;
    session.start_turn().await.unwrap();
    session.start_step().await.unwrap();
    session
}

#[tokio::test]
async fn a_call_that_can_t_be_logged_does_not_run_and_later_ones_neither_until_the_host_looks() {
    for on_a_thread in [false, true] {
        let store = Flaky { on_a_thread, ..Flaky::default() };
        let session = started(&store).await;
        store.fails.store(true, Ordering::SeqCst);
        let result = dispatcher().call_with(call("a", "panic"), journaled(&session)).await;
        let failure = result.failure().unwrap();
        assert_eq!(failure.code(), &Code::LOG_FAILED);
        assert_eq!(failure.error().known_effects(), Effects::None);
        assert!(failure.error().source().unwrap().to_string().contains("/secret/disk"));
        assert!(!failure.content().to_text().contains("/secret/disk"), "the model is told no path");
        assert_eq!(session.trouble().unwrap().kind(), StoreErrorKind::Full);
        // The disk has room again, but what the log lacks is for the host to judge.
        store.fails.store(false, Ordering::SeqCst);
        let result = dispatcher().call_with(call("b", "panic"), journaled(&session)).await;
        assert_eq!(tests::code(&result), "LOG_FAILED");
        assert!(matches!(session.user("x").await, Err(SessionError::Halted(_))));
        session.recover().await.unwrap();
        assert!(session.trouble().is_none());
        let results = step(&session, &dispatcher(), vec![call("c", "x")]).await;
        assert!(results[0].is_success());
        finish(&session).await;
        let log = read(&store.inner.bytes());
        let seqs: Vec<u64> = log.entries().iter().map(tool_runtime::session::Entry::seq).collect();
        assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>(), "no gap is left by what was refused");
    }
}

/// Make the store fail from now on.
#[derive(Tool)]
#[tool(output = bool, render = display)]
struct Break {}

impl Execute<Flaky> for Break {
    async fn execute(&self, cx: &Context<Flaky>) -> Result<bool, ToolError> {
        cx.state().fails.store(true, Ordering::SeqCst);
        Ok(true)
    }
}

#[tokio::test]
async fn a_result_that_can_t_be_logged_reaches_the_caller_with_a_warning() {
    for on_a_thread in [false, true] {
        let store = Flaky { on_a_thread, ..Flaky::default() };
        let session = started(&store).await;
        let mut registry = Registry::new();
        registry.with(store.clone()).tool::<Break>().unwrap();
        let dispatcher = Dispatcher::new(registry);
        let calls = vec![ToolCall::without_arguments("a", "break")];
        ask(&session, &calls).await;
        let results = dispatcher.batch(calls, journaled(&session)).all().await;
        assert_eq!(results[0].content().to_text(), "true");
        let warnings = results[0].trace().warnings();
        assert_eq!(warnings, ["the journal did not take the result: the session log failed: no room on /secret/disk"]);
        let result = dispatcher.call_with(ToolCall::without_arguments("b", "break"), journaled(&session)).await;
        assert_eq!(tests::code(&result), "LOG_FAILED");
        store.fails.store(false, Ordering::SeqCst);
        session.recover().await.unwrap();
        session.interrupt().await.unwrap();
        let told = told(&read(&store.inner.bytes()));
        assert_eq!(told[2..], ["assistant/message", "call a", "result a TOOL_OUTCOME_UNKNOWN", "step/end", "turn/end"]);
    }
}

#[tokio::test]
async fn a_store_that_panics_has_failed() {
    tests::quiet_panics();
    for on_a_thread in [false, true] {
        let store = Flaky { on_a_thread, ..Flaky::default() };
        let session = started(&store).await;
        store.panics.store(true, Ordering::SeqCst);
        let failed = session.end_step().await.unwrap_err().to_string();
        assert_eq!(failed, "the session log failed: the store of the session log panicked: boom on purpose");
        store.panics.store(false, Ordering::SeqCst);
        session.recover().await.unwrap();
        session.end_step().await.unwrap();
    }
}

/// Counts how often it is asked, once it may go on.
#[derive(Clone)]
struct Slow {
    inner: MemoryStore,
    appends: Arc<AtomicUsize>,
    gate: Arc<Barrier>,
}

impl SessionStore for Slow {
    fn load(&mut self) -> Result<Vec<u8>, StoreError> {
        self.inner.load()
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        if self.appends.fetch_add(1, Ordering::SeqCst) == 0 {
            self.gate.wait();
        }
        self.inner.append(records)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_written_together_and_in_the_order_of_the_numbers() {
    let (appends, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Barrier::new(2)));
    let store = Slow { inner: MemoryStore::new(), appends: Arc::clone(&appends), gate: Arc::clone(&gate) };
    let session = session(store.clone()).await;
    let all: Vec<_> = (0..200_u64)
        .map(|number| {
            let session = session.clone();
            tokio::spawn(async move { session.host_event("n", &number).await })
        })
        .collect();
    // The first write waits at the gate until all others are queued behind it.
    while !format!("{session:?}").contains("next_seq: 200,") {
        tokio::task::yield_now().await;
    }
    tokio::task::spawn_blocking(move || gate.wait()).await.unwrap();
    for one in all {
        one.await.unwrap().unwrap();
    }
    let log = read(&store.inner.bytes());
    assert_eq!(log.entries().len(), 200);
    assert!(log.entries().iter().map(tool_runtime::session::Entry::seq).eq(0..200));
    assert!(appends.load(Ordering::SeqCst) <= 2, "what waits is one write");
}

/// A journal of a host's own, which panics where it is told to.
struct Panicking(&'static str);

impl Journal for Panicking {
    fn called<'a>(&'a self, _: &'a JournalCall<'a>) -> Recording<'a> {
        assert_ne!(self.0, "called", "on purpose");
        Box::pin(async { Ok(()) })
    }

    fn ended<'a>(&'a self, _: &'a JournalCall<'a>, _: &'a JournalEnd<'a>) -> Recording<'a> {
        Box::pin(async move {
            assert_ne!(self.0, "ended", "on purpose");
            Ok(())
        })
    }

    fn dropped(&self, _: &JournalCall<'_>) {
        panic!("on purpose");
    }
}

#[tokio::test]
async fn a_journal_that_panics_has_failed() {
    tests::quiet_panics();
    let with = |at| CallOptions { journal: Some(JournalHandle::new(Panicking(at))), ..CallOptions::default() };
    let result = dispatcher().call_with(call("a", "x"), with("called")).await;
    assert_eq!(tests::code(&result), "LOG_FAILED");
    let result = dispatcher().call_with(call("a", "x"), with("ended")).await;
    assert!(result.is_success());
    assert!(result.trace().warnings()[0].starts_with("the journal did not take the result: the journal panicked"));
    begin_and_drop(dispatcher().call_with(call("a", "hang"), with("dropped")));
}
