//! Where the bytes of a log are kept.

mod file;
mod memory;
#[cfg(feature = "sqlite")]
mod sqlite;

pub use file::{Durability, FileStore};
pub use memory::MemoryStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;

use super::error::StoreError;
use super::frame::Record;

/// Keeps the bytes of one session's log. It adds at the end and gives back what it has; what the bytes mean is not its concern.
///
/// A session calls it from one thread at a time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not keep a session's log",
    label = "this is no `SessionStore`",
    note = "a log in a file is `FileStore::open(path, Durability::EachBatch)?`, and one in memory is `MemoryStore::new()`"
)]
pub trait SessionStore: Send + 'static {
    /// All that was appended, as one log: the lines of the records behind one another. An empty store gives no byte.
    ///
    /// Before the first append it is called at least once. What follows it in the store is apart from what was torn.
    ///
    /// # Errors
    /// It can't be read.
    fn load(&mut self) -> Result<Vec<u8>, StoreError>;

    /// Appends these records, as durably as the store promises: all of them, or none.
    ///
    /// # Errors
    /// They were not appended. What of them may have been written is cut off or set apart before anything else is written.
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError>;

    /// Whether an append may take longer than memory does, so that it belongs on a thread of its own.
    fn may_block(&self) -> bool {
        true
    }
}
