//! What a client hears of a call while it runs.

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;

use crate::tool::{Progress, ProgressReceiver};

/// So many reports wait for a client that is slow to read; then the oldest are dropped.
pub(super) const WAITING: usize = 16;

/// Tells a client what a call reports, until nothing can be reported any more.
pub(super) async fn forward(mut reports: ProgressReceiver, peer: &Peer<RoleServer>, token: ProgressToken) {
    let mut numbers = Numbers::default();
    while let Some(update) = reports.next().await {
        let notification = numbers.notification(&update.progress, token.clone());
        if peer.notify_progress(notification).await.is_err() {
            return;
        }
    }
}

/// The protocol wants a number that grows with each report. A tool's need not.
#[derive(Default)]
struct Numbers {
    last: Option<f64>,
    /// Whether the tool counts; if not, its reports are counted.
    are_the_tool_s: bool,
}

impl Numbers {
    #[expect(clippy::cast_precision_loss, reason = "the protocol's numbers are floats")]
    fn notification(&mut self, progress: &Progress, token: ProgressToken) -> ProgressNotificationParam {
        let done = progress.done().map(|done| done as f64);
        self.are_the_tool_s |= done.is_some();
        let next = match self.last {
            None => 0.0,
            Some(last) if self.are_the_tool_s => last.next_up(),
            Some(last) => last + 1.0,
        };
        let number = done.filter(|done| self.last.is_none() || *done >= next).unwrap_or(next);
        self.last = Some(number);
        let mut notification = ProgressNotificationParam::new(token, number);
        notification.total = progress.total().map(|total| total as f64);
        notification.message = progress.text().map(str::to_owned);
        notification
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;

    use super::*;

    fn numbers(reports: &[Progress]) -> Vec<f64> {
        let mut numbers = Numbers::default();
        let token = ProgressToken(NumberOrString::Number(1));
        reports.iter().map(|report| numbers.notification(report, token.clone()).progress).collect()
    }

    #[test]
    fn the_number_grows_with_each_report_whatever_the_tool_says() {
        assert_eq!(numbers(&[Progress::of(1, 3), Progress::of(2, 3), Progress::of(3, 3)]), [1.0, 2.0, 3.0]);
        assert_eq!(numbers(&[Progress::message("a"), Progress::message("b")]), [0.0, 1.0]);
        let mixed = numbers(&[Progress::of(5, 9), Progress::message("a"), Progress::of(5, 9), Progress::of(2, 9)]);
        assert!(mixed.windows(2).all(|pair| pair[0] < pair[1]), "{mixed:?}");
        assert!(mixed.iter().all(|number| (5.0..5.001).contains(number)), "{mixed:?}");
    }
}
