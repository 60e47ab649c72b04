//! A `SQLite` database that is only read.

mod failure;
mod page;

pub(crate) use failure::QueryFailure;
pub(crate) use page::{Page, SqlValue};

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use tool_runtime::Cancellation;

/// How long a query waits for who writes to the database.
const BUSY: Duration = Duration::from_secs(1);

/// How many steps of `SQLite`'s machine lie between two looks at the cancellation: well under a millisecond of work.
const STEPS: i32 = 1000;

/// The most bytes of a value and of a row in the database.
const MAX_ROW_BYTES: i32 = 16 << 20;

/// A `SQLite` database in a file. Cheap to clone. Queries share nothing, so that many may run at a time.
///
/// It is opened for reading only, and a statement may do no more than select: no other file is attached, nothing is
/// loaded, no setting changed.
#[derive(Clone, Debug)]
pub struct Database {
    path: Arc<Path>,
}

impl Database {
    /// A database that exists.
    ///
    /// # Errors
    /// If there is no `SQLite` database at the path, or it can't be read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let database = Self { path: path.as_ref().canonicalize()?.into() };
        let is_read = database
            .connect(&Cancellation::new())
            .and_then(|open| open.prepare("SELECT 1 FROM sqlite_schema").map(drop));
        is_read.map_err(io::Error::other)?;
        Ok(database)
    }

    /// Runs one statement, until it is cancelled at most. It blocks.
    pub(crate) fn query(&self, sql: &str, cancellation: &Cancellation) -> Result<Page, QueryFailure> {
        let failed = |error| QueryFailure::of(&error, cancellation);
        let connection = self.connect(cancellation).map_err(failed)?;
        let mut statement = connection.prepare(sql).map_err(failed)?;
        if !statement.readonly() {
            return Err(QueryFailure::NotAQuery);
        }
        Page::of(&mut statement).map_err(failed)
    }

    fn connect(&self, cancellation: &Cancellation) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&*self.path, flags)?;
        connection.busy_timeout(BUSY)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)?;
        connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        connection.authorizer(Some(|asked: AuthContext<'_>| only_reads(asked.action)))?;
        let cancellation = cancellation.clone();
        connection.progress_handler(STEPS, Some(move || cancellation.is_cancelled()))?;
        Ok(connection)
    }
}

fn only_reads(action: AuthAction<'_>) -> Authorization {
    match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Function { .. } | AuthAction::Recursive => {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }
}
