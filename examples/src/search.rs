//! Searching a workspace with the crates that ripgrep is made of: files by name, and lines in files.

mod filter;
mod lines;
mod walk;

use crate::failure::{Action, Failure};
use crate::stop::Stop;
use crate::workspace::{Place, Workspace};

pub(crate) use lines::{Line, grep};
pub(crate) use walk::glob;

/// The most bytes of paths and lines that one search may find. It bounds the value, and so memory.
pub(crate) const MAX_RAW_BYTES: u64 = 20_000_000;

/// Version control's own directories, in which nobody looks for a file.
const VCS_DIRECTORIES: [&str; 6] = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];

/// What one search needs to know all along its way.
pub(crate) struct Search<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) action: Action,
    pub(crate) stop: &'a Stop,
    /// Leave out what `.gitignore` files name.
    pub(crate) respect_gitignore: bool,
    pub(crate) max_raw_bytes: u64,
}

impl<'a> Search<'a> {
    pub(crate) fn new(workspace: &'a Workspace, action: Action, stop: &'a Stop, respect_gitignore: bool) -> Self {
        Self { workspace, action, stop, respect_gitignore, max_raw_bytes: MAX_RAW_BYTES }
    }

    /// Where to search: the place at `path`, or the whole workspace.
    fn start(&self, path: Option<&str>) -> Result<Place, Failure> {
        let Some(path) = path else {
            return self.workspace.locate(self.action, ".");
        };
        if path.trim().is_empty() {
            return Err(Failure::InvalidArguments("path must be a non-empty string when given"));
        }
        let place = self.workspace.locate(self.action, path)?;
        if place.exists {
            return Ok(place);
        }
        Err(Failure::not_found(self.action, path))
    }

    fn count(&self, raw_bytes: &mut u64, more: usize) -> Result<(), Failure> {
        *raw_bytes += u64::try_from(more).unwrap_or(u64::MAX);
        if *raw_bytes > self.max_raw_bytes {
            return Err(Failure::RawOutputOverflow {
                action: self.action,
                bytes: *raw_bytes,
                limit: self.max_raw_bytes,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
