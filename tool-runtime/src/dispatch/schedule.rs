//! When the calls of a batch may go on.
//!
//! All of them are futures of one task, which polls every one that waits here whenever something has changed; so nothing
//! here needs a waker.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use super::Limits;
use crate::definition::Definition;
use crate::panics::contain;
use crate::result::Trace;
use crate::tool::{Access, Call};

/// Where the calls of a batch stand.
pub(super) struct Schedule {
    state: Mutex<State>,
    /// How many bodies may run at a time.
    most: usize,
    calls: usize,
    /// How many bytes a model may read of all of them.
    bytes: usize,
}

#[derive(Default)]
struct State {
    /// The calls before this one have entered their bodies, or never will.
    next_to_start: usize,
    /// The calls before this one have their results.
    next_to_commit: usize,
    running: usize,
    /// The call that allows no other beside it, until it has its result.
    alone: Option<usize>,
    /// A fatal failure has ended the run: no further body is entered.
    is_over: bool,
    /// What the calls touch that have started, until each has its result.
    touched: Vec<(usize, Vec<Access>)>,
    /// What those that have their results took of what a model may read of the batch.
    read: usize,
    changes: u64,
}

/// What a call allows beside it.
pub(super) enum Beside {
    /// No other call.
    Nothing,
    /// All calls but those that conflict with what it touches.
    AllBut(Vec<Access>),
}

/// What a call that is about to run allows beside it. Who can't say what it touches may touch anything.
pub(super) fn beside(definition: &Definition, call: &Call, trace: &mut Trace) -> Beside {
    if !definition.tool.claims() {
        return if definition.spec.behaviour.is_parallel() { Beside::AllBut(Vec::new()) } else { Beside::Nothing };
    }
    match contain(|| definition.tool.resources(call)) {
        Ok(accesses) => Beside::AllBut(accesses),
        Err(panic) => {
            trace.warn(format!("the call ran alone, since naming its resources panicked: {panic}"));
            Beside::Nothing
        }
    }
}

impl State {
    /// Whether no call that has started conflicts with one that touches this.
    fn is_free(&self, accesses: &[Access]) -> bool {
        let mut touched = self.touched.iter().flat_map(|(_, touched)| touched);
        touched.all(|touched| !accesses.iter().any(|access| access.conflicts_with(touched)))
    }
}

/// One call's place in its batch.
pub(super) struct Turn {
    schedule: Arc<Schedule>,
    index: usize,
}

/// A body that runs, until this is dropped.
pub(super) struct Running<'t>(&'t Turn);

impl Schedule {
    pub(super) fn new(calls: usize, limits: &Limits) -> Arc<Self> {
        let (most, bytes) = (limits.parallel_calls.max(1), limits.batch_bytes);
        Arc::new(Self { state: Mutex::default(), most, calls, bytes })
    }

    pub(super) fn turn(self: &Arc<Self>, index: usize) -> Turn {
        Turn { schedule: Arc::clone(self), index }
    }

    /// Another number than before, if something has changed since.
    pub(super) fn changes(&self) -> u64 {
        self.state().changes
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        state.changes += 1;
    }

    async fn when(&self, may: impl Fn(&State) -> bool) {
        poll_fn(|_| if may(&self.state()) { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    // Changes run no code but ours, so a state that a panic left is whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Waits until it may be judged: all calls before it have started, and one more body has room; if it allows no call beside
    /// it, all before it have their results. Which calls it allows is known once it is judged.
    pub(super) async fn to_start(&self, allows_others: impl Fn() -> bool) {
        let most = self.schedule.most;
        self.schedule
            .when(|state| {
                let has_room = state.alone.is_none() && state.running < most;
                state.next_to_start == self.index && has_room && (self.is_alone(state) || allows_others())
            })
            .await;
    }

    /// Waits until its body may be entered: those before it that it conflicts with have their results.
    pub(super) async fn to_run(&self, beside: Beside) -> Running<'_> {
        let may_run = |state: &State| match &beside {
            Beside::Nothing => false,
            Beside::AllBut(accesses) => state.is_free(accesses),
        };
        self.schedule.when(|state| self.is_alone(state) || may_run(state)).await;
        self.schedule.change(|state| {
            state.running += 1;
            state.next_to_start = self.index + 1;
            match beside {
                Beside::Nothing => state.alone = Some(self.index),
                Beside::AllBut(accesses) => state.touched.push((self.index, accesses)),
            }
        });
        Running(self)
    }

    /// No body is entered after this one: those that run end by themselves.
    pub(super) fn end(&self) {
        self.schedule.change(|state| state.is_over = true);
    }

    /// Whether a call has ended the run of all that have not started.
    pub(super) fn is_over(&self) -> bool {
        self.schedule.state().is_over
    }

    /// What comes of this work; nothing, if the run is over before. Nobody is asked about a call that will not run.
    pub(super) async fn unless_over<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut work = pin!(work);
        poll_fn(|cx| match work.as_mut().poll(cx) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if self.is_over() => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await
    }

    /// It will run no body, or has run it.
    pub(super) fn pass(&self) {
        self.schedule.change(|state| state.next_to_start = state.next_to_start.max(self.index + 1));
    }

    /// Waits until all calls before it have their results.
    pub(super) async fn to_commit(&self) {
        self.schedule.when(|state| state.next_to_commit == self.index).await;
    }

    /// How many bytes a model may read of its result: an equal part of what those before it left. Only who may commit asks,
    /// so that the answer is the same whatever finishes first.
    pub(super) fn share(&self) -> usize {
        let left = self.schedule.bytes.saturating_sub(self.schedule.state().read);
        left / (self.schedule.calls - self.index).max(1)
    }

    /// It has its result, of which a model reads so many bytes.
    pub(super) fn commit(&self, read: usize) {
        self.schedule.change(|state| {
            state.read = state.read.saturating_add(read);
            state.next_to_commit = self.index + 1;
            state.alone = state.alone.filter(|alone| *alone != self.index);
            state.touched.retain(|(index, _)| *index != self.index);
        });
    }

    fn is_alone(&self, state: &State) -> bool {
        state.next_to_commit == self.index
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.schedule.change(|state| state.running -= 1);
    }
}
