//! The logs of many sessions in one database of `SQLite`'s.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, params};

use super::{Durability, SessionStore};
use crate::session::error::{StoreError, StoreErrorKind};
use crate::session::frame::Record;

/// How long a write waits for those of other sessions.
const BUSY: Duration = Duration::from_secs(10);

const TABLE: &str = "CREATE TABLE IF NOT EXISTS session_log (
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    line BLOB NOT NULL,
    PRIMARY KEY (session, number)
) WITHOUT ROWID";

/// The log of one session in a database that holds those of many: a row for each line, the same bytes as in a file.
///
/// A second writer of the same session is refused when it appends behind what the first has appended since.
#[derive(Debug)]
pub struct SqliteStore {
    database: Connection,
    session: String,
    /// How many rows there are, as far as this writer knows; `None` before they were read.
    rows: Option<i64>,
}

impl SqliteStore {
    /// Opens the log of this session in the database at this path, and makes the database if there is none.
    ///
    /// With [`Durability::EachEvent`] and [`Durability::EachBatch`], what was acknowledged outlives a loss of power.
    ///
    /// # Errors
    /// The database can't be opened or written.
    pub fn open(
        path: impl AsRef<Path>,
        session: impl Into<String>,
        durability: Durability,
    ) -> Result<Self, StoreError> {
        let opened = owner_only(path.as_ref()).and_then(|()| {
            let database = Connection::open(path.as_ref()).map_err(|error| failed("opening", error))?;
            let synchronous = if durability == Durability::Buffered { "NORMAL" } else { "FULL" };
            let set_up = database
                .busy_timeout(BUSY)
                .and_then(|()| database.pragma_update(None, "journal_mode", "WAL"))
                .and_then(|()| database.pragma_update(None, "synchronous", synchronous))
                .and_then(|()| database.execute(TABLE, []).map(drop));
            set_up.map(|()| database).map_err(|error| failed("opening", error))
        });
        Ok(Self { database: opened?, session: session.into(), rows: None })
    }

    /// The names of the sessions that the database holds, in order.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn sessions(path: impl AsRef<Path>) -> Result<Vec<String>, StoreError> {
        let names = || {
            let database = Connection::open(path.as_ref())?;
            let mut names = database.prepare("SELECT DISTINCT session FROM session_log ORDER BY session")?;
            names.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()
        };
        names().map_err(|error| failed("reading", error))
    }

    fn insert(&mut self, first: i64, records: &[Record]) -> rusqlite::Result<i64> {
        let transaction = self.database.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut number = first;
        {
            let mut insert =
                transaction.prepare("INSERT INTO session_log (session, number, line) VALUES (?1, ?2, ?3)")?;
            for record in records {
                insert.execute(params![self.session, number, record.line()])?;
                number += 1;
            }
        }
        transaction.commit()?;
        Ok(number)
    }
}

impl SessionStore for SqliteStore {
    fn load(&mut self) -> Result<Vec<u8>, StoreError> {
        let load = || {
            let mut lines =
                self.database.prepare("SELECT number, line FROM session_log WHERE session = ?1 ORDER BY number")?;
            let mut rows = lines.query(params![self.session])?;
            let (mut bytes, mut next) = (Vec::new(), 0);
            while let Some(row) = rows.next()? {
                next = row.get::<_, i64>(0)? + 1;
                bytes.extend(row.get::<_, Vec<u8>>(1)?);
            }
            Ok((bytes, next))
        };
        let (bytes, next) = load().map_err(|error| failed("reading", error))?;
        self.rows = Some(next);
        Ok(bytes)
    }

    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        let Some(first) = self.rows else {
            return Err(StoreError::new(StoreErrorKind::Other, "the session log must be read before it is written"));
        };
        let next = self.insert(first, records).map_err(|error| failed("writing", error))?;
        self.rows = Some(next);
        Ok(())
    }
}

/// Makes the database's file for its owner alone, if there is none.
fn owner_only(path: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let made = options.open(path);
    made.map(drop).map_err(|error| StoreError::io(format_args!("opening the database {}", path.display()), error))
}

fn failed(doing: &str, error: rusqlite::Error) -> StoreError {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => StoreErrorKind::SecondWriter,
        Some(ErrorCode::DiskFull | ErrorCode::TooBig) => StoreErrorKind::Full,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreErrorKind::ReadOnly,
        Some(ErrorCode::CannotOpen) => StoreErrorKind::Missing,
        _ => StoreErrorKind::Other,
    };
    let message = match kind {
        StoreErrorKind::SecondWriter => "another writer has appended to this session".to_owned(),
        _ => format!("{doing} the database of session logs: {error}"),
    };
    StoreError::new(kind, message).with_source(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{EndReason, MemoryStore, Session, SessionError};

    async fn turn(session: &Session) -> Result<(), SessionError> {
        session.start_turn().await?;
        session.user("Go on.").await?;
        session.end_turn(EndReason::completed()).await
    }

    #[tokio::test]
    async fn a_database_gives_back_the_bytes_that_memory_holds_for_each_session() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("logs.sqlite");
        let memory = MemoryStore::new();
        turn(&Session::create_at(memory.clone(), || 1).await.unwrap()).await.unwrap();
        for name in ["one", "two"] {
            let store = SqliteStore::open(&path, name, Durability::EachBatch).unwrap();
            let session = Session::create_at(store, || 1).await.unwrap();
            turn(&session).await.unwrap();
            session.close().await;
            let mut store = SqliteStore::open(&path, name, Durability::EachBatch).unwrap();
            assert_eq!(store.load().unwrap(), memory.bytes(), "{name}");
        }
        assert_eq!(SqliteStore::sessions(&path).unwrap(), ["one", "two"]);
    }

    #[tokio::test]
    async fn a_second_writer_of_a_session_is_refused_and_writes_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("logs.sqlite");
        let open = || SqliteStore::open(&path, "one", Durability::Buffered).unwrap();
        let first = Session::create(open()).await.unwrap();
        let second = Session::create(open()).await.unwrap();
        turn(&first).await.unwrap();
        let refused = second.start_turn().await.unwrap_err();
        let SessionError::Store(error) = refused else { panic!("{refused}") };
        assert_eq!(error.kind(), StoreErrorKind::SecondWriter);
        assert_eq!(second.recover().await.unwrap().entries().len(), 3);
        turn(&second).await.unwrap();
        assert_eq!(
            first.start_turn().await.unwrap_err().to_string(),
            "the session log failed: another writer has appended to this session"
        );
    }

    #[test]
    fn a_database_that_can_t_be_made_is_refused_with_its_cause() {
        let refused = SqliteStore::open("/nowhere/at/all.sqlite", "one", Durability::EachBatch).unwrap_err();
        assert_eq!(refused.kind(), StoreErrorKind::Missing);
        assert!(refused.to_string().starts_with("opening the database /nowhere/at/all.sqlite: "), "{refused}");
    }
}
