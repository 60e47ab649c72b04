//! A session that goes on.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::error::{SessionError, StoreError, StoreErrorKind};
use super::event::{AssistantMessage, EndReason, Event, HostEvent, UserMessage, kinds};
use super::frame::Record;
use super::journal::StepJournal;
use super::log::{Draft, Entry, SessionLog};
use super::store::SessionStore;
use super::track::Track;
use super::writer::{Answer, Place, Writer};
use crate::content::Content;
use crate::json;
use crate::seam::JournalHandle;

/// A session that goes on: events are appended to its log, each acknowledged once the store has it.
///
/// A clone is the same session. It numbers events in the order in which they are appended, from whatever task.
///
/// If the store fails, nothing more is logged, and calls that are given the [journal](Self::journal) are refused, until the host
/// has looked and called [`recover`](Self::recover).
#[derive(Clone)]
pub struct Session(Arc<Inner>);

type Clock = Box<dyn Fn() -> u64 + Send + Sync>;

struct Inner {
    writer: Writer,
    state: Mutex<State>,
    clock: Clock,
}

#[derive(Default)]
struct State {
    track: Track,
    /// Whether the log has its header.
    has_begun: bool,
    /// What a write failed with.
    trouble: Option<StoreError>,
    is_closed: bool,
}

/// A session that was taken up again.
#[derive(Debug)]
pub struct Resumed {
    /// The session, which goes on.
    pub session: Session,
    /// Its log, what closed the open turn included. Damage is told here, once: the next time a torn end is gone.
    pub log: SessionLog,
    /// How many events closed what was open; 0 if nothing was.
    pub repaired: usize,
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl Session {
    /// Begins a session in an empty store.
    ///
    /// # Errors
    /// The store can't be read, or holds something.
    pub async fn create(store: impl SessionStore) -> Result<Self, SessionError> {
        Self::create_at(store, now).await
    }

    /// The same with a clock of the host's own, in milliseconds since 1970-01-01 UTC: for tests, whose logs are then the same
    /// bytes each time.
    ///
    /// # Errors
    /// The store can't be read, or holds something.
    pub async fn create_at(
        store: impl SessionStore,
        clock: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Result<Self, SessionError> {
        let (session, log) = Self::open(store, Box::new(clock)).await?;
        if log.entries().is_empty() {
            return Ok(session);
        }
        session.close().await;
        Err(SessionError::NotEmpty)
    }

    /// Takes a session up again: reads its log, and closes what was open, as [`repairs`](super::repairs) tells. No body is run.
    /// An empty store is a session that has just begun.
    ///
    /// # Errors
    /// The store can't be read or written; what it holds is no log, or one of a newer format, or has an event that is not
    /// understood and may not be passed over.
    pub async fn resume(store: impl SessionStore) -> Result<Resumed, SessionError> {
        Self::resume_at(store, now).await
    }

    /// The same with a clock of the host's own, in milliseconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub async fn resume_at(
        store: impl SessionStore,
        clock: impl Fn() -> u64 + Send + Sync + 'static,
    ) -> Result<Resumed, SessionError> {
        let (session, mut log) = Self::open(store, Box::new(clock)).await?;
        match session.repair(&mut log).await {
            Ok(repaired) => Ok(Resumed { session, log, repaired }),
            Err(error) => {
                session.close().await;
                Err(error)
            }
        }
    }

    /// Closes what is open, and tells how many events that took.
    async fn repair(&self, log: &mut SessionLog) -> Result<usize, SessionError> {
        let repairs = super::repairs(log)?;
        if !repairs.is_empty() {
            let place = self.0.writer.place().await?;
            let answer = self.lock().append(place, &repairs);
            answer.get().await?;
        }
        let repaired = repairs.len();
        for entry in repairs {
            log.push(entry);
        }
        Ok(repaired)
    }

    async fn open(store: impl SessionStore, clock: Clock) -> Result<(Self, SessionLog), SessionError> {
        let writer = Writer::new(store)?;
        let log = match writer.load().await.and_then(|bytes| Ok(SessionLog::parse(&bytes)?)) {
            Ok(log) => log,
            Err(error) => {
                // Whoever tries again at once finds the store free.
                writer.close().await;
                return Err(error);
            }
        };
        let state = Mutex::new(State::of(&log));
        Ok((Self(Arc::new(Inner { writer, state, clock })), log))
    }

    /// Begins a turn, and gives its number, counted from 1.
    ///
    /// # Errors
    /// A turn is open, or the log failed.
    pub async fn start_turn(&self) -> Result<u64, SessionError> {
        let mut turn = 0;
        let started = |track: &Track| {
            turn = track.next_turn();
            Event::TurnStart { turn }
        };
        self.write(started).await?;
        Ok(turn)
    }

    /// Ends the turn.
    ///
    /// # Errors
    /// No turn is open, a step or a call is, or the log failed.
    pub async fn end_turn(&self, reason: EndReason) -> Result<(), SessionError> {
        self.write(|track| Event::TurnEnd { turn: track.place().0, reason }).await
    }

    /// Begins a step of the turn: a request to the model, and the calls that come of it. Gives its number, counted from 1.
    ///
    /// # Errors
    /// No turn is open, a step is, or the log failed.
    pub async fn start_step(&self) -> Result<u64, SessionError> {
        let mut step = 0;
        let started = |track: &Track| {
            step = track.next_step();
            Event::StepStart { turn: track.place().0, step }
        };
        self.write(started).await?;
        Ok(step)
    }

    /// Ends the step.
    ///
    /// # Errors
    /// No step is open, a call that was asked for in it has no result, or the log failed.
    pub async fn end_step(&self) -> Result<(), SessionError> {
        self.write(|track| {
            let (turn, step) = track.place();
            Event::StepEnd { turn, step }
        })
        .await
    }

    /// Logs what the user said, or what the host says for the user: the contexts of results, for one.
    ///
    /// # Errors
    /// No turn is open, or the log failed.
    pub async fn user(&self, content: impl Into<Content>) -> Result<(), SessionError> {
        let content = content.into();
        self.write(|track| Event::UserMessage(UserMessage { turn: track.place().0, content })).await
    }

    /// Logs what the model said and asks for, before its calls are dispatched. The turn and the step are those that are open.
    ///
    /// # Errors
    /// No step is open, two of its calls have the same id, or the log failed.
    pub async fn assistant(&self, message: AssistantMessage) -> Result<(), SessionError> {
        self.write(|track| {
            let (turn, step) = track.place();
            Event::AssistantMessage(AssistantMessage { turn, step, ..message })
        })
        .await
    }

    /// Logs an event of the host's own, which replay passes over. Its type is `host/` and the name, which is made of small
    /// letters, digits, `-` and `/`.
    ///
    /// # Errors
    /// The name or the data can't be written, or the log failed.
    pub async fn host_event(&self, name: &str, data: &(impl Serialize + Sync + ?Sized)) -> Result<(), SessionError> {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '/');
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_name) {
            let why = format!("{name:?} is no name of an event: 1 to 64 small letters, digits, hyphens and slashes");
            return Err(SessionError::Unwritable(why));
        }
        let data = json::write(data).map_err(|lossy| SessionError::Unwritable(lossy.to_string()))?.to_value();
        let event = Event::Host(HostEvent { kind: format!("{}{name}", kinds::HOST), data });
        self.write(|_| event).await
    }

    /// The journal that calls of the open step are given, in [`CallOptions`](crate::CallOptions): the dispatcher then logs each
    /// call before its body may run, and its result before the caller gets it.
    pub fn journal(&self) -> JournalHandle {
        let place = self.lock().track.place();
        JournalHandle::new(StepJournal::new(self.clone(), place))
    }

    /// Closes the open turn as [`resume`](Self::resume) does after a crash: for a host that drops the calls of a turn. Nothing
    /// happens if no turn is open.
    ///
    /// # Errors
    /// The log failed.
    pub async fn interrupt(&self) -> Result<(), SessionError> {
        self.append(Track::closing).await
    }

    /// What the log failed with, if nothing is logged any more because of it.
    pub fn trouble(&self) -> Option<StoreError> {
        self.lock().trouble.clone()
    }

    /// Goes on after a failure: reads from the store what it has, and logs behind it. What had not been acknowledged may be
    /// missing; [`interrupt`](Self::interrupt) gives results to calls that have none.
    ///
    /// # Errors
    /// The log can't be read.
    pub async fn recover(&self) -> Result<SessionLog, SessionError> {
        // Nothing that is written from here on may come before the log is read.
        self.lock()
            .trouble
            .get_or_insert_with(|| StoreError::new(StoreErrorKind::Other, "the session is being recovered"));
        let log = SessionLog::parse(&self.0.writer.load().await?)?;
        *self.lock() = State::of(&log);
        Ok(log)
    }

    /// The log as the store has it.
    ///
    /// # Errors
    /// It can't be read.
    pub async fn log(&self) -> Result<SessionLog, SessionError> {
        if let Some(trouble) = self.trouble() {
            return Err(SessionError::Halted(trouble));
        }
        Ok(SessionLog::parse(&self.0.writer.load().await?)?)
    }

    /// Ends the session once what waits is written, and lets go of its store: of the lock of a file, for one. Journals that are
    /// still held are refused from here on.
    pub async fn close(self) {
        self.lock().is_closed = true;
        self.0.writer.close().await;
    }

    async fn write(&self, event: impl FnOnce(&Track) -> Event) -> Result<(), SessionError> {
        let place = self.0.writer.place().await?;
        let answer = {
            let mut state = self.lock();
            state.allows_writing()?;
            let event = event(&state.track);
            state.track.allows(&event)?;
            let entry = Draft::new(event).entry(state.track.next_seq, (self.0.clock)())?;
            state.append(place, &[entry])
        };
        self.acknowledged(answer).await
    }

    /// Appends events as they follow from where the session stands; all of them, or none.
    pub(super) async fn append(&self, drafts: impl FnOnce(&Track) -> Vec<Draft>) -> Result<(), SessionError> {
        let place = self.0.writer.place().await?;
        let answer = self.append_at(place, drafts)?;
        match answer {
            Some(answer) => self.acknowledged(answer).await,
            None => Ok(()),
        }
    }

    /// The same without waiting: for who has no time to. If there is no place, nothing is logged.
    pub(super) fn append_now(&self, drafts: impl FnOnce(&Track) -> Vec<Draft>) {
        if let Some(place) = self.0.writer.place_now() {
            // Nobody waits for an answer; a failure is met by the next write.
            let _ = self.append_at(place, drafts);
        }
    }

    fn append_at(
        &self,
        place: Place<'_>,
        drafts: impl FnOnce(&Track) -> Vec<Draft>,
    ) -> Result<Option<Answer>, SessionError> {
        let mut state = self.lock();
        state.allows_writing()?;
        let (first, time) = (state.track.next_seq, (self.0.clock)());
        let numbered = drafts(&state.track).into_iter().zip(first..);
        let entries: Vec<Entry> = numbered.map(|(draft, seq)| draft.entry(seq, time)).collect::<Result<_, _>>()?;
        Ok((!entries.is_empty()).then(|| state.append(place, &entries)))
    }

    async fn acknowledged(&self, answer: Answer) -> Result<(), SessionError> {
        let acknowledged = answer.get().await;
        if let Err(SessionError::Store(error)) = &acknowledged {
            self.lock().trouble.get_or_insert_with(|| error.clone());
        }
        acknowledged
    }

    // What is done under the lock is done whole, or refused before anything is changed.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn of(log: &SessionLog) -> Self {
        Self { track: Track::of(log.entries()), has_begun: log.has_begun(), ..Self::default() }
    }

    fn allows_writing(&self) -> Result<(), SessionError> {
        match &self.trouble {
            _ if self.is_closed => Err(SessionError::Closed),
            Some(trouble) => Err(SessionError::Halted(trouble.clone())),
            None => Ok(()),
        }
    }

    /// Hands entries to the store, whose numbers follow those before them.
    fn append(&mut self, place: Place<'_>, entries: &[Entry]) -> Answer {
        let header = (!self.has_begun).then(SessionLog::header);
        self.has_begun = true;
        for entry in entries {
            self.track.see(entry);
        }
        let records: Vec<Record> =
            header.into_iter().chain(entries.iter().map(|entry| entry.record().clone())).collect();
        place.append(records)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("Session").field("next_seq", &state.track.next_seq).field("trouble", &state.trouble).finish()
    }
}
