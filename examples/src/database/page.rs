//! The first rows of a result.

use std::fmt::Write as _;

use rusqlite::types::ValueRef;
use rusqlite::{Row, Statement};

/// The most rows that are kept.
const MAX_ROWS: usize = 50;

/// The most bytes that the kept rows have.
const MAX_BYTES: usize = 128 * 1024;

/// The first rows of a result, and how many there are.
pub(crate) struct Page {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<SqlValue>>,
    pub(crate) total: u64,
}

/// A value of a row. What JSON has no word for is text.
pub(crate) enum SqlValue {
    Null,
    Integer(i64),
    /// Neither infinite nor NaN.
    Real(f64),
    Text(String),
}

impl Page {
    /// Runs the statement to its end, and keeps the first rows: all that are before the first that has no room.
    pub(super) fn of(statement: &mut Statement<'_>) -> rusqlite::Result<Self> {
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut page = Self { columns, rows: Vec::new(), total: 0 };
        let (mut room, mut is_open) = (MAX_BYTES, true);
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            page.total += 1;
            if !is_open || page.rows.len() == MAX_ROWS {
                continue;
            }
            match values(row, page.columns.len(), &mut room)? {
                Some(values) => page.rows.push(values),
                None => is_open = false,
            }
        }
        Ok(page)
    }
}

/// The values of a row, if they have room. No more of them is copied than that.
fn values(row: &Row<'_>, columns: usize, room: &mut usize) -> rusqlite::Result<Option<Vec<SqlValue>>> {
    let mut values = Vec::with_capacity(columns);
    for column in 0..columns {
        let value = row.get_ref(column)?;
        let bytes = match value {
            ValueRef::Text(text) => text.len(),
            ValueRef::Blob(blob) => 2 * blob.len() + 3,
            _ => 8,
        };
        let Some(left) = room.checked_sub(bytes) else { return Ok(None) };
        *room = left;
        values.push(SqlValue::of(value));
    }
    Ok(Some(values))
}

impl SqlValue {
    fn of(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(integer) => Self::Integer(integer),
            ValueRef::Real(real) if real.is_finite() => Self::Real(real),
            ValueRef::Real(real) => Self::Text(if real > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(blob) => Self::Text(literal(blob)),
        }
    }
}

/// A blob as SQL writes it.
fn literal(blob: &[u8]) -> String {
    let mut literal = "x'".to_owned();
    for byte in blob {
        let _ = write!(literal, "{byte:02x}");
    }
    literal.push('\'');
    literal
}
