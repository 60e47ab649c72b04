//! A file on its way to its place.

use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::name::{hexadecimal, of_session};
use super::{FileSpill, blocking, failed, place};
use crate::seam::{SpillError, SpillWriter, Spilled};

/// How much is written at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// How many hexadecimal digits of the content's digest stand in a file's name: 160 bits of SHA-256.
const DIGITS: usize = 40;

/// Writes a file of a [`FileSpill`].
pub struct FileWriter(Option<Part>);

impl FileWriter {
    pub(super) fn new(part: Part) -> Self {
        Self(Some(part))
    }

    fn part(&mut self) -> Result<Part, SpillError> {
        self.0.take().ok_or_else(|| SpillError::Failed("an earlier write failed, or was not awaited".to_owned()))
    }
}

impl SpillWriter for FileWriter {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), SpillError> {
        for chunk in bytes.chunks(CHUNK_BYTES) {
            let (mut part, chunk) = (self.part()?, chunk.to_vec());
            self.0 = Some(blocking(move || part.append(&chunk).map(|()| part)).await??);
        }
        Ok(())
    }

    async fn finish(mut self) -> Result<Spilled, SpillError> {
        let part = self.part()?;
        blocking(move || part.publish()).await?
    }
}

impl fmt::Debug for FileWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FileWriter").field(&self.0.as_ref().map(|part| &part.path)).finish()
    }
}

/// A file under another name than its own. It is deleted when this is dropped.
pub(super) struct Part {
    store: FileSpill,
    directory: PathBuf,
    name: String,
    file: File,
    path: PathBuf,
    digest: Sha256,
    bytes: u64,
    /// How many bytes are to be given back.
    taken: u64,
}

impl Part {
    pub(super) fn create(store: FileSpill, session: &str, name: String) -> Result<Self, SpillError> {
        let create = || {
            let directory = place::below(&store.root, &of_session(session))?;
            Ok::<_, SpillError>((place::new_part(&directory), directory))
        };
        let (created, directory) = match create()? {
            // A sweep deleted the empty directory in between.
            (Err(error), _) if error.kind() == ErrorKind::NotFound => create()?,
            created => created,
        };
        let (file, path) = created.map_err(|error| failed("make a file in", &directory, &error))?;
        Ok(Self { store, directory, name, file, path, digest: Sha256::new(), bytes: 0, taken: 0 })
    }

    fn append(&mut self, chunk: &[u8]) -> Result<(), SpillError> {
        let (bytes, limit) = (chunk.len() as u64, self.store.settings.text_bytes);
        if self.bytes.saturating_add(bytes) > limit {
            return Err(SpillError::TooLarge { limit });
        }
        self.store.take(bytes)?;
        self.taken += bytes;
        self.file.write_all(chunk).map_err(|error| failed("write", &self.path, &error))?;
        self.digest.update(chunk);
        self.bytes += bytes;
        Ok(())
    }

    /// Brings it to its place, which is told by its content.
    fn publish(mut self) -> Result<Spilled, SpillError> {
        // Before it has its name, so that no loss of power leaves a name without its content.
        self.file.sync_data().map_err(|error| failed("bring to the disk", &self.path, &error))?;
        let digest = hexadecimal(self.digest.finalize_reset().as_slice());
        let place = self.directory.join(format!("{}-{}", &digest[..DIGITS], self.name));
        {
            let _used = self.store.used();
            match fs::hard_link(&self.path, &place) {
                Ok(()) => self.taken = 0,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => self.is_there(&place, &digest)?,
                // A file system without links.
                Err(_) if fs::symlink_metadata(&place).is_err() => {
                    fs::rename(&self.path, &place).map_err(|error| failed("name", &place, &error))?;
                    self.taken = 0;
                }
                Err(error) => return Err(failed("link to", &place, &error)),
            }
        }
        // The root's path is UTF-8, and so is what follows it.
        Ok(Spilled::new(place.to_string_lossy(), &*self.store.settings.hint, self.bytes))
    }

    /// Whether what stands in its place is the same; it is then kept anew.
    fn is_there(&self, place: &Path, digest: &str) -> Result<(), SpillError> {
        let is_file = fs::symlink_metadata(place).is_ok_and(|found| found.is_file() && found.len() == self.bytes);
        let same = is_file
            && File::open(place).is_ok_and(|mut file| {
                let is_same = digest_of(&mut file).is_some_and(|found| found == digest);
                // If its age can't be told, it only expires earlier.
                let _ = file.set_modified(SystemTime::now());
                is_same
            });
        if same {
            return Ok(());
        }
        Err(SpillError::Refused(format!("{} holds something else, which was not written here", place.display())))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.store.give_back(self.taken);
        // It may have been renamed; what can't be deleted goes with a later sweep.
        let _ = fs::remove_file(&self.path);
    }
}

fn digest_of(file: &mut File) -> Option<String> {
    let (mut digest, mut chunk) = (Sha256::new(), vec![0; 64 * 1024]);
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Some(hexadecimal(digest.finalize().as_slice())),
            Ok(read) => digest.update(&chunk[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
