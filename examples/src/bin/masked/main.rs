//! A query of a column that nobody may read: neither the model nor a program.

use std::error::Error;

use examples::database::Database;
use examples::tools::{QueryRows, SqlCell, SqlQuery};
use rusqlite::Connection;
use tool_runtime::prelude::*;

// ANCHOR: mask
/// Puts stars in the place of phone numbers.
struct MaskPhones;

impl TypedPolicy<SqlQuery> for MaskPhones {
    fn name(&self) -> &'static str {
        "mask-phones"
    }

    async fn on_success(
        &self,
        _: &SqlQuery,
        found: &QueryRows,
        _: &Success,
    ) -> Result<PostDecision<QueryRows>, ToolError> {
        let mut masked = found.clone();
        for column in (0..found.columns.len()).filter(|column| found.columns[*column] == "phone") {
            for row in &mut masked.rows {
                row[column] = SqlCell::Text("***".to_owned());
            }
        }
        Ok(PostDecision::replace_value(masked))
    }
}
// ANCHOR_END: mask

const PEOPLE: &str = "
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, phone TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO people SELECT i, 'person ' || i, '+44 20 555 ' || (1000 + i) FROM n;";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("people.db");
    Connection::open(&path)?.execute_batch(PEOPLE)?;

    // ANCHOR: call
    let mut registry = Registry::new();
    registry.with(Database::open(&path)?).tool::<SqlQuery>()?;
    let dispatcher = Dispatcher::new(registry).policy_for::<SqlQuery>(MaskPhones);

    let query = SqlQuery { query: "SELECT id, name, phone FROM people ORDER BY id".to_owned() };
    let arguments = tool_runtime::serde_json::to_string(&query)?;
    let result = dispatcher.call(ToolCall::new("call-1", "sql_query", arguments)).await;
    let rows = dispatcher.invoke(query).await?;
    // ANCHOR_END: call

    let text = result.content().to_text();
    let lines: Vec<&str> = text.lines().collect();
    println!("the model reads:\n{}\n…\n{}\n", lines[..5].join("\n"), lines[lines.len() - 3..].join("\n"));
    println!("a program gets {} of {} rows, the first of them\n{:?}", rows.rows.len(), rows.total, rows.rows[0]);
    Ok(())
}
