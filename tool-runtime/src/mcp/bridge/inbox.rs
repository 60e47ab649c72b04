//! What a server sends of its own accord: how far its calls are, and that its list of tools has changed.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{NumberOrString, ProgressNotificationParam};
use tokio::sync::{Notify, mpsc};

use crate::tool::Progress;

/// So many reports of one call wait for it; newer ones are dropped.
const MAX_WAITING: usize = 64;

/// So many reports are kept that came before anybody watched for them.
const MAX_EARLY: usize = 32;

/// What has come on one connection.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    progress: Mutex<Reports>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Reports {
    watched: HashMap<NumberOrString, mpsc::Sender<Progress>>,
    /// A server may be faster than the call that is about to watch.
    early: VecDeque<(NumberOrString, Progress)>,
}

/// The reports of one call, for as long as this is held.
pub(super) struct Watch {
    inbox: Arc<Inbox>,
    token: NumberOrString,
    reports: mpsc::Receiver<Progress>,
}

impl Inbox {
    /// Watches the reports that carry this token, those included that have come already.
    pub(super) fn watch(self: &Arc<Self>, token: NumberOrString) -> Watch {
        let (sender, reports) = mpsc::channel(MAX_WAITING);
        let mut progress = self.reports();
        progress.early.retain(|(of, report)| {
            if *of == token {
                // There is room for all that is kept.
                drop(sender.try_send(report.clone()));
            }
            *of != token
        });
        progress.watched.insert(token.clone(), sender);
        drop(progress);
        Watch { inbox: Arc::clone(self), token, reports }
    }

    /// Takes a report. It never waits: a server that reports faster than anybody reads loses reports.
    pub(super) fn report(&self, params: &ProgressNotificationParam) {
        let report = progress(params);
        let token = params.progress_token.0.clone();
        let mut progress = self.reports();
        if let Some(watcher) = progress.watched.get(&token) {
            drop(watcher.try_send(report));
            return;
        }
        if progress.early.len() == MAX_EARLY {
            progress.early.pop_front();
        }
        progress.early.push_back((token, report));
    }

    /// Takes the notice that the list of tools has changed. Several before anybody looks are one.
    pub(super) fn list_changed(&self) {
        self.changed.notify_one();
    }

    /// Ends when the list has changed since the last time.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    // Every change is whole when it is made.
    fn reports(&self) -> MutexGuard<'_, Reports> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// The next report.
    pub(super) async fn next(&mut self) -> Option<Progress> {
        self.reports.recv().await
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.inbox.reports().watched.remove(&self.token);
    }
}

/// A server counts in floats: whole ones stay as they are, others become thousandths of the total.
fn progress(params: &ProgressNotificationParam) -> Progress {
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    let (done, total) = (params.progress, params.total.filter(|total| total.is_finite() && *total > 0.0));
    let is_whole = |number: f64| number.fract() == 0.0 && (0.0..=WHOLE).contains(&number);
    // `as` saturates, and takes NaN for 0.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "what is no whole number is rounded")]
    let counted = match total {
        Some(total) if is_whole(done) && is_whole(total) => Progress::of(done as u64, total as u64),
        Some(total) => Progress::of((done / total * 1000.0).round() as u64, 1000),
        None => Progress::done_so_far(done as u64),
    };
    match &params.message {
        Some(message) => counted.with_message(message.as_str()),
        None => counted,
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::ProgressToken;

    use super::*;

    fn params(token: i64, done: f64, total: Option<f64>) -> ProgressNotificationParam {
        let mut params = ProgressNotificationParam::new(ProgressToken(NumberOrString::Number(token)), done);
        params.total = total;
        params
    }

    #[test]
    fn counts_stay_as_they_are_and_fractions_become_thousandths() {
        let read = |done, total| progress(&params(1, done, total));
        assert_eq!(read(3.0, Some(10.0)), Progress::of(3, 10));
        assert_eq!(read(0.25, Some(1.0)), Progress::of(250, 1000));
        assert_eq!(read(7.9, None), Progress::done_so_far(7));
        for odd in [f64::NAN, f64::NEG_INFINITY, -3.0] {
            assert_eq!(read(odd, None), Progress::done_so_far(0), "{odd}");
            assert_eq!(read(odd, Some(10.0)), Progress::of(0, 1000), "{odd}");
            assert_eq!(read(1.0, Some(odd)), Progress::done_so_far(1), "{odd}");
        }
    }

    #[tokio::test]
    async fn a_report_that_comes_before_its_watcher_is_kept_and_none_of_another_is_given() {
        let inbox = Arc::new(Inbox::default());
        inbox.report(&params(1, 1.0, None));
        inbox.report(&params(2, 9.0, None));
        let mut watch = inbox.watch(NumberOrString::Number(1));
        inbox.report(&params(1, 2.0, None));
        assert_eq!(watch.next().await, Some(Progress::done_so_far(1)));
        assert_eq!(watch.next().await, Some(Progress::done_so_far(2)));
        drop(watch);
        assert!(inbox.reports().watched.is_empty());
    }

    #[test]
    fn a_server_that_reports_without_an_end_fills_no_memory() {
        let inbox = Arc::new(Inbox::default());
        let watch = inbox.watch(NumberOrString::Number(-1));
        for token in 0..10_000 {
            inbox.report(&params(token, 1.0, None));
            inbox.report(&params(-1, 1.0, None));
        }
        assert_eq!(inbox.reports().early.len(), MAX_EARLY);
        assert_eq!(watch.reports.len(), MAX_WAITING);
    }
}
