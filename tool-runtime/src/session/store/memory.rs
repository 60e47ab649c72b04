//! A log in memory: for tests, and for sessions that need not outlive the process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::SessionStore;
use crate::session::error::StoreError;
use crate::session::frame::Record;

/// A log in memory. A clone is the same log.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(Arc<Mutex<Vec<u8>>>);

impl MemoryStore {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// A log of these bytes.
    pub fn of(bytes: impl Into<Vec<u8>>) -> Self {
        Self(Arc::new(Mutex::new(bytes.into())))
    }

    /// What it holds.
    pub fn bytes(&self) -> Vec<u8> {
        self.lock().clone()
    }

    // Bytes are appended whole, so what a panic left is whole.
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionStore for MemoryStore {
    fn load(&mut self) -> Result<Vec<u8>, StoreError> {
        Ok(self.bytes())
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let mut bytes = self.lock();
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        for record in records {
            bytes.extend(record.line());
        }
        Ok(())
    }

    fn may_block(&self) -> bool {
        false
    }
}
