//! Why a command could not be run.

use tool_runtime::prelude::*;

/// A failure of the shell, not of the command: a command that fails is a result like any other.
#[derive(Clone, Debug, PartialEq, Eq, ToolFailure)]
#[failure(effects = none)]
pub(crate) enum ShellFailure {
    /// A command that can't be one. The text is the whole sentence.
    #[failure(code = "INVALID_ARGS", "{0}", retry = corrected)]
    InvalidCommand(&'static str),
    /// There is no bash, no workspace any more, or no room for one more process.
    #[failure(
        code = "SHELL_NOT_STARTED",
        "cannot start bash: {error} — nothing was run; if it fails again, report it",
        retry = safe
    )]
    NotStarted { error: String },
    /// The host does not let us wait for processes.
    #[failure(
        code = "SHELL_LOST",
        "lost sight of the command: {error} — it was killed; check what it did before you run it again",
        effects = possible
    )]
    Lost { error: String },
}
