//! A [`SpillStore`] of files, behind the feature `spill`.
//!
//! A directory for each session, and in it a file for each text, named by the digest of its content: what is kept twice is
//! there once, and a call that is made again gets the locator that it got before.

mod name;
mod part;
mod place;
mod sweep;

pub use part::FileWriter;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::runtime::Handle;

use crate::seam::{SpillError, SpillSource, SpillStore};
use part::Part;

/// Keeps texts as files of one directory: `<root>/session-<digest of the session>/<digest of the content>-<name>`.
///
/// - Directories are for their owner alone (0700), and so are files (0600). A file is written beside its place under another
///   name, brought to the disk, and then linked to its place, so that it is there whole or not at all. Nothing is ever written
///   over or through what stands there: a file or a link that somebody planted is refused.
/// - The locator is the path. Names are made safe: `[A-Za-z0-9._-]` stay, all else becomes `~` and four hexadecimal digits for
///   each UTF-16 unit, so that different names stay different.
/// - All files together have a quota, and each has one of its own. What is [expired](Self::expiry) makes room; when there is
///   still none, the text is refused ([`SpillError::Full`]): nothing is deleted that a session may still point to.
/// - Files are written on tokio's threads for blocking work; without a tokio runtime, on the caller's.
///
/// One directory may serve several processes. Each counts what it writes itself, and looks again when the quota seems to be
/// reached, so that they may exceed it by what they write at the same time.
///
/// ```
/// # use tool_runtime::prelude::*;
/// use tool_runtime::spill::FileSpill;
///
/// # fn dispatcher(registry: Registry, cache: std::path::PathBuf) -> Result<Dispatcher, tool_runtime::SpillError> {
/// let store = FileSpill::open(cache.join("spill"))?.hint("Use read with offset and limit, or grep this path.");
/// Ok(Dispatcher::new(registry).spill(store, "session-1"))
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct FileSpill {
    root: Arc<Path>,
    settings: Settings,
    /// How many bytes are kept or being written, as far as is known here. Who holds it may link and delete.
    used: Arc<Mutex<u64>>,
}

#[derive(Clone, Debug)]
struct Settings {
    quota: u64,
    text_bytes: u64,
    expiry: Duration,
    hint: Arc<str>,
}

impl FileSpill {
    /// Files in this directory, which is made if it is not there. At most 1 GiB altogether, 64 MiB each, for 7 days. What is
    /// expired goes now.
    ///
    /// # Errors
    /// If the directory can't be made or written to, if others may write to it, or if its path is no UTF-8, so that no model
    /// could name it.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self, SpillError> {
        let root = place::root(&root.into())?;
        let settings = Settings {
            quota: 1 << 30,
            text_bytes: 64 << 20,
            expiry: Duration::from_hours(7 * 24),
            hint: "Any part of this file can be read by itself.".into(),
        };
        let store = Self { root: root.into(), settings, used: Arc::default() };
        store.sweep()?;
        Ok(store)
    }

    /// The same store with this quota for all files together, in bytes.
    #[must_use]
    pub fn quota(mut self, bytes: u64) -> Self {
        self.settings.quota = bytes;
        self
    }

    /// The same store with at most so many bytes for one text.
    #[must_use]
    pub fn text_bytes(mut self, most: u64) -> Self {
        self.settings.text_bytes = most;
        self
    }

    /// The same store, in which a file is expired so long after it was last saved. Saving the same text again counts.
    #[must_use]
    pub fn expiry(mut self, age: Duration) -> Self {
        self.settings.expiry = age;
        self
    }

    /// The same store with this sentence for the model, which names the tools that read parts of a file.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Arc<str>>) -> Self {
        self.settings.hint = hint.into();
        self
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Deletes what is expired, and what writers left behind that were killed a day ago or longer; gives how many bytes are
    /// kept after it. It blocks.
    ///
    /// # Errors
    /// If the directory can't be read.
    pub fn sweep(&self) -> Result<u64, SpillError> {
        let mut used = self.used();
        *used = sweep::sweep(&self.root, self.settings.expiry, SystemTime::now())?;
        Ok(*used)
    }

    fn used(&self) -> MutexGuard<'_, u64> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes room for so many bytes more.
    fn take(&self, bytes: u64) -> Result<(), SpillError> {
        let quota = self.settings.quota;
        let has_room = |used: u64| used.checked_add(bytes).is_some_and(|sum| sum <= quota);
        if !has_room(*self.used()) {
            self.sweep()?;
        }
        let mut used = self.used();
        if !has_room(*used) {
            return Err(SpillError::Full { quota });
        }
        *used += bytes;
        Ok(())
    }

    /// Gives such room back.
    fn give_back(&self, bytes: u64) {
        let mut used = self.used();
        *used = used.saturating_sub(bytes);
    }
}

impl SpillStore for FileSpill {
    type Writer = FileWriter;

    fn name(&self) -> &'static str {
        "files"
    }

    async fn open(&self, source: &SpillSource<'_>) -> Result<FileWriter, SpillError> {
        let (store, session, name) = (self.clone(), source.session().to_owned(), name::safe(source.name()));
        blocking(move || Part::create(store, &session, name)).await?.map(FileWriter::new)
    }
}

/// Runs work where it may block.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, SpillError> {
    match Handle::try_current() {
        Ok(runtime) => {
            let ended = runtime.spawn_blocking(work).await;
            ended.map_err(|error| SpillError::Failed(format!("writing the file did not end: {error}")))
        }
        Err(_) => Ok(work()),
    }
}

/// What failed, and where.
fn failed(what: &str, path: &Path, error: &std::io::Error) -> SpillError {
    SpillError::Failed(format!("can't {what} {}: {error}", path.display()))
}
