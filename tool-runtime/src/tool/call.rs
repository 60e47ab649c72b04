//! One call, as its body, its result and the pipeline share it.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use super::{Cancellation, Progress, ProgressSender};
use crate::content::Content;
use crate::panics::Guarded;

/// One call with its typed arguments. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Call(Arc<Shared<dyn Any + Send + Sync>>);

/// What is known of a call before its arguments are.
#[derive(Clone, Default)]
pub(crate) struct CallHead {
    pub(crate) id: String,
    pub(crate) tool_name: Arc<str>,
    /// The call's own, which its caller's cancels too.
    pub(crate) cancellation: Cancellation,
}

// One allocation for all that a call keeps.
struct Shared<A: ?Sized> {
    head: CallHead,
    deadline: OnceLock<Instant>,
    live: Mutex<Live>,
    arguments: A,
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
}

impl Call {
    /// A call with its arguments. If they panic while they are dropped, whoever held the call last does not.
    pub(crate) fn new<A: Any + Send + Sync>(head: CallHead, arguments: A) -> Self {
        let arguments = Guarded::new(arguments);
        Self(Arc::new(Shared { head, deadline: OnceLock::new(), live: Mutex::default(), arguments }))
    }

    /// A call whose arguments were refused, or that reached no tool.
    pub(crate) fn without_arguments(head: CallHead) -> Self {
        struct None;
        Self::new(head, None)
    }

    pub(crate) fn head(&self) -> &CallHead {
        &self.0.head
    }

    /// The caller's id.
    pub(crate) fn id(&self) -> &str {
        &self.0.head.id
    }

    /// The name under which the tool was called.
    pub(crate) fn tool_name(&self) -> &str {
        &self.0.head.tool_name
    }

    /// The typed arguments, if they are of this type.
    pub(crate) fn arguments<A: Any>(&self) -> Option<&A> {
        let arguments: &dyn Any = &self.0.arguments;
        match arguments.downcast_ref::<Guarded<A>>() {
            Some(arguments) => Some(arguments),
            None => None,
        }
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        &self.0.head.cancellation
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.0.deadline.get().copied()
    }

    /// Sets when the time is up, once, before the body starts.
    pub(crate) fn set_deadline(&self, deadline: Instant) {
        // A body starts once.
        let _ = self.0.deadline.set(deadline);
    }

    /// Sets where its body reports how far it is.
    pub(crate) fn set_progress(&self, progress: Option<ProgressSender>) {
        if progress.is_some() {
            self.live().progress = progress;
        }
    }

    pub(crate) fn report(&self, progress: Progress) {
        if let Some(sender) = &self.live().progress {
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
    pub(crate) fn take_deferred(&self) -> Deferred {
        std::mem::take(&mut *self.live()).deferred
    }

    // A body that panics while it pushes has pushed or not; either way the list is whole.
    fn live(&self) -> MutexGuard<'_, Live> {
        self.0.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("id", &self.id()).field("tool_name", &self.tool_name()).finish_non_exhaustive()
    }
}
