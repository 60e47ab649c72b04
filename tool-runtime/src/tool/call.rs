//! One call, as its body, its result and the pipeline share it.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use super::body::BodyCell;
use super::{Body, Cancellation, Progress, ProgressSender};
use crate::content::Content;
use crate::panics::Guarded;
use crate::secret::Scrub;

/// One call with its typed arguments. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Call {
    shared: Arc<Shared<dyn Any + Send + Sync>>,
    /// Which run of the body this is, if it is not the first.
    attempt: Option<Arc<Attempt>>,
}

/// Who carries out the calls that a body makes: the dispatcher that it was called through. This module does not know it.
pub(crate) type Host = Arc<dyn Any + Send + Sync>;

/// What is known of a call before its arguments are.
#[derive(Clone, Default)]
pub(crate) struct CallHead {
    pub(crate) id: String,
    pub(crate) tool_name: Arc<str>,
    /// The call's own, which its caller's cancels too.
    pub(crate) cancellation: Cancellation,
    /// Moves into the call, which lets go of it when it is over.
    pub(crate) host: Option<Host>,
    /// What is not shown of it.
    pub(crate) scrub: Option<Arc<Scrub>>,
    /// The call whose body made this one.
    pub(crate) parent: Option<Box<Call>>,
}

// One allocation for all that a call keeps.
struct Shared<A: ?Sized> {
    head: CallHead,
    deadline: OnceLock<Instant>,
    body: BodyCell,
    live: Mutex<Live>,
    arguments: A,
}

/// What a body that is run once more has of its own: what stopped the run before it does not stop it.
#[derive(Default)]
struct Attempt {
    cancellation: Cancellation,
    deadline: OnceLock<Instant>,
}

/// How a body was run, where a layer may do it several times, or drop it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Runs {
    pub(crate) running: u32,
    /// Whether one was dropped before its end.
    pub(crate) dropped: bool,
}

/// What a body left for after the call.
#[derive(Default)]
pub(crate) struct Deferred {
    pub(crate) contexts: Vec<Content>,
    pub(crate) concludes_turn: bool,
    /// How it ended, in words for the host, if there is something to tell.
    pub(crate) warnings: Vec<String>,
}

/// What a body may still do.
#[derive(Default)]
struct Live {
    deferred: Deferred,
    /// Where it reports, until the call is over.
    progress: Option<ProgressSender>,
    /// Who carries out the calls that it makes, until the call is over.
    host: Option<Host>,
    /// The secrets that are known of it, which nothing that is shown may hold.
    scrub: Option<Arc<Scrub>>,
    /// How many calls it has made.
    calls_made: u64,
    runs: Runs,
    is_over: bool,
}

impl Call {
    /// A call with its arguments. If they panic while they are dropped, whoever held the call last does not.
    #[inline]
    pub(crate) fn new<A: Any + Send + Sync>(mut head: CallHead, arguments: A) -> Self {
        let arguments = Guarded::new(arguments);
        let live = Mutex::new(Live { host: head.host.take(), scrub: head.scrub.take(), ..Live::default() });
        let (deadline, body) = (OnceLock::new(), BodyCell::default());
        let shared = Arc::new(Shared { head, deadline, body, live, arguments });
        Self { shared, attempt: None }
    }

    /// A call whose arguments were refused, or that reached no tool.
    pub(crate) fn without_arguments(head: CallHead) -> Self {
        struct None;
        Self::new(head, None)
    }

    /// What another call with other arguments in its place has in common with it.
    pub(crate) fn head(&self) -> CallHead {
        CallHead { host: self.host(), scrub: self.scrub(), ..self.shared.head.clone() }
    }

    /// The call whose body made this one.
    pub(crate) fn parent(&self) -> Option<&Self> {
        self.shared.head.parent.as_deref()
    }

    /// The call that a model or a host made, and that this one is part of.
    pub(crate) fn root(&self) -> &Self {
        let mut root = self;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        root
    }

    /// In how many calls it is nested.
    pub(crate) fn depth(&self) -> usize {
        std::iter::successors(self.parent(), |call| call.parent()).count()
    }

    /// Who carries out the calls of its body, until it is over.
    pub(crate) fn host(&self) -> Option<Host> {
        self.live().host.clone()
    }

    /// The secrets that are known of it.
    #[inline]
    pub(crate) fn scrub(&self) -> Option<Arc<Scrub>> {
        self.live().scrub.clone()
    }

    /// Remembers secrets of it, or of a call that its body made.
    pub(crate) fn learn(&self, secrets: &Scrub) {
        let mut live = self.live();
        live.scrub = Some(Arc::new(live.scrub.as_ref().map_or_else(|| secrets.clone(), |known| known.and(secrets))));
    }

