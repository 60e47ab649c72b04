//! `sql_query`: rows of a database.

use std::borrow::Cow;

use super::page::count;
use crate::database::{Database, Page, QueryFailure, SqlValue};
use tool_runtime::prelude::*;
use tool_runtime::present::{
    CallView, Durable, FileMatches, GenericCall, Partial, ResultView, SearchMatches, SearchResult, ToolKind,
};
use tool_runtime::retain::Omission;
use tool_runtime::serde::Serialize;
use tool_runtime::serde_json::{self, Number};

/// Run one SELECT against the database, which is `SQLite`.
///
/// All rows are counted, and the first 50 are kept, or fewer if they are large. What tables there are, SELECT sql FROM
/// `sqlite_schema` tells.
#[derive(Clone, Debug, Serialize, Tool)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = QueryRows, failure = QueryFailure, present, read_only, idempotent, parallel, timeout = "30s")]
pub struct SqlQuery {
    /// The statement. Of many rows, LIMIT and OFFSET choose which.
    #[schemars(length(min = 1))]
    pub query: String,
}

/// Rows of a database.
#[tool_output]
#[derive(Clone, Debug, PartialEq)]
pub struct QueryRows {
    /// The names of the columns, in their order.
    pub columns: Vec<String>,
    /// The rows that are kept, from the first; of each, a cell for every column.
    pub rows: Vec<Vec<SqlCell>>,
    /// How many rows there are.
    pub total: u64,
    /// Whether some are not kept.
    pub truncated: bool,
}

/// A cell of a row. A blob is text as SQL writes it, `x'00ff'`; an infinite number is `Infinity` or `-Infinity`; bytes of a
/// text that are no UTF-8 are U+FFFD.
#[tool_output]
#[derive(Clone, Debug, PartialEq)]
#[serde(untagged)]
pub enum SqlCell {
    /// Nothing.
    Null,
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
}

impl Execute<Database> for SqlQuery {
    async fn execute(&self, cx: &Context<Database>) -> Result<QueryRows, ToolError> {
        let query = self.query.clone();
        let page = cx.blocking(move |cx| Ok(cx.state().query(&query, cx.cancellation())?)).await?;
        let Page { columns, rows, total } = page;
        let rows: Vec<Vec<SqlCell>> =
            rows.into_iter().map(|row| row.into_iter().map(SqlCell::from).collect()).collect();
        Ok(QueryRows { truncated: count(rows.len()) < total, columns, rows, total })
    }
}

impl From<SqlValue> for SqlCell {
    fn from(value: SqlValue) -> Self {
        match value {
            SqlValue::Null => Self::Null,
            SqlValue::Integer(integer) => Self::Number(integer.into()),
            SqlValue::Real(real) => Number::from_f64(real).map_or(Self::Null, Self::Number),
            SqlValue::Text(text) => Self::Text(text),
        }
    }
}

impl SqlCell {
    /// The cell in a line: a text that could pass for something else is in quotes.
    fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Null => "NULL".into(),
            Self::Number(number) => number.to_string().into(),
            Self::Text(text) if is_plain(text) => text.into(),
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string().into(),
        }
    }
}

fn is_plain(text: &str) -> bool {
    let is_other = text.is_empty() || text == "NULL" || text.parse::<f64>().is_ok();
    !is_other
        && text.trim() == text
        && !text.contains(|character: char| "|\"\\".contains(character) || character.is_control())
}

/// A row in a line.
fn line(row: &[SqlCell]) -> String {
    let cells: Vec<Cow<'_, str>> = row.iter().map(SqlCell::shown).collect();
    cells.join(" | ")
}

impl QueryRows {
    /// How many rows there are at the least, should a policy have put more than it says.
    fn total(&self) -> u64 {
        self.total.max(count(self.rows.len()))
    }

    fn heading(&self) -> String {
        self.columns.join(" | ")
    }
}

impl Render for SqlQuery {
    fn render(&self, found: &QueryRows) -> Content {
        let (kept, total) = (count(found.rows.len()), found.total());
        let rows = if total == 1 { "row" } else { "rows" };
        let mut lines = vec![match kept {
            _ if total == 0 => "Found no rows".to_owned(),
            _ if kept == total => format!("Found {total} {rows}"),
            0 => format!("Found {total} {rows}, and kept none: the first is too large"),
            _ => format!("Found {total} {rows}, and kept the first {kept}"),
        }];
        lines.extend([String::new(), found.heading()]);
        lines.extend(found.rows.iter().map(|row| line(row)));
        if kept < total {
            let omitted = Omission::of(total - kept).sentence("rows");
            lines
                .push(format!("\n({omitted} Choose others with LIMIT and OFFSET, or let the query count and sum up.)"));
        }
        Content::text(lines.join("\n"))
    }
}

impl Present for SqlQuery {
    type Meta = Option<SearchResult>;

    /// Rows are what the query found: numbered, below the names of their columns, with how many there are in all.
    fn meta(&self, found: &QueryRows) -> Option<SearchResult> {
        let heading = found.heading();
        let rows = (1..).zip(&found.rows).map(|(number, row)| (heading.as_str(), number, line(row)));
        let card = SearchMatches::new(rows, found.total()).ok()?;
        let card = if found.truncated { card.stopped_early() } else { card };
        Some(card.within(SearchResult::META_BYTES).into())
    }

    fn call_view(&self) -> Option<CallView> {
        Some(card(&self.query))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        Some(card(partial.so_far("query")?))
    }

    /// The rows, as far as the model reads them: a policy may have put something else in their place.
    fn result_view(&self, result: &Durable<'_, Self::Meta>) -> Option<ResultView> {
        let Some(Some(SearchResult::Matches(card))) = result.meta() else { return None };
        let read = result.content().to_text();
        let is_read = |line: &str| read.contains(&format!("\n{line}"));
        let mut lines = card.files().iter().flat_map(FileMatches::matches);
        lines.all(|row| is_read(row.line())).then(|| result.card()).flatten()
    }
}

/// The card of a query that runs.
fn card(query: &str) -> CallView {
    GenericCall::new(format!("Query {query}")).with_kind(ToolKind::Search).into()
}
