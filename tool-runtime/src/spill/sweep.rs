//! What is too old goes.

use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::failed;
use super::place::PART;
use crate::seam::SpillError;

/// How long a file may be written to without a byte.
const PART_AGE: Duration = Duration::from_hours(24);

/// Deletes what is expired, and gives how many bytes are left.
pub(super) fn sweep(root: &Path, expiry: Duration, now: SystemTime) -> Result<u64, SpillError> {
    let mut left = 0;
    for session in entries(root)? {
        let is_session = session.file_name().to_str().is_some_and(|name| name.starts_with("session-"));
        // The type of the entry itself: a link is not followed.
        if is_session && session.file_type().is_ok_and(|kind| kind.is_dir()) {
            left += sweep_session(&session.path(), expiry, now)?;
        }
    }
    Ok(left)
}

fn sweep_session(directory: &Path, expiry: Duration, now: SystemTime) -> Result<u64, SpillError> {
    let (mut left, mut is_empty) = (0, true);
    for entry in entries(directory)? {
        // One that is gone by now takes no room.
        let Ok(metadata) = entry.metadata() else { continue };
        let is_part = entry.file_name().to_str().is_some_and(|name| name.ends_with(PART));
        let most = if is_part { PART_AGE } else { expiry };
        let age = metadata.modified().ok().and_then(|then| now.duration_since(then).ok()).unwrap_or_default();
        if metadata.is_file() && age > most && fs::remove_file(entry.path()).is_ok() {
            continue;
        }
        is_empty = false;
        left += metadata.len();
    }
    if is_empty {
        // Unless something has come in since.
        let _ = fs::remove_dir(directory);
    }
    Ok(left)
}

fn entries(directory: &Path) -> Result<Vec<DirEntry>, SpillError> {
    let found = match fs::read_dir(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.and_then(Iterator::collect),
    };
    found.map_err(|error| failed("read the directory", directory, &error))
}