    /// An id for the next call that its body makes.
    pub(crate) fn next_call_id(&self) -> String {
        let mut live = self.live();
        live.calls_made += 1;
        format!("{}:call:{}", self.id(), live.calls_made)
    }

    pub(crate) fn progress(&self) -> Option<ProgressSender> {
        self.live().progress.clone()
    }

    /// The caller's id.
    pub(crate) fn id(&self) -> &str {
        &self.shared.head.id
    }

    /// The name under which the tool was called.
    pub(crate) fn tool_name(&self) -> &str {
        &self.shared.head.tool_name
    }

    /// The typed arguments, if they are of this type.
    pub(crate) fn arguments<A: Any>(&self) -> Option<&A> {
        let arguments: &dyn Any = &self.shared.arguments;
        match arguments.downcast_ref::<Guarded<A>>() {
            Some(arguments) => Some(arguments),
            None => None,
        }
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        match &self.attempt {
            Some(attempt) => &attempt.cancellation,
            None => &self.shared.head.cancellation,
        }
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        let deadline = match &self.attempt {
            Some(attempt) => &attempt.deadline,
            None => &self.shared.deadline,
        };
        deadline.get().copied()
    }

    /// Sets when the time is up, once, before the body starts.
    pub(crate) fn set_deadline(&self, deadline: Instant) {
        let cell = match &self.attempt {
            Some(attempt) => &attempt.deadline,
            None => &self.shared.deadline,
        };
        // Each run of a body starts once.
        let _ = cell.set(deadline);
    }

    /// Whether both are of one dispatch.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// A run of the body, which the caller's cancellation ends too; none once the call is over. What the run before it left
    /// is gone: it was not the last.
    pub(crate) fn enter(&self, caller: &Cancellation) -> Option<Self> {
        let mut live = self.live();
        if live.is_over {
            return None;
        }
        let is_first = !self.body().was_entered();
        self.enter_body();
        live.runs.running += 1;
        if is_first {
            return Some(self.clone());
        }
        live.deferred = Deferred { warnings: std::mem::take(&mut live.deferred.warnings), ..Deferred::default() };
        let attempt = Attempt { cancellation: caller.for_call(), deadline: OnceLock::new() };
        Some(Self { shared: Arc::clone(&self.shared), attempt: Some(Arc::new(attempt)) })
    }

    /// A run has ended, or was dropped before its end.
    pub(crate) fn leave(&self, dropped: bool) {
        let mut live = self.live();
        live.runs.running -= 1;
        live.runs.dropped |= dropped;
    }

    pub(crate) fn runs(&self) -> Runs {
        self.live().runs
    }

    /// Whether its body was entered, and how that ended.
    #[inline]
    pub(crate) fn body(&self) -> Body {
        self.shared.body.get()
    }

    /// Notes that its body is entered: one of which nothing more is heard has been dropped.
    #[inline]
    pub(crate) fn enter_body(&self) {
        self.shared.body.set(Body::Dropped);
    }

    /// Notes how its body ended.
    #[inline]
    pub(crate) fn end_body(&self, body: Body) {
        self.shared.body.set(body);
    }

    /// Sets where its body reports how far it is.
    pub(crate) fn set_progress(&self, progress: Option<ProgressSender>) {
        if progress.is_some() {
            self.live().progress = progress;
        }
    }

    pub(crate) fn report(&self, progress: Progress) {
        let live = self.live();
        if let Some(sender) = &live.progress {
            let progress = match &live.scrub {
                Some(scrub) => progress.scrubbed(scrub),
                None => progress,
            };
            sender.send(self.id(), progress);
        }
    }

    pub(crate) fn add_context(&self, context: Content) {
        self.live().deferred.contexts.push(context);
    }

    pub(crate) fn conclude_turn(&self) {
        self.live().deferred.concludes_turn = true;
    }

    /// Leaves word for the host of how the body ended.
    pub(crate) fn warn(&self, warning: String) {
        self.live().deferred.warnings.push(warning);
    }

    /// Takes what the body left, and ends its reports; a body that still runs in the background can't change the result any
    /// more.
    #[inline]
    pub(crate) fn take_deferred(&self) -> Deferred {
        let mut live = self.live();
        live.is_over = true;
        live.progress = None;
        live.host = None;
        std::mem::take(&mut live.deferred)
    }

    // A body that panics while it pushes has pushed or not; either way the list is whole.
    fn live(&self) -> MutexGuard<'_, Live> {
        self.shared.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("id", &self.id()).field("tool_name", &self.tool_name()).finish_non_exhaustive()
    }
}
