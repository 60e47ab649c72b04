//! How far a body is, for who watches.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::secret::Scrub;

/// Longest message of one report, in bytes; more is cut at a character.
const MAX_MESSAGE_BYTES: usize = 1024;

/// How far a body is. It is for who watches: neither the model nor the value holds any of it.
///
/// ```
/// use tool_runtime::Progress;
///
/// let progress = Progress::of(3, 10).with_message("three files read");
/// assert_eq!((progress.done(), progress.total()), (Some(3), Some(10)));
/// assert_eq!(Progress::message("looking").text(), Some("looking"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    done: Option<u64>,
    total: Option<u64>,
    message: Option<String>,
}

impl Progress {
    /// So much is done, of so much.
    pub const fn of(done: u64, total: u64) -> Self {
        Self { done: Some(done), total: Some(total), message: None }
    }

    /// So much is done, of nobody knows how much.
    pub const fn done_so_far(done: u64) -> Self {
        Self { done: Some(done), total: None, message: None }
    }

    /// What is being done, in words.
    pub fn message(message: impl Into<String>) -> Self {
        Self { done: None, total: None, message: None }.with_message(message)
    }

    /// The same with words for it. More than 1 KiB is cut at a character.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        let mut message = message.into();
        message.truncate(message.floor_char_boundary(MAX_MESSAGE_BYTES));
        self.message = Some(message);
        self
    }

    /// The same without secrets. One at the end may have been cut with the text.
    pub(super) fn scrubbed(mut self, scrub: &Scrub) -> Self {
        let may_be_cut = |text: &str| text.len() + char::MAX.len_utf8() > MAX_MESSAGE_BYTES;
        self.message = self.message.map(|text| {
            let scrubbed = if may_be_cut(&text) { scrub.cut_text(&text) } else { scrub.text(&text) };
            scrubbed.into_owned()
        });
        self
    }

    /// How much is done.
    pub fn done(&self) -> Option<u64> {
        self.done
    }

    /// Of how much.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// In words.
    pub fn text(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl From<&str> for Progress {
    fn from(message: &str) -> Self {
        Self::message(message)
    }
}

impl From<String> for Progress {
    fn from(message: String) -> Self {
        Self::message(message)
    }
}

/// What a watcher gets: one report, of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgressUpdate {
    /// The caller's id of the call.
    pub call_id: String,
    /// How far it is.
    pub progress: Progress,
    /// How many reports before this one were dropped, since nobody took them in time.
    pub skipped: u64,
}

/// Where calls report to; goes into [`CallOptions`](crate::CallOptions). Clones are the same.
#[derive(Clone)]
pub struct ProgressSender(Arc<Sending>);

/// Where a watcher reads the reports.
pub struct ProgressReceiver(Arc<Channel>);

/// Ends the channel with the last sender.
struct Sending(Arc<Channel>);

struct Channel {
    state: Mutex<State>,
    changed: Notify,
    most: usize,
}

#[derive(Default)]
struct State {
    updates: VecDeque<ProgressUpdate>,
    skipped: u64,
    sender_gone: bool,
    receiver_gone: bool,
}

/// A channel for reports, which holds so many at most: if nobody takes them, the oldest are dropped, and counted. Reporting
/// never waits.
pub fn progress_channel(most: usize) -> (ProgressSender, ProgressReceiver) {
    let channel = Arc::new(Channel { state: Mutex::default(), changed: Notify::new(), most: most.max(1) });
    (ProgressSender(Arc::new(Sending(Arc::clone(&channel)))), ProgressReceiver(channel))
}

impl ProgressSender {
    pub(super) fn send(&self, call_id: &str, progress: Progress) {
        let channel = &self.0.0;
        let mut state = channel.state();
        if state.receiver_gone {
            return;
        }
        if state.updates.len() == channel.most
            && let Some(dropped) = state.updates.pop_front()
        {
            state.skipped += dropped.skipped + 1;
            // What was dropped stands before whatever is the oldest now.
            let skipped = std::mem::take(&mut state.skipped);
            match state.updates.front_mut() {
                Some(oldest) => oldest.skipped += skipped,
                None => state.skipped = skipped,
            }
        }
        let skipped = std::mem::take(&mut state.skipped);
        state.updates.push_back(ProgressUpdate { call_id: call_id.to_owned(), progress, skipped });
        drop(state);
        channel.changed.notify_one();
    }
}

impl ProgressReceiver {
    /// The next report, in the order in which they were made; `None` once no call can report any more.
    pub async fn next(&mut self) -> Option<ProgressUpdate> {
        loop {
            {
                let mut state = self.0.state();
                if let Some(update) = state.updates.pop_front() {
                    return Some(update);
                }
                if state.sender_gone {
                    return None;
                }
            }
            // A report that was made since is remembered by the notification.
            self.0.changed.notified().await;
        }
    }
}

impl Channel {
    // Every change is whole when it is made.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.state().sender_gone = true;
        self.0.changed.notify_one();
    }
}

impl Drop for ProgressReceiver {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.receiver_gone = true;
        state.updates = VecDeque::new();
    }
}

impl fmt::Debug for ProgressSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressSender")
    }
}

impl fmt::Debug for ProgressReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgressReceiver").field("waiting", &self.0.state().updates.len()).finish()
    }
}
