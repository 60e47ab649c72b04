//! Requests that were read from a stream and are not answered yet.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::Notify;

use super::ServeError;
use crate::tool::Cancellation;

/// The text of an answer, for who writes texts: it travels beside rmcp's types, which would have it as a tree.
///
/// Its request holds one end, [`Pending`] the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Prepared(Arc<OnceLock<Text>>);

#[derive(Clone, Debug)]
pub(super) enum Text {
    Own(String),
    Shared(Arc<str>),
}

impl Text {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Own(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl Prepared {
    /// An answer is given once.
    pub(super) fn set(&self, text: Text) {
        let _ = self.0.set(text);
    }

    fn is_held_by_its_request(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

/// Requests that were read from a stream and are not answered yet, and what became of the stream.
#[derive(Default)]
pub(super) struct Pending {
    state: Mutex<State>,
    answered: Notify,
    /// Cancelled when a write failed.
    unread: Cancellation,
}

#[derive(Default)]
struct State {
    requests: HashMap<RequestId, Request>,
    cut_off: usize,
}

struct Request {
    prepared: Prepared,
    /// Its client wants no answer any more; rmcp may send one all the same, until it has heard of that.
    is_cancelled: bool,
}

impl Pending {
    /// A request was read; `None` if another of this id is not answered yet.
    pub(super) fn begin(&self, id: &RequestId) -> Option<Prepared> {
        let mut state = self.state();
        // rmcp answers no request that was cancelled, so these end with their handlers.
        state.requests.retain(|_, request| !request.is_cancelled || request.prepared.is_held_by_its_request());
        if state.requests.contains_key(id) {
            return None;
        }
        let prepared = Prepared::default();
        state.requests.insert(id.clone(), Request { prepared: prepared.clone(), is_cancelled: false });
        Some(prepared)
    }

    /// Its client cancelled a request.
    pub(super) fn cancel(&self, id: &RequestId) {
        if let Some(request) = self.state().requests.get_mut(id) {
            request.is_cancelled = true;
        }
        self.answered.notify_waiters();
    }

    /// A request is answered; its text, if there is one.
    pub(super) fn end(&self, id: &RequestId) -> Option<Text> {
        let ended = self.state().requests.remove(id);
        self.answered.notify_waiters();
        ended.and_then(|request| request.prepared.0.get().cloned())
    }

    /// Ends when nobody waits for an answer.
    pub(super) async fn none(&self) {
        loop {
            let mut answered = std::pin::pin!(self.answered.notified());
            answered.as_mut().enable();
            if self.waiting() == 0 {
                return;
            }
            answered.await;
        }
    }

    fn waiting(&self) -> usize {
        self.state().requests.values().filter(|request| !request.is_cancelled).count()
    }

    /// The time to drain is over.
    pub(super) fn cut_off(&self) {
        let waiting = self.waiting();
        self.state().cut_off = waiting;
    }

    /// A write failed, and so will all others.
    pub(super) fn set_unread(&self) {
        self.unread.cancel();
    }

    /// Ends when a write has failed.
    pub(super) async fn unread(&self) {
        self.unread.cancelled().await;
    }

    /// How the stream ended.
    pub(super) fn outcome(&self) -> Result<(), ServeError> {
        match self.state().cut_off {
            _ if self.unread.is_cancelled() => Err(ServeError::Unread),
            0 => Ok(()),
            calls => Err(ServeError::CutOff { calls }),
        }
    }

    // Every change is whole when it is made.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_finds_its_text_even_if_its_request_was_cancelled_meanwhile() {
        let (pending, id) = (Pending::default(), RequestId::Number(1));
        pending.begin(&id).unwrap().set(Text::Own("x".to_owned()));
        pending.cancel(&id);
        assert_eq!(pending.waiting(), 0);
        assert_eq!(pending.end(&id).map(|text| text.as_str().to_owned()).as_deref(), Some("x"));
    }

    #[test]
    fn an_id_is_free_again_once_its_request_is_answered_or_gone() {
        let (pending, id) = (Pending::default(), RequestId::Number(1));
        let held = pending.begin(&id).unwrap();
        assert!(pending.begin(&id).is_none());
        pending.cancel(&id);
        assert!(pending.begin(&id).is_none(), "its handler is still at it");
        drop(held);
        assert!(pending.begin(&id).is_some());
        pending.end(&id);
        assert!(pending.begin(&id).is_some());
    }
}
