//! A log in a file: one writer, appended to, never rewritten.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::SessionStore;
use crate::session::error::{StoreError, StoreErrorKind};
use crate::session::frame::{self, Record, Tail};

/// When an append is acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Once the record is on the disk, each by itself.
    EachEvent,
    /// Once the record is on the disk, together with those that were waiting beside it. As safe as the one before, and faster
    /// where several calls run.
    #[default]
    EachBatch,
    /// Once the operating system has it: it outlives the process, but not a loss of power.
    Buffered,
}

/// A log in a file.
///
/// The file is made for its owner alone, and locked while the store is there: a second writer is refused, in this process and in
/// others. What is torn at its end is moved into a file beside it, `<name>.torn-<offset>`, before anything is appended.
#[derive(Debug)]
pub struct FileStore {
    file: File,
    path: PathBuf,
    durability: Durability,
    /// Up to here it holds what was acknowledged or loaded.
    good: u64,
    /// Whether a newline stands there.
    ended: bool,
    /// Whether something may stand behind it that was not acknowledged.
    unsure: bool,
}

impl FileStore {
    /// Opens the log at this path to write to it: locks the file, and creates it, empty, if there is none. The directory must
    /// be there. Who only reads takes [`read`](Self::read) and [`SessionLog::parse`](crate::session::SessionLog::parse).
    ///
    /// # Errors
    /// The file can't be opened for writing, or another writer has it.
    pub fn open(path: impl Into<PathBuf>, durability: Durability) -> Result<Self, StoreError> {
        let path = path.into();
        let opened = match options().create_new(true).open(&path) {
            Ok(file) => sync_directory_of(&path).map(|()| file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => options().open(&path),
            Err(error) => Err(error),
        };
        let file = opened
            .map_err(|error| StoreError::io(format_args!("opening the session log {}", path.display()), error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!("another writer has the session log {}", path.display());
                return Err(StoreError::new(StoreErrorKind::SecondWriter, message));
            }
            Err(TryLockError::Error(error)) => {
                return Err(StoreError::io(format_args!("locking the session log {}", path.display()), error));
            }
        }
        Ok(Self { file, path, durability, good: 0, ended: true, unsure: true })
    }

    /// Reads the log at this path as it stands, without locking or changing it.
    ///
    /// # Errors
    /// It can't be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>, StoreError> {
        let path = path.as_ref();
        std::fs::read(path)
            .map_err(|error| StoreError::io(format_args!("reading the session log {}", path.display()), error))
    }

    fn error(&self, doing: &str, error: io::Error) -> StoreError {
        StoreError::io(format_args!("{doing} the session log {}", self.path.display()), error)
    }

    /// Moves what is torn at the end into a file beside the log; if that can't be, it stays, and a newline keeps it apart.
    fn set_tail_apart(&mut self, bytes: &[u8]) {
        let Tail { keep, ended } = frame::tail(bytes);
        (self.good, self.ended) = (keep as u64, ended);
        let torn = &bytes[keep..];
        if !torn.is_empty() && self.move_apart(keep, torn).is_err() {
            (self.good, self.ended) = (bytes.len() as u64, false);
        }
    }

    fn move_apart(&mut self, keep: usize, torn: &[u8]) -> io::Result<()> {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".torn-{keep}"));
        let mut apart = options().create(true).open(PathBuf::from(name))?;
        apart.write_all(torn)?;
        apart.write_all(b"\n")?;
        apart.sync_all()?;
        self.file.set_len(keep as u64)?;
        self.file.sync_all()
    }

    fn write(&mut self, records: &[Record]) -> io::Result<u64> {
        let mut written = self.good;
        let mut bytes = if self.ended { Vec::new() } else { vec![b'\n'] };
        for record in records {
            bytes.extend(record.line());
            if self.durability == Durability::EachEvent {
                written += self.put(&bytes)?;
                bytes.clear();
            }
        }
        if bytes.is_empty() { Ok(written) } else { Ok(written + self.put(&bytes)?) }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<u64> {
        self.file.write_all(bytes)?;
        if self.durability != Durability::Buffered {
            self.file.sync_data()?;
        }
        Ok(bytes.len() as u64)
    }
}

impl SessionStore for FileStore {
    fn load(&mut self) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_end(&mut bytes));
        read.map_err(|error| self.error("reading", error))?;
        self.set_tail_apart(&bytes);
        self.unsure = false;
        Ok(bytes)
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        if self.unsure {
            let message = format!("the session log {} must be read before it is written", self.path.display());
            return Err(StoreError::new(StoreErrorKind::Other, message));
        }
        match self.write(records) {
            Ok(end) => {
                (self.good, self.ended) = (end, true);
                Ok(())
            }
            Err(error) => {
                // Cut back to what was acknowledged. If even that fails, what is torn is set apart by the next load.
                self.unsure = self.file.set_len(self.good).and_then(|()| self.file.sync_all()).is_err();
                Err(self.error("writing", error))
            }
        }
    }
}

impl Drop for FileStore {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that is being started may hold a copy of it for a moment.
        let _ = self.file.unlock();
    }
}

/// For the owner alone, to be read and appended to.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// So that a file that was made outlives a loss of power.
fn sync_directory_of(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(directory)?.sync_all()
}
