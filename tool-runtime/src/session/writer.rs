//! Who gives records to the store: a thread that takes together what waits, or, for a store in memory, the caller itself.

use std::sync::{Mutex, PoisonError};
use std::thread;

use tokio::sync::{mpsc, oneshot};

use super::error::{SessionError, StoreError, StoreErrorKind};
use super::frame::Record;
use super::store::SessionStore;
use crate::panics::contain;

/// How many writes may wait for the store. Who comes later waits for a place.
const QUEUE: usize = 256;

/// How many bytes are given to the store at once, if so many wait.
const GROUP_BYTES: usize = 1 << 20;

/// What is asked of the writer's thread.
pub(super) enum Command {
    Append { records: Vec<Record>, done: oneshot::Sender<Result<(), StoreError>> },
    Load(oneshot::Sender<Result<Vec<u8>, StoreError>>),
    Close(oneshot::Sender<()>),
}

/// The way to the store.
pub(super) enum Writer {
    Thread(mpsc::Sender<Command>),
    Here(Mutex<Core>),
}

/// The store, and what it failed with.
pub(super) struct Core {
    store: Box<dyn SessionStore>,
    /// Nothing is appended after a failure until the log was loaded anew.
    trouble: Option<StoreError>,
}

/// A place in the queue, or the store itself.
pub(super) enum Place<'a> {
    Queue(mpsc::Permit<'a, Command>),
    Here(&'a Mutex<Core>),
}

/// The store's answer, now or later.
pub(super) enum Answer {
    Now(Result<(), StoreError>),
    Later(oneshot::Receiver<Result<(), StoreError>>),
}

impl Writer {
    pub(super) fn new(store: impl SessionStore) -> Result<Self, SessionError> {
        let on_a_thread = store.may_block();
        let core = Core { store: Box::new(store), trouble: None };
        if !on_a_thread {
            return Ok(Self::Here(Mutex::new(core)));
        }
        let (sender, commands) = mpsc::channel(QUEUE);
        let started = thread::Builder::new().name("session-log".to_owned()).spawn(move || core.run(commands));
        match started {
            Ok(_) => Ok(Self::Thread(sender)),
            Err(error) => Err(SessionError::Store(StoreError::io("starting the thread of the session log", error))),
        }
    }

    /// Waits for a place in the queue.
    pub(super) async fn place(&self) -> Result<Place<'_>, SessionError> {
        match self {
            Self::Thread(queue) => queue.reserve().await.map(Place::Queue).map_err(|_| SessionError::Closed),
            Self::Here(core) => Ok(Place::Here(core)),
        }
    }

    /// A place, if there is one now.
    pub(super) fn place_now(&self) -> Option<Place<'_>> {
        match self {
            Self::Thread(queue) => queue.try_reserve().ok().map(Place::Queue),
            Self::Here(core) => Some(Place::Here(core)),
        }
    }

    pub(super) async fn load(&self) -> Result<Vec<u8>, SessionError> {
        match self {
            Self::Here(core) => Ok(lock(core).load()?),
            Self::Thread(queue) => {
                let (done, loaded) = oneshot::channel();
                queue.send(Command::Load(done)).await.map_err(|_| SessionError::Closed)?;
                Ok(loaded.await.map_err(|_| SessionError::Closed)??)
            }
        }
    }

    /// Ends the thread once what waits is written, and lets go of the store.
    pub(super) async fn close(&self) {
        if let Self::Thread(queue) = self {
            let (done, closed) = oneshot::channel();
            // If it has ended already, there is nothing to wait for.
            if queue.send(Command::Close(done)).await.is_ok() {
                let _ = closed.await;
            }
        }
    }
}

impl Place<'_> {
    pub(super) fn append(self, records: Vec<Record>) -> Answer {
        match self {
            Self::Here(core) => Answer::Now(lock(core).append(&records)),
            Self::Queue(permit) => {
                let (done, answer) = oneshot::channel();
                permit.send(Command::Append { records, done });
                Answer::Later(answer)
            }
        }
    }
}

impl Answer {
    pub(super) async fn get(self) -> Result<(), SessionError> {
        match self {
            Self::Now(answer) => answer.map_err(SessionError::Store),
            Self::Later(answer) => match answer.await {
                Ok(answer) => answer.map_err(SessionError::Store),
                Err(_) => Err(SessionError::Closed),
            },
        }
    }
}

// The store tells of its own failures, so a core that a panic left is whole.
fn lock(core: &Mutex<Core>) -> std::sync::MutexGuard<'_, Core> {
    core.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Core {
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        if let Some(trouble) = &self.trouble {
            return Err(trouble.clone());
        }
        let appended = contain(|| self.store.append(records)).unwrap_or_else(|panic| Err(panicked(&panic)));
        if let Err(error) = &appended {
            self.trouble = Some(error.clone());
        }
        appended
    }

    fn load(&mut self) -> Result<Vec<u8>, StoreError> {
        let loaded = contain(|| self.store.load()).unwrap_or_else(|panic| Err(panicked(&panic)))?;
        self.trouble = None;
        Ok(loaded)
    }

    fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        let mut waiting = Vec::new();
        while let Some(command) = commands.blocking_recv() {
            match self.take(command, &mut commands, &mut waiting) {
                None | Some(Command::Append { .. }) => {}
                Some(Command::Load(done)) => {
                    // Whoever asked may have gone away.
                    let _ = done.send(self.load());
                }
                Some(Command::Close(done)) => {
                    commands.close();
                    drop(self.store);
                    let _ = done.send(());
                    return;
                }
            }
        }
    }

    /// Writes an append together with those that wait behind it; another command is given back, after them.
    fn take(
        &mut self,
        first: Command,
        commands: &mut mpsc::Receiver<Command>,
        waiting: &mut Vec<oneshot::Sender<Result<(), StoreError>>>,
    ) -> Option<Command> {
        let mut group = Vec::new();
        let mut bytes = 0;
        let mut next = Some(first);
        let other = loop {
            match next {
                Some(Command::Append { records, done }) => {
                    bytes += records.iter().map(|record| record.line().len()).sum::<usize>();
                    group.extend(records);
                    waiting.push(done);
                }
                other => break other,
            }
            if bytes >= GROUP_BYTES {
                break None;
            }
            next = commands.try_recv().ok();
        };
        if !waiting.is_empty() {
            let appended = self.append(&group);
            for done in waiting.drain(..) {
                // Whoever waited may have gone away.
                let _ = done.send(appended.clone());
            }
        }
        other
    }
}

fn panicked(panic: &str) -> StoreError {
    StoreError::new(StoreErrorKind::Other, format!("the store of the session log panicked: {panic}"))
}
