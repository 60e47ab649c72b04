//! From a path as a caller writes it to a place in the workspace.

use super::Workspace;
use crate::failure::{Action, Failure};
use std::io;
use std::path::{Component, Path, PathBuf};

/// A place inside the workspace: a path from its root without `.`, `..` and symbolic links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// `.` for the root itself.
    pub(crate) relative: PathBuf,
    /// Whether something was there.
    pub(crate) exists: bool,
}

impl Place {
    pub(crate) fn is_root(&self) -> bool {
        self.relative == Path::new(".")
    }

    /// The path from the root, with slashes on every system.
    pub(crate) fn name(&self) -> String {
        name(&self.relative)
    }
}

/// A relative path with slashes on every system.
pub(crate) fn name(relative: &Path) -> String {
    let names: Vec<_> = relative.components().map(|component| component.as_os_str().to_string_lossy()).collect();
    names.join("/")
}

impl Workspace {
    /// Finds the place of a path. What is not there yet has a place too, if its deepest directory that exists does.
    pub(crate) fn locate(&self, action: Action, path: &str) -> Result<Place, Failure> {
        let outside = || Failure::OutsideWorkspace { action, path: path.to_owned() };
        let asked = self.unresolved(Path::new(path)).ok_or_else(outside)?;
        let mut missing = PathBuf::new();
        let mut tried = asked.as_path();
        loop {
            match self.0.dir.canonicalize(or_root(tried)) {
                // The root is `.` only while nothing follows.
                Ok(found) if found == Path::new(".") && !missing.as_os_str().is_empty() => {
                    return Ok(Place { relative: missing, exists: false });
                }
                Ok(found) if missing.as_os_str().is_empty() => return Ok(Place { relative: found, exists: true }),
                Ok(found) => return Ok(Place { relative: found.join(missing), exists: false }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Failure::from_io(action, path, &error)),
            }
            // `..` behind a directory that is not there means nothing.
            let (Some(Component::Normal(last)), Some(parent)) = (tried.components().next_back(), tried.parent()) else {
                return Err(Failure::not_found(action, path));
            };
            missing = if missing.as_os_str().is_empty() { PathBuf::from(last) } else { Path::new(last).join(&missing) };
            tried = parent;
        }
    }

    /// The path from the root, unresolved; nothing for an absolute path that lies elsewhere.
    fn unresolved(&self, path: &Path) -> Option<PathBuf> {
        if path.is_relative() {
            return Some(path.to_owned());
        }
        let inside = path.strip_prefix(&self.0.root).or_else(|_| path.strip_prefix(&self.0.given)).ok()?;
        Some(inside.to_owned())
    }
}

fn or_root(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}
