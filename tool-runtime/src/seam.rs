//! The traits that adapters implement: what stands between the pipeline and a host's own machinery.

mod approver;
mod decoder;
mod journal;
mod spill;

pub(crate) use approver::ErasedApprover;
pub use approver::{Approval, ApprovalRequest, Approver};
pub use decoder::{ArgumentDecoder, Decoded};
pub use journal::{Journal, JournalCall, JournalEnd, JournalHandle, Recording};
pub(crate) use spill::{ErasedSpillStore, ErasedSpillWriter};
pub use spill::{SpillError, SpillSource, SpillStore, SpillWriter, Spilled};

use crate::result::ToolResult;

/// Sees every final result, once, after all policies and limits. It can change nothing; if it panics, the panic is
/// contained and the others still see the result.
///
/// It runs on the call's own task: what takes long belongs behind a bounded channel.
pub trait Observer: Send + Sync + 'static {
    /// Its name, in the diagnostics of a panic.
    fn name(&self) -> &str;

    /// The final result, as the caller is about to get it.
    fn on_result(&self, result: &ToolResult);
}
