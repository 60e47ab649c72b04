//! What can go wrong with a file or a search: a stable code, one sentence, and what to do about it.

use std::fmt;
use std::io;

/// What a tool was doing when it failed. It decides the verb of the sentence and the family of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reading a file.
    Read,
    /// Creating or replacing a file.
    Write,
    /// Replacing text in a file.
    Edit,
    /// Looking for files by name.
    Glob,
    /// Looking for lines in files.
    Grep,
}

impl Action {
    /// The tool's name.
    pub fn tool(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Glob => "glob",
            Self::Grep => "grep",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Glob | Self::Grep => "search",
            Self::Read | Self::Write | Self::Edit => self.tool(),
        }
    }
}

/// A failure of a file tool. Paths are shown as the caller wrote them.
///
/// It is no [`std::error::Error`], so that it can have its own conversion into a tool's error beside the one that
/// every `Error` has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// An argument that no schema can refuse. The text is the whole sentence.
    InvalidArguments(&'static str),
    /// There is nothing at the path.
    NotFound {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
    },
    /// The window starts behind the last line.
    OffsetOutOfRange {
        /// The path.
        path: String,
        /// The first line asked for, counted from 1.
        offset: u32,
        /// How many lines the file has.
        total: u32,
    },
    /// A directory is needed and something else is there.
    NotDirectory {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
    },
    /// A file is needed and a directory, a device or a dangling link is there.
    NotRegularFile {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
    },
    /// The file holds bytes that are not UTF-8, or NULs.
    NotText {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
    },
    /// The file is too large to be held in memory.
    TooLarge {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
        /// How much is too much.
        limit: &'static str,
    },
    /// The operating system refuses.
    PermissionDenied {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
    },
    /// The path leads out of the workspace.
    OutsideWorkspace {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
    },
    /// Any other error of the file system.
    Io {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
        /// The system's words.
        error: String,
    },
    /// The file is no longer what was read.
    Stale {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
        /// Whether it is gone, rather than changed.
        gone: bool,
    },
    /// The file exists and was never read.
    NotObserved {
        /// What was tried.
        action: Action,
        /// The path.
        path: String,
    },
    /// The text to replace occurs more than once.
    AmbiguousEdit {
        /// The path.
        path: String,
        /// How often it occurs.
        count: usize,
    },
    /// The text to replace does not occur.
    EditNotFound {
        /// The path.
        path: String,
    },
    /// A glob or a regular expression that does not parse.
    InvalidPattern {
        /// The search.
        action: Action,
        /// The parser's words.
        error: String,
    },
    /// The search itself failed.
    SearchFailed {
        /// The search.
        action: Action,
        /// Why.
        error: String,
    },
    /// The search found more than it may hold.
    RawOutputOverflow {
        /// The search.
        action: Action,
        /// How many bytes it had found when it gave up.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Nobody waits for the result any more.
    Aborted {
        /// What was stopped.
        action: Action,
    },
}

impl Failure {
    /// The failure that an error of the file system is.
    pub(crate) fn from_io(action: Action, path: &str, error: &io::Error) -> Self {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound { action, path },
            io::ErrorKind::NotADirectory => Self::NotDirectory { action, path },
            io::ErrorKind::IsADirectory => Self::NotRegularFile { action, path },
            // The sandbox refuses with this kind and no number of the system; the system always gives one.
            io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
                Self::OutsideWorkspace { action, path }
            }
            io::ErrorKind::PermissionDenied => Self::PermissionDenied { action, path },
            _ => Self::Io { action, path, error: error.to_string() },
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidArguments(_) => "INVALID_ARGS",
            Self::NotFound { .. } | Self::OffsetOutOfRange { .. } => "FS_NOT_FOUND",
            Self::NotDirectory { .. } => "FS_NOT_DIRECTORY",
            Self::NotRegularFile { .. } => "FS_NOT_REGULAR_FILE",
            Self::NotText { .. } => "FS_NOT_TEXT",
            Self::TooLarge { .. } => "FS_TOO_LARGE",
            Self::PermissionDenied { .. } => "FS_PERMISSION_DENIED",
            Self::OutsideWorkspace { .. } => "FS_SANDBOX_DENIED",
            Self::Io { .. } => "FS_IO_ERROR",
            Self::Stale { .. } => "FS_STALE_VERSION",
            Self::NotObserved { .. } => "FS_NOT_OBSERVED",
            Self::AmbiguousEdit { .. } => "FS_AMBIGUOUS_EDIT",
            Self::EditNotFound { .. } => "FS_EDIT_NOT_FOUND",
            Self::InvalidPattern { .. } => "SEARCH_INVALID_PATTERN",
            Self::SearchFailed { .. } => "SEARCH_FAILED",
            Self::RawOutputOverflow { .. } => "SEARCH_RAW_OUTPUT_OVERFLOW",
            Self::Aborted { action: Action::Glob | Action::Grep } => "SEARCH_ABORTED",
            Self::Aborted { .. } => "FS_ABORTED",
        }
    }

    /// What the caller can do, where the sentence does not say it already.
    fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => Some("check the path, or look for it with glob"),
            Self::OffsetOutOfRange { .. } => Some("start at a line that the file has"),
            Self::NotDirectory { action: Action::Glob, .. } => Some("search the directory that holds it"),
            Self::NotDirectory { .. } => {
                Some("one of the names before the last is a file; look for the path with glob")
            }
            Self::NotRegularFile { .. } => Some("give the path of a file; glob lists those of a directory"),
            Self::NotText { .. } => Some("the file tools work on UTF-8 text only"),
            Self::TooLarge { .. } => Some("use another program for it"),
            Self::PermissionDenied { .. } => Some("use another file, or ask for access to this one"),
            Self::OutsideWorkspace { .. } => {
                Some("use a path inside the workspace, and no symbolic link that leads out of it")
            }
            Self::Io { .. } => Some("if it fails again, report it"),
            Self::Stale { .. } => Some("re-read the file, then retry"),
            Self::NotObserved { .. } => Some("read the file, then retry"),
            Self::EditNotFound { .. } => Some("copy the text exactly as the file has it, without the line numbers"),
            Self::InvalidPattern { action: Action::Glob, .. } => Some("correct the glob, then retry"),
            Self::InvalidPattern { .. } => Some("correct it, with a backslash before characters meant as they are"),
            Self::SearchFailed { .. } => Some("narrow path, then retry"),
            Self::InvalidArguments(_)
            | Self::AmbiguousEdit { .. }
            | Self::RawOutputOverflow { .. }
            | Self::Aborted { .. } => None,
        }
    }

    fn sentence(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cannot = |f: &mut fmt::Formatter<'_>, action: &Action, path: &str, why: &dyn fmt::Display| {
            write!(f, "cannot {} \"{path}\": {why}", action.verb())
        };
        match self {
            Self::InvalidArguments(sentence) => f.write_str(sentence),
            Self::NotFound { action, path } => cannot(f, action, path, &"not found"),
            Self::OffsetOutOfRange { path, offset, total } => {
                write!(f, "offset {offset} is out of range for \"{path}\" ({total} lines)")
            }
            Self::NotDirectory { action, path } => cannot(f, action, path, &"not a directory"),
            Self::NotRegularFile { action, path } => cannot(f, action, path, &"not a regular file"),
            Self::NotText { action, path } => cannot(f, action, path, &"not a text file"),
            Self::TooLarge { action, path, limit } => cannot(f, action, path, &format_args!("larger than {limit}")),
            Self::PermissionDenied { action, path } => cannot(f, action, path, &"permission denied"),
            Self::OutsideWorkspace { action, path } => cannot(f, action, path, &"outside the workspace"),
            Self::Io { action, path, error } => cannot(f, action, path, error),
            Self::Stale { action, path, gone: true } => cannot(f, action, path, &"file no longer exists"),
            Self::Stale { action, path, gone: false } => cannot(f, action, path, &"file changed since it was read"),
            Self::NotObserved { action: Action::Write, path } => {
                write!(f, "cannot overwrite existing \"{path}\" without reading it first")
            }
            Self::NotObserved { action, path } => write!(f, "{} requires reading \"{path}\" first", action.tool()),
            Self::AmbiguousEdit { path, count } => write!(
                f,
                "old_string matched {count} times in \"{path}\"; provide a more specific old_string or set replace_all \
                 to true"
            ),
            Self::EditNotFound { path } => write!(f, "old_string was not found in \"{path}\""),
            Self::InvalidPattern { action, error } => {
                write!(f, "{} pattern rejected by ripgrep: {error}", action.tool())
            }
            Self::SearchFailed { action, error } => write!(f, "{} search failed: {error}", action.tool()),
            Self::RawOutputOverflow { action, bytes, limit } => write!(
                f,
                "{} produced {bytes} bytes of raw output, over the {limit}-byte cap; narrow pattern, path, or include \
                 and retry",
                action.tool()
            ),
            Self::Aborted { action } => {
                write!(f, "{} was aborted before completion (tool timeout or caller cancellation)", action.tool())
            }
        }
    }
}

/// The sentence, then the remedy.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence(f)?;
        match self.remedy() {
            Some(remedy) => write!(f, " — {remedy}"),
            None => Ok(()),
        }
    }
}
