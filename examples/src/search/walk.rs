//! The walk over the files of a workspace, and looking for them by name.

use super::filter::Filter;
use super::{Search, VCS_DIRECTORIES};
use crate::failure::Failure;
use crate::workspace::{Place, name};
use ignore::{DirEntry, Walk, WalkBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a search for files found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Files {
    /// The directory that was searched.
    pub(crate) root: String,
    /// Least recently modified first, and by name where that is equal.
    pub(crate) paths: Vec<String>,
    /// What could not be looked at, and why.
    pub(crate) skipped: Vec<String>,
}

/// Finds the files whose paths match a glob.
pub(crate) fn glob(search: &Search<'_>, pattern: &str, path: Option<&str>) -> Result<Files, Failure> {
    if pattern.trim().is_empty() {
        return Err(Failure::InvalidArguments("pattern must be a non-empty string"));
    }
    let start = search.start(path)?;
    if !search.workspace.is_directory(&start) {
        let path = path.unwrap_or(".").to_owned();
        return Err(Failure::NotDirectory { action: search.action, path });
    }
    let filter = Filter::new(&search.workspace.absolute(&start), pattern)
        .map_err(|error| Failure::InvalidPattern { action: search.action, error })?;
    let mut found = Vec::new();
    let mut raw_bytes = 0;
    let skipped = each_file(search, &start, |entry, relative| {
        if filter.passes(entry.path()) {
            let name = name(relative);
            search.count(&mut raw_bytes, name.len() + 1)?;
            found.push((modified(entry), name));
        }
        Ok(())
    })?;
    found.sort_unstable();
    Ok(Files { root: start.name(), paths: found.into_iter().map(|(_, name)| name).collect(), skipped })
}

/// A file that went away meanwhile has no time; it sorts as the oldest.
fn modified(entry: &DirEntry) -> Option<SystemTime> {
    entry.metadata().ok()?.modified().ok()
}

/// Visits the regular files at or below a place, by name, with their paths from the root. Symbolic links are not
/// followed. Returns what could not be looked at.
///
/// The walk goes by names, so it may list what lies behind a link that takes a directory's place meanwhile. What is
/// opened is opened through the workspace, and can't lie there.
pub(super) fn each_file(
    search: &Search<'_>,
    start: &Place,
    mut visit: impl FnMut(&DirEntry, &Path) -> Result<(), Failure>,
) -> Result<Vec<String>, Failure> {
    let root = search.workspace.root();
    let mut skipped = Vec::new();
    for entry in walk(search, start) {
        search.stop.check(search.action)?;
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.depth() == Some(0) => {
                return Err(Failure::SearchFailed { action: search.action, error: error.to_string() });
            }
            // Gone since its directory was listed: then it is not there.
            Err(error) if error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound) => continue,
            Err(error) => {
                skipped.push(error.to_string());
                continue;
            }
        };
        let Some(relative) = entry.path().strip_prefix(root).ok().filter(|_| is_file(&entry)) else { continue };
        if relative.to_str().is_none() {
            skipped.push(format!("{}: the name is not valid UTF-8", name(relative)));
            continue;
        }
        visit(&entry, relative)?;
    }
    Ok(skipped)
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

/// Walks from the root of the workspace down to the place and then below it, so that the `.gitignore` files between
/// them count, and none outside the workspace.
fn walk(search: &Search<'_>, start: &Place) -> Walk {
    let root = search.workspace.root().to_owned();
    let start = if start.is_root() { PathBuf::new() } else { start.relative.clone() };
    let mut builder = WalkBuilder::new(&root);
    builder
        .standard_filters(false)
        .git_ignore(search.respect_gitignore)
        .require_git(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(move |entry| {
            let relative = entry.path().strip_prefix(&root).unwrap_or(Path::new(""));
            let towards = relative.starts_with(&start) || start.starts_with(relative);
            towards && !is_vcs(relative)
        });
    builder.build()
}

fn is_vcs(path: &Path) -> bool {
    path.file_name().is_some_and(|name| VCS_DIRECTORIES.iter().any(|vcs| name == *vcs))
}
