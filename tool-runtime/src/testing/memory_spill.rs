//! A spill store in memory.

use std::future::{Future, ready};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::seam::{SpillError, SpillSource, SpillStore, SpillWriter, Spilled};

/// A [`SpillStore`] in memory, for tests: it keeps all that it is given for as long as it lives. A clone is the same store.
///
/// Locators are `memory:<session>/<number>-<name>`; the same bytes of one session under one name are kept once.
///
/// ```
/// use tool_runtime::testing::MemorySpill;
/// use tool_runtime::{SpillSource, SpillStore};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let store = MemorySpill::new();
/// let spilled = store.save(&SpillSource::new("session-1", "grep", "call-1", "grep.txt"), "all matches").await.unwrap();
/// assert_eq!(spilled.locator(), "memory:session-1/0-grep.txt");
/// assert_eq!(store.text(spilled.locator()).as_deref(), Some("all matches"));
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemorySpill {
    kept: Arc<Mutex<Vec<Kept>>>,
}

#[derive(Debug)]
struct Kept {
    session: String,
    name: String,
    bytes: Vec<u8>,
}

impl MemorySpill {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is kept at this locator, as text; `None` if there is nothing, or it is no text.
    pub fn text(&self, locator: &str) -> Option<String> {
        let kept = self.kept();
        let found = kept.iter().enumerate().find(|(index, kept)| kept.locator(*index) == locator)?;
        String::from_utf8(found.1.bytes.clone()).ok()
    }

    /// How many texts are kept.
    pub fn len(&self) -> usize {
        self.kept().len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn locator(&self, index: usize) -> String {
        format!("memory:{}/{index}-{}", self.session, self.name)
    }
}

impl SpillStore for MemorySpill {
    type Writer = MemoryWriter;

    fn name(&self) -> &'static str {
        "memory"
    }

    fn open(&self, source: &SpillSource<'_>) -> impl Future<Output = Result<MemoryWriter, SpillError>> + Send {
        let (session, name) = (source.session().to_owned(), source.name().to_owned());
        ready(Ok(MemoryWriter { store: self.clone(), written: Kept { session, name, bytes: Vec::new() } }))
    }
}

/// Writes into a [`MemorySpill`].
#[derive(Debug)]
pub struct MemoryWriter {
    store: MemorySpill,
    written: Kept,
}

impl SpillWriter for MemoryWriter {
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = Result<(), SpillError>> + Send {
        self.written.bytes.extend_from_slice(bytes);
        ready(Ok(()))
    }

    fn finish(self) -> impl Future<Output = Result<Spilled, SpillError>> + Send {
        let Self { store, written } = self;
        let mut kept = store.kept();
        let is_same =
            |kept: &Kept| (&kept.session, &kept.name, &kept.bytes) == (&written.session, &written.name, &written.bytes);
        let index = kept.iter().position(is_same).unwrap_or(kept.len());
        let spilled = Spilled::new(written.locator(index), "", written.bytes.len() as u64);
        if index == kept.len() {
            kept.push(written);
        }
        ready(Ok(spilled))
    }
}
