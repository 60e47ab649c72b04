//! Directories that are for their owner alone, and new files in them.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::failed;
use crate::seam::SpillError;

/// The end of the name of a file that is being written.
pub(super) const PART: &str = ".part";

/// The root, made if it is not there, and found to be fit.
pub(super) fn root(path: &Path) -> Result<PathBuf, SpillError> {
    if fs::metadata(path).is_ok_and(|found| !found.is_dir()) {
        let why = format!("the spill store's root {} is a file, not a directory", path.display());
        return Err(SpillError::Failed(why));
    }
    private().recursive(true).create(path).map_err(|error| failed("make the directory", path, &error))?;
    let path = fs::canonicalize(path).map_err(|error| failed("find the directory", path, &error))?;
    if path.to_str().is_none() {
        return Err(SpillError::Refused(format!(
            "the path {} is no UTF-8, so that no model can name it",
            path.display()
        )));
    }
    let metadata = fs::metadata(&path).map_err(|error| failed("look at the directory", &path, &error))?;
    if is_writable_by_others(&metadata) {
        let why = format!("others may write to {}: give a directory of its own", path.display());
        return Err(SpillError::Refused(why));
    }
    // A directory that can't be written to is told now, and not at the first text.
    let (_, probe) = new_part(&path).map_err(|error| failed("write to the directory", &path, &error))?;
    fs::remove_file(&probe).map_err(|error| failed("delete from the directory", &path, &error))?;
    Ok(path)
}

/// A directory below the root, made if it is not there.
pub(super) fn below(root: &Path, name: &str) -> Result<PathBuf, SpillError> {
    let path = root.join(name);
    match private().create(&path) {
        Ok(()) => return Ok(path),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(failed("make the directory", &path, &error)),
    }
    let metadata = fs::symlink_metadata(&path).map_err(|error| failed("look at the directory", &path, &error))?;
    if !metadata.is_dir() || !is_private(&metadata, root) {
        let why = format!("{} is no directory for its owner alone, so it was not made here", path.display());
        return Err(SpillError::Refused(why));
    }
    Ok(path)
}

/// A new file in a directory, to be written and then linked to its place.
pub(super) fn new_part(directory: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("{}-{number}{PART}", std::process::id()));
        let mut options = OpenOptions::new();
        // It is new, or it is an error: nothing is opened that stands there, and no link is followed.
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            // Another process of this number left it behind.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return Ok((opened?, path)),
        }
    }
}

fn private() -> DirBuilder {
    #[allow(unused_mut, reason = "nothing is set where there are no modes")]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(unix)]
fn is_writable_by_others(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(metadata) & 0o022 != 0
}

#[cfg(unix)]
fn is_private(metadata: &Metadata, root: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let for_others = metadata.mode() & 0o077;
    for_others == 0 && fs::metadata(root).is_ok_and(|root| root.uid() == metadata.uid())
}

#[cfg(not(unix))]
fn is_writable_by_others(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn is_private(_: &Metadata, _: &Path) -> bool {
    true
}
