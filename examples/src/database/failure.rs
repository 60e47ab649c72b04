//! What can go wrong with a query.

use rusqlite::{Error, ErrorCode};
use tool_runtime::Cancellation;
use tool_runtime::prelude::*;

/// A failure of a query.
#[derive(Clone, Debug, PartialEq, Eq, ToolFailure)]
#[failure(retry = corrected, effects = none)]
pub(crate) enum QueryFailure {
    /// Nothing, or more than one statement.
    #[failure(
        code = "SQL_NOT_ONE_STATEMENT",
        "the query is not exactly one statement — give one SELECT, and make a call of each further one"
    )]
    NotOneStatement,
    /// A statement that would change something, or reach something else.
    #[failure(
        code = "SQL_NOT_A_QUERY",
        "the database is only read — give one SELECT; what tables there are, SELECT sql FROM sqlite_schema tells"
    )]
    NotAQuery,
    /// What `SQLite` does not understand, or can't compute.
    #[failure(
        code = "SQL_FAILED",
        "the query failed: {error} — correct it; what tables there are, SELECT sql FROM sqlite_schema tells"
    )]
    Failed { error: String },
    /// The file is gone, is no database, or others hold it.
    #[failure(
        code = "SQL_UNAVAILABLE",
        "the database can't be read now: {error} — if it fails again, report it",
        retry = safe
    )]
    Unavailable { error: String },
    /// Nobody waits for the query any more.
    #[failure(
        code = "SQL_ABORTED",
        "the query was stopped before its end (tool timeout or caller cancellation) — ask for less, then retry",
        retry = safe
    )]
    Aborted,
}

impl QueryFailure {
    /// The failure that an error of `SQLite` is.
    pub(super) fn of(error: &Error, cancellation: &Cancellation) -> Self {
        match error {
            Error::MultipleStatement | Error::Empty => Self::NotOneStatement,
            error => match error.sqlite_error_code() {
                Some(ErrorCode::OperationInterrupted) if cancellation.is_cancelled() => Self::Aborted,
                Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => Self::NotAQuery,
                Some(
                    ErrorCode::CannotOpen
                    | ErrorCode::NotADatabase
                    | ErrorCode::DatabaseCorrupt
                    | ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::PermissionDenied,
                ) => Self::Unavailable { error: error.to_string() },
                _ => Self::Failed { error: error.to_string() },
            },
        }
    }
}
