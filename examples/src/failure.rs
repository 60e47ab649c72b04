//! What can go wrong with a file or a search: a stable code, one sentence, and what to do about it.

use std::fmt;
use std::io;
use tool_runtime::prelude::*;

/// What a tool was doing when it failed. `{}` is the verb of a sentence, and `{:#}` the tool's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
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

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Glob | Self::Grep if !f.alternate() => "search",
            Self::Glob => "glob",
            Self::Grep => "grep",
        })
    }
}

/// A failure of a file tool. Paths are shown as the caller wrote them.
#[derive(Clone, Debug, PartialEq, Eq, ToolFailure)]
#[failure(retry = corrected, effects = none)]
pub(crate) enum Failure {
    /// An argument that no schema can refuse. The text is the whole sentence.
    #[failure(code = "INVALID_ARGS", "{0}")]
    InvalidArguments(&'static str),
    /// There is nothing at the path, or no such line in the file.
    #[failure(code = "FS_NOT_FOUND", "{0}")]
    NotFound(Missing),
    /// A directory is needed and something else is there.
    #[failure(
        code = "FS_NOT_DIRECTORY",
        "cannot {action} \"{path}\": not a directory — it is a file, or lies below one; use the directory that holds it"
    )]
    NotDirectory { action: Action, path: String },
    /// A file is needed and a directory, a device or a dangling link is there.
    #[failure(
        code = "FS_NOT_REGULAR_FILE",
        "cannot {action} \"{path}\": not a regular file — give the path of a file; glob lists those of a directory"
    )]
    NotRegularFile { action: Action, path: String },
    /// The file holds bytes that are not UTF-8, or NULs.
    #[failure(
        code = "FS_NOT_TEXT",
        "cannot {action} \"{path}\": not a text file — the file tools work on UTF-8 text only",
        retry = never
    )]
    NotText { action: Action, path: String },
    /// The file is too large to be held in memory.
    #[failure(
        code = "FS_TOO_LARGE",
        "cannot {action} \"{path}\": larger than {limit} — use another program for it",
        retry = never
    )]
    TooLarge { action: Action, path: String, limit: &'static str },
    /// The operating system refuses.
    #[failure(
        code = "FS_PERMISSION_DENIED",
        "cannot {action} \"{path}\": permission denied — use another file, or ask for access to this one",
        retry = never
    )]
    PermissionDenied { action: Action, path: String },
    /// The path leads out of the workspace.
    #[failure(
        code = "FS_SANDBOX_DENIED",
        "cannot {action} \"{path}\": outside the workspace — use a path inside the workspace, and no symbolic link that \
         leads out of it",
        retry = never
    )]
    OutsideWorkspace { action: Action, path: String },
    /// Any other error of the file system. Directories may have been made by then; a tool that only reads made none.
    #[failure(
        code = "FS_IO_ERROR",
        "cannot {action} \"{path}\": {error} — if it fails again, report it",
        retry = safe,
        effects = unknown
    )]
    Io { action: Action, path: String, error: String },
    /// The file is no longer what was read.
    #[failure(code = "FS_STALE_VERSION", "cannot {action} \"{path}\": {change} — re-read the file, then retry")]
    Stale { action: Action, path: String, change: Change },
    /// The file exists and was never read.
    #[failure(code = "FS_NOT_OBSERVED", "{0} — read the file, then retry")]
    NotObserved(Unread),
    /// The text to replace occurs more than once.
    #[failure(
        code = "FS_AMBIGUOUS_EDIT",
        "old_string matched {count} times in \"{path}\"; provide a more specific old_string or set replace_all to true"
    )]
    AmbiguousEdit { path: String, count: usize },
    /// The text to replace does not occur.
    #[failure(
        code = "FS_EDIT_NOT_FOUND",
        "old_string was not found in \"{path}\" — copy the text exactly as the file has it, without the line numbers"
    )]
    EditNotFound { path: String },
    /// Nobody waits for the file any more.
    #[failure(
        code = "FS_ABORTED",
        "{action:#} was aborted before completion (tool timeout or caller cancellation)",
        retry = safe
    )]
    Aborted { action: Action },
    /// A glob or a regular expression that does not parse.
    #[failure(
        code = "SEARCH_INVALID_PATTERN",
        "{action:#} pattern rejected by ripgrep: {error} — correct it, with a backslash before characters meant as they \
         are"
    )]
    InvalidPattern { action: Action, error: String },
    /// The search itself failed.
    #[failure(
        code = "SEARCH_FAILED",
        "{action:#} search failed: {error} — narrow path, then retry",
        retry = safe
    )]
    SearchFailed { action: Action, error: String },
    /// The search found more than it may hold.
    #[failure(
        code = "SEARCH_RAW_OUTPUT_OVERFLOW",
        "{action:#} produced {bytes} bytes of raw output, over the {limit}-byte cap; narrow pattern, path, or include and \
         retry"
    )]
    RawOutputOverflow { action: Action, bytes: u64, limit: u64 },
    /// Nobody waits for the search any more.
    #[failure(
        code = "SEARCH_ABORTED",
        "{action:#} was aborted before completion (tool timeout or caller cancellation)",
        retry = safe
    )]
    SearchAborted { action: Action },
}

/// What there is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Anything at a path.
    Path { action: Action, path: String },
    /// The first line of a window.
    Line { path: String, offset: u32, total: u32 },
}

/// A file that exists and was never read, and what was to become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) action: Action,
    pub(crate) path: String,
}

/// What became of a file since it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It holds something else.
    Changed,
    /// It is gone.
    Gone,
}

impl Failure {
    /// There is nothing at this path.
    pub(crate) fn not_found(action: Action, path: &str) -> Self {
        Self::NotFound(Missing::Path { action, path: path.to_owned() })
    }

    /// Nobody waits for what this does any more.
    pub(crate) fn aborted(action: Action) -> Self {
        match action {
            Action::Glob | Action::Grep => Self::SearchAborted { action },
            Action::Read | Action::Write | Action::Edit => Self::Aborted { action },
        }
    }

    /// The failure that an error of the file system is.
    pub(crate) fn from_io(action: Action, path: &str, error: &io::Error) -> Self {
        let owned = || path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => Self::not_found(action, path),
            io::ErrorKind::NotADirectory => Self::NotDirectory { action, path: owned() },
            io::ErrorKind::IsADirectory => Self::NotRegularFile { action, path: owned() },
            // The sandbox refuses with this kind and no number of the system; the system always gives one.
            io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
                Self::OutsideWorkspace { action, path: owned() }
            }
            io::ErrorKind::PermissionDenied => Self::PermissionDenied { action, path: owned() },
            _ => Self::Io { action, path: owned(), error: error.to_string() },
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path { action, path } => {
                write!(f, "cannot {action} \"{path}\": not found — check the path, or look for it with glob")
            }
            Self::Line { path, offset, total } => write!(
                f,
                "offset {offset} is out of range for \"{path}\" ({total} lines) — start at a line that the file has"
            ),
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { action, path } = self;
        match action {
            Action::Write => write!(f, "cannot overwrite existing \"{path}\" without reading it first"),
            _ => write!(f, "{action:#} requires reading \"{path}\" first"),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed => "file changed since it was read",
            Self::Gone => "file no longer exists",
        })
    }
}
