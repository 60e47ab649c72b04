//! How much a server may send, and how long it is waited for.

use std::time::Duration;

/// How much a server may send. More is refused, and told.
///
/// There may be more of them in a later version: write `BridgeLimits { tools: 50, ..BridgeLimits::default() }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BridgeLimits {
    /// One message, in bytes. The call that a longer one answers fails, and the connection goes on.
    pub message_bytes: usize,
    /// The tools of the whole list. A longer list is refused.
    pub tools: usize,
    /// The pages of the list. A longer list is refused.
    pub pages: usize,
    /// A description, in bytes. A longer one is cut, which its last words and the report say.
    pub description_bytes: usize,
    /// A picture, decoded, in bytes. A larger one is not shown to the model.
    pub picture_bytes: usize,
}

impl Default for BridgeLimits {
    /// Messages of 8 MiB, 512 tools in 64 pages, descriptions of 8 KiB, pictures of 4 MiB.
    fn default() -> Self {
        Self { message_bytes: 8 << 20, tools: 512, pages: 64, description_bytes: 8 << 10, picture_bytes: 4 << 20 }
    }
}

/// How a connection that is lost is made anew: after `first`, then after twice as long each time up to `longest`, so many
/// times. A connection that lasted for `longest` begins the count anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconnect {
    /// The wait before the first attempt.
    pub first: Duration,
    /// The longest wait.
    pub longest: Duration,
    /// After so many attempts that failed it is given up; 0 gives up at once.
    pub attempts: u32,
}

impl Default for Reconnect {
    /// From 500 ms to 30 s, 10 attempts.
    fn default() -> Self {
        Self { first: Duration::from_millis(500), longest: Duration::from_secs(30), attempts: 10 }
    }
}

impl Reconnect {
    /// The wait before an attempt, counted from 0.
    pub(super) fn wait(&self, attempt: u32) -> Duration {
        self.first.saturating_mul(2_u32.saturating_pow(attempt)).min(self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_twice_the_last_up_to_the_longest() {
        let reconnect = Reconnect::default();
        let waits: Vec<_> = (0..8).map(|attempt| reconnect.wait(attempt).as_millis()).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
        assert_eq!(reconnect.wait(u32::MAX), reconnect.longest);
    }
}
