//! The directory that the file tools work in, and what they have seen of it.

mod commit;
mod place;

use crate::failure::{Action, Failure, Missing};
use crate::stop::Stop;
use crate::window::{self, Digest, Fault, Window};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) use place::{Place, name};

/// One directory, shared by the file tools. Cheap to clone; every clone is the same workspace.
///
/// No path leads out of it: not by `..`, not as an absolute path, not through a symbolic link, whenever it was made.
/// Absolute paths that lie inside are accepted. A file has one name, its path from the root with every link resolved;
/// this is the name in values, and the one under which the workspace remembers what was read, so that a file which
/// nobody looked at, or which has changed since, is not overwritten.
#[derive(Clone, Debug)]
pub struct Workspace(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// As it was given, made absolute.
    given: PathBuf,
    /// With links resolved.
    root: PathBuf,
    dir: Dir,
    seen: Mutex<HashMap<PathBuf, Seen>>,
    /// Held from the check of a file to its replacement, so that of two writers one sees the other's file.
    writing: Mutex<()>,
}

/// What the last look at a path found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Absent,
    Present(Digest),
}

impl Workspace {
    /// Opens a directory as a workspace.
    ///
    /// # Errors
    /// When there is no directory at the path, or it can't be opened.
    pub fn open(root: impl AsRef<Path>) -> io::Result<Self> {
        let given = std::path::absolute(root)?;
        let root = given.canonicalize()?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        let (seen, writing) = (Mutex::default(), Mutex::default());
        Ok(Self(Arc::new(Shared { given, root, dir, seen, writing })))
    }

    /// The root, absolute, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.0.root
    }

    /// Reads a window of a file, and remembers what the file holds, or that there is none.
    pub(crate) fn read(&self, path: &str, offset: u32, limit: u32, stop: &Stop) -> Result<(String, Window), Failure> {
        let action = Action::Read;
        let place = self.locate(action, path)?;
        if !place.exists {
            self.remember(&place, Seen::Absent);
            return Err(Failure::not_found(action, path));
        }
        let file = self.open_file(action, path, &place)?;
        let window = window::read(file, offset, limit, stop).map_err(|fault| match fault {
            Fault::Io(error) => Failure::from_io(action, path, &error),
            Fault::NotText => Failure::NotText { action, path: path.to_owned() },
            Fault::TooLong => Failure::TooLarge { action, path: path.to_owned(), limit: "4294967295 lines" },
            Fault::Stopped => Failure::aborted(action),
        })?;
        let total = window.total_lines;
        // The first line of an empty file is no place behind its end.
        if offset > total.max(1) {
            return Err(Failure::NotFound(Missing::Line { path: path.to_owned(), offset, total }));
        }
        self.remember(&place, Seen::Present(window.digest));
        Ok((place.name(), window))
    }

    /// Opens a regular file. Asks before opening, for opening a pipe waits for its other end.
    pub(crate) fn open_file(&self, action: Action, path: &str, place: &Place) -> Result<File, Failure> {
        let failed = |error| Failure::from_io(action, path, &error);
        if !self.0.dir.metadata(&place.relative).map_err(failed)?.is_file() {
            return Err(Failure::NotRegularFile { action, path: path.to_owned() });
        }
        self.0.dir.open(&place.relative).map_err(failed)
    }

    /// The place's absolute path.
    pub(crate) fn absolute(&self, place: &Place) -> PathBuf {
        if place.is_root() { self.root().to_owned() } else { self.root().join(&place.relative) }
    }

    /// Whether a directory is at the place.
    pub(crate) fn is_directory(&self, place: &Place) -> bool {
        self.0.dir.is_dir(&place.relative)
    }

    fn remember(&self, place: &Place, seen: Seen) {
        lock(&self.0.seen).insert(place.relative.clone(), seen);
    }

    fn recall(&self, place: &Place) -> Option<Seen> {
        lock(&self.0.seen).get(&place.relative).copied()
    }
}

/// What the locks guard is whole between any two statements, so a panic while one was held changes nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
