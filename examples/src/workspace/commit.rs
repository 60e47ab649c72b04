//! Replacing a file: only one that was read and has not changed since, and all of it or nothing.

use super::{Place, Seen, Workspace, lock};
use crate::failure::{Action, Change, Failure, Unread};
use crate::stop::Stop;
use crate::window::Digest;
use cap_std::fs::{Dir, File, OpenOptions, Permissions};
use std::ffi::OsStr;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bytes of a file that is replaced, for the old and the new text are in memory together.
const MAX_FILE_BYTES: u64 = 10 * 1024 * 1024;

/// The same, for a sentence.
const MAX_FILE_SIZE: &str = "10 MiB";

/// A replacement that was made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    /// The file's name in the workspace.
    pub(crate) path: String,
    /// Its text before; nothing if there was no file.
    pub(crate) before: Option<String>,
    /// Its text now.
    pub(crate) after: String,
}

impl Workspace {
    /// Replaces a file, or creates it, with what `change` makes of its text.
    ///
    /// Other programs can still change the file between the last look at it and its replacement: no file system offers
    /// both as one step.
    pub(crate) fn replace(
        &self,
        action: Action,
        path: &str,
        stop: &Stop,
        change: impl FnOnce(Option<&str>) -> Result<String, Failure>,
    ) -> Result<Replaced, Failure> {
        let _writing = lock(&self.0.writing);
        let place = self.locate(action, path)?;
        let (bytes, permissions) = self.current(action, path, &place)?.unzip();
        self.gate(action, path, &place, bytes.as_deref())?;
        let Ok(before) = bytes.map(String::from_utf8).transpose() else {
            return Err(Failure::NotText { action, path: path.to_owned() });
        };
        // The rename would not ask.
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            return Err(Failure::PermissionDenied { action, path: path.to_owned() });
        }
        let after = change(before.as_deref())?;
        stop.check(action)?;
        self.commit(&place, after.as_bytes(), permissions).map_err(|error| Failure::from_io(action, path, &error))?;
        self.remember(&place, Seen::Present(Digest::of(after.as_bytes())));
        Ok(Replaced { path: place.name(), before, after })
    }

    /// A file as it is.
    fn current(&self, action: Action, path: &str, place: &Place) -> Result<Option<(Vec<u8>, Permissions)>, Failure> {
        let failed = |error| Failure::from_io(action, path, &error);
        if !place.exists {
            // A link whose target is not there: what would be replaced is the link.
            return match self.0.dir.symlink_metadata(&place.relative) {
                Ok(_) => Err(Failure::NotRegularFile { action, path: path.to_owned() }),
                Err(_) => Ok(None),
            };
        }
        let file = self.open_file(action, path, place)?;
        let permissions = file.metadata().map_err(failed)?.permissions();
        let mut bytes = Vec::new();
        let count = file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if u64::try_from(count).is_ok_and(|count| count > MAX_FILE_BYTES) {
            return Err(Failure::TooLarge { action, path: path.to_owned(), limit: MAX_FILE_SIZE });
        }
        Ok(Some((bytes, permissions)))
    }

    /// Whether the caller knows what it replaces.
    fn gate(&self, action: Action, path: &str, place: &Place, current: Option<&[u8]>) -> Result<(), Failure> {
        let stale = |change| Failure::Stale { action, path: path.to_owned(), change };
        match (self.recall(place), current.map(Digest::of)) {
            (None | Some(Seen::Absent), None) => Ok(()),
            (Some(Seen::Present(seen)), Some(now)) if seen == now => Ok(()),
            (None, Some(_)) => Err(Failure::NotObserved(Unread { action, path: path.to_owned() })),
            (Some(_), Some(_)) => Err(stale(Change::Changed)),
            (Some(Seen::Present(_)), None) => Err(stale(Change::Gone)),
        }
    }

    /// Writes beside the file and renames, so that a reader sees the old file or the new one and a failure leaves the
    /// old one. The new file has the old one's permissions; other names of the old file (hard links) keep the old text.
    fn commit(&self, place: &Place, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
        let name = place.relative.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let dir = self.parent(&place.relative)?;
        let (draft, mut file) = create_draft(&dir)?;
        let written = (|| {
            // Before the first byte, for others may not be meant to read it.
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
            file.write_all(bytes)?;
            file.sync_all()?;
            dir.rename(&draft, &dir, OsStr::new(name))
        })();
        if written.is_err() {
            // The first error is the one to report.
            let _ = dir.remove_file(&draft);
        }
        written
    }

    /// The directory of a file, made if it is not there.
    fn parent(&self, file: &Path) -> io::Result<Dir> {
        match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => {
                self.0.dir.create_dir_all(parent)?;
                self.0.dir.open_dir(parent)
            }
            _ => self.0.dir.try_clone(),
        }
    }
}

/// A new file under a name that no other has. It does not hold the target's name, which may be as long as names can be.
fn create_draft(dir: &Dir) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let name = format!(".draft-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        match dir.open_with(&name, OpenOptions::new().write(true).create_new(true)) {
            Ok(file) => return Ok((name.into(), file)),
            // Left behind by a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
