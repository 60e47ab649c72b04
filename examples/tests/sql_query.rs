//! `sql_query`, through the whole pipeline, on a real database: more rows than it keeps, and a column that nobody may read.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use examples::database::Database;
use examples::tools::{QueryRows, SqlCell, SqlQuery};
use rusqlite::Connection;
use tempfile::TempDir;
use tool_runtime::prelude::*;
use tool_runtime::serde::Serialize;
use tool_runtime::serde_json::{self, Value, json};
use tool_runtime::testing::{assert_output_contract, assert_pure_projections};

const PEOPLE: &str = "SELECT id, name, phone FROM people ORDER BY id";

struct Fixture {
    dir: TempDir,
    dispatcher: Dispatcher,
}

impl Fixture {
    /// With 1200 people, each of whom has a phone.
    fn new() -> Self {
        let dir = TempDir::new().expect("a temporary directory");
        let connection = Connection::open(dir.path().join("people.db")).expect("a database");
        connection
            .execute_batch(
                "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, phone TEXT);
                 WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
                 INSERT INTO people SELECT i, 'person ' || i, '+44 20 555 ' || (1000 + i) FROM n;",
            )
            .expect("a table");
        let database = Database::open(dir.path().join("people.db")).expect("a database");
        let mut registry = Registry::new();
        registry.with(database).tool::<SqlQuery>().expect("a tool that keeps its contract");
        registry.tool::<Phones>().expect("a tool that keeps its contract");
        Self { dir, dispatcher: Dispatcher::new(registry) }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    async fn query(&self, query: &str) -> ToolResult {
        self.query_with(query, CallOptions::default()).await
    }

    async fn query_with(&self, query: &str, options: CallOptions) -> ToolResult {
        self.dispatcher.call_with(ToolCall::new("call-1", "sql_query", arguments(query)), options).await
    }

    async fn rows(&self, query: &str) -> Value {
        rows(&self.query(query).await).clone()["rows"].take()
    }

    /// The code and the sentence of a failure.
    async fn failure(&self, query: &str) -> (String, String) {
        let result = self.query(query).await;
        let failure = result.failure().unwrap_or_else(|| panic!("{}", result.content().to_text()));
        (failure.code().to_string(), failure.error().message().to_owned())
    }

    fn card(&self, query: &str, result: &ToolResult) -> Value {
        serde_json::to_value(self.dispatcher.cards().live(&arguments(query), result)).expect("a card is JSON")
    }
}

fn arguments(query: &str) -> String {
    json!({"query": query}).to_string()
}

fn rows(result: &ToolResult) -> Value {
    result.success().unwrap_or_else(|| panic!("{}", result.content().to_text())).canonical().to_json()
}

/// A program that calls the tool: how many phone numbers it gets to see.
#[derive(Serialize, Tool)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = u64, render = display, read_only, description = "Count the phone numbers that can be read.")]
struct Phones {}

impl Execute for Phones {
    async fn execute(&self, cx: &Context) -> Result<u64, ToolError> {
        let typed = cx.invoke(SqlQuery { query: PEOPLE.to_owned() }).await?;
        let by_name = cx.call("sql_query", json!({"query": PEOPLE})).await.into_result()?;
        let (typed, by_name) = (serde_json::to_string(&typed)?, by_name.value().as_str().to_owned());
        assert_eq!(typed, by_name, "programs see one value, however they call");
        Ok(typed.matches("+44 20 555 ").count().try_into()?)
    }
}

#[tokio::test]
async fn of_1200_rows_50_are_kept_and_value_text_and_card_say_so() {
    let fixture = Fixture::new();
    let result = fixture.query(PEOPLE).await;
    let value = rows(&result);
    assert_eq!(value["columns"], json!(["id", "name", "phone"]));
    assert_eq!((&value["total"], &value["truncated"]), (&json!(1200), &json!(true)));
    assert_eq!(value["rows"].as_array().map(Vec::len), Some(50));
    assert_eq!(value["rows"][49], json!([50, "person 50", "+44 20 555 1050"]));
    let text = result.content().to_text();
    assert!(
        text.starts_with(
            "Found 1200 rows, and kept the first 50\n\nid | name | phone\n1 | person 1 | +44 20 555 1001\n"
        )
    );
    let end = "\n50 | person 50 | +44 20 555 1050\n\n(Omitted 1150 rows. Choose others with LIMIT and OFFSET, or let the query \
               count and sum up.)";
    assert!(text.ends_with(end), "{text}");
    let card = fixture.card(PEOPLE, &result);
    assert_eq!((&card["card"], &card["truncated"], &card["total"]), (&json!("search"), &json!(true), &json!(1200)));
    assert_eq!(card["files"][0]["path"], "id | name | phone");
    assert_eq!(card["files"][0]["matches"].as_array().map(Vec::len), Some(50));
}

#[tokio::test]
async fn what_fits_is_whole() {
    let fixture = Fixture::new();
    let query = format!("{PEOPLE} LIMIT 1");
    let result = fixture.query(&query).await;
    assert_eq!(result.content().to_text(), "Found 1 row\n\nid | name | phone\n1 | person 1 | +44 20 555 1001");
    assert_eq!((&rows(&result)["total"], &rows(&result)["truncated"]), (&json!(1), &json!(false)));
    let none = fixture.query("SELECT name FROM people WHERE id < 0").await;
    assert_eq!(none.content().to_text(), "Found no rows\n\nname");
    assert_eq!(
        fixture.card(&query, &none),
        json!({"card": "search", "shape": "matches", "files": [], "truncated": false, "total": 0})
    );
}

#[tokio::test]
async fn values_of_every_kind_come_as_they_are() {
    let fixture = Fixture::new();
    let query =
        "SELECT NULL, 9223372036854775807, -0.5, 1.0, 'é', x'00ff', 9e999, -9e999, CAST(x'61ff' AS TEXT) AS t; -- end";
    let result = fixture.query(query).await;
    assert_eq!(
        rows(&result)["rows"],
        json!([[null, i64::MAX, -0.5, 1.0, "é", "x'00ff'", "Infinity", "-Infinity", "a\u{FFFD}"]])
    );
    let row = "NULL | 9223372036854775807 | -0.5 | 1.0 | é | x'00ff' | \"Infinity\" | \"-Infinity\" | a\u{FFFD}";
    assert!(result.content().to_text().ends_with(row), "{}", result.content().to_text());
    // What could pass for another value, or for two, stands in quotes.
    let shown = fixture.query("SELECT '', 'NULL', '12', 'a | b', 'line' || char(10), ' x'").await.content().to_text();
    assert!(shown.ends_with(r#""" | "NULL" | "12" | "a | b" | "line\n" | " x""#), "{shown}");
}

#[tokio::test]
async fn rows_that_are_too_large_are_counted_and_not_kept() {
    let fixture = Fixture::new();
    let value = rows(&fixture.query("SELECT printf('%.*c', 60000, 'x') FROM people").await);
    assert_eq!((value["rows"].as_array().map(Vec::len), &value["total"]), (Some(2), &json!(1200)));
    let result = fixture.query("SELECT zeroblob(1000000) AS b").await;
    assert_eq!((&rows(&result)["rows"], &rows(&result)["truncated"]), (&json!([]), &json!(true)));
    assert!(result.content().to_text().starts_with("Found 1 row, and kept none: the first is too large\n\nb\n"));
}

#[tokio::test]
async fn one_statement_that_reads_and_nothing_else() {
    let fixture = Fixture::new();
    let elsewhere = fixture.file("elsewhere.db");
    for (query, code) in [
        (" ", "SQL_NOT_ONE_STATEMENT"),
        ("-- nothing", "SQL_NOT_ONE_STATEMENT"),
        ("SELECT 1; SELECT 2", "SQL_NOT_ONE_STATEMENT"),
        ("SELECT 1; DELETE FROM people", "SQL_NOT_A_QUERY"),
        ("DELETE FROM people", "SQL_NOT_A_QUERY"),
        ("CREATE TEMP TABLE t (a)", "SQL_NOT_A_QUERY"),
        ("PRAGMA journal_mode = WAL", "SQL_NOT_A_QUERY"),
        ("BEGIN", "SQL_NOT_A_QUERY"),
        (&format!("ATTACH '{}' AS other", elsewhere.display()), "SQL_NOT_A_QUERY"),
        (&format!("VACUUM INTO '{}'", elsewhere.display()), "SQL_NOT_A_QUERY"),
        ("SELECT nickname FROM people", "SQL_FAILED"),
        ("SELECT * FROM people WHERE id = ?", "SQL_FAILED"),
        ("SELECT load_extension('x')", "SQL_FAILED"),
        ("SELECT zeroblob(100000000)", "SQL_FAILED"),
    ] {
        assert_eq!(fixture.failure(query).await.0, code, "{query}");
    }
    let (_, sentence) = fixture.failure("SELECT nickname FROM people").await;
    assert!(sentence.contains("no such column: nickname"), "{sentence}");
    assert!(!elsewhere.exists());
    assert_eq!(fixture.rows("SELECT count(*) FROM people").await, json!([[1200]]));
    assert_eq!(fixture.rows("SELECT name FROM sqlite_schema").await, json!([["people"]]));
}

#[tokio::test]
async fn a_database_that_is_gone_or_none_is_told() {
    let fixture = Fixture::new();
    std::fs::write(fixture.file("notes.txt"), "no database, but a text that is long enough to be looked at").unwrap();
    assert!(Database::open(fixture.file("notes.txt")).is_err());
    assert!(Database::open(fixture.file("nothing.db")).is_err());
    std::fs::remove_file(fixture.file("people.db")).unwrap();
    assert_eq!(fixture.failure("SELECT 1 FROM people").await.0, "SQL_UNAVAILABLE");
}

/// It counts without an end.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

#[tokio::test]
async fn a_query_stops_when_its_call_is_cancelled() {
    let mut fixture = Fixture::new();
    let limits = Limits { grace: Duration::from_secs(10), ..Limits::default() };
    fixture.dispatcher = fixture.dispatcher.clone().limits(limits);
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancellation.cancel();
    };
    let (result, ()) = tokio::join!(fixture.query_with(ENDLESS, options), cancel);
    // The query's own word: nobody had to give it up.
    assert_eq!(result.failure().expect("a failure").code().as_str(), "SQL_ABORTED");
    assert_eq!(result.trace().warnings(), Vec::<String>::new());
}

#[tokio::test]
async fn a_query_stops_when_its_time_is_up() {
    let mut fixture = Fixture::new();
    let limits = Limits { grace: Duration::from_secs(10), ..Limits::default() };
    fixture.dispatcher = fixture.dispatcher.clone().limits(limits);
    let deadline = Some(Instant::now() + Duration::from_millis(500));
    let result = fixture.query_with(ENDLESS, CallOptions { deadline, ..CallOptions::default() }).await;
    assert_eq!(result.failure().expect("a failure").code().as_str(), "TIMEOUT");
    assert_eq!(result.trace().warnings(), Vec::<String>::new());
}

/// Hides phone numbers in the value.
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
        for (column, _) in found.columns.iter().enumerate().filter(|(_, name)| *name == "phone") {
            for row in &mut masked.rows {
                row[column] = SqlCell::Text("***".to_owned());
            }
        }
        Ok(PostDecision::replace_value(masked))
    }
}

/// Tries to hide them in what the model reads.
struct HideText;

impl TypedPolicy<SqlQuery> for HideText {
    fn name(&self) -> &'static str {
        "hide-text"
    }

    async fn on_success(&self, _: &SqlQuery, _: &QueryRows, _: &Success) -> Result<PostDecision<QueryRows>, ToolError> {
        Ok(PostDecision::replace_content("1200 people; their numbers are hidden"))
    }
}

#[tokio::test]
async fn a_column_that_is_masked_in_the_value_is_hidden_from_everybody() {
    let mut fixture = Fixture::new();
    fixture.dispatcher = fixture.dispatcher.clone().policy_for::<SqlQuery>(MaskPhones);
    let result = fixture.query(PEOPLE).await;
    assert_eq!(rows(&result)["rows"][0], json!([1, "person 1", "***"]));
    let text = result.content().to_text();
    assert!(
        text.starts_with("Found 1200 rows, and kept the first 50\n\nid | name | phone\n1 | person 1 | ***\n"),
        "{text}"
    );
    let card = fixture.card(PEOPLE, &result);
    assert_eq!(card["files"][0]["matches"][0]["line"], "1 | person 1 | ***");
    assert_eq!((&card["truncated"], &card["total"]), (&json!(true), &json!(1200)));
    for side in [format!("{result:?}"), card.to_string()] {
        assert!(!side.contains("+44"), "{side}");
    }
    // A program, by the host and by a body.
    let typed = fixture.dispatcher.invoke(SqlQuery { query: PEOPLE.to_owned() }).await.expect("rows");
    assert_eq!(typed.rows[0][2], SqlCell::Text("***".to_owned()));
    assert_eq!(fixture.dispatcher.invoke(Phones {}).await.expect("a count"), 0);
}

#[tokio::test]
async fn a_column_that_is_hidden_in_the_content_stays_in_the_value() {
    let mut fixture = Fixture::new();
    fixture.dispatcher = fixture.dispatcher.clone().policy_for::<SqlQuery>(HideText);
    let result = fixture.query(PEOPLE).await;
    assert_eq!(result.content().to_text(), "1200 people; their numbers are hidden");
    assert_eq!(fixture.card(PEOPLE, &result), json!({"card": "generic"}), "who draws cards shows what the model reads");
    assert_eq!(rows(&result)["rows"][0][2], "+44 20 555 1001", "it was no redaction");
    assert_eq!(fixture.dispatcher.invoke(Phones {}).await.expect("a count"), 50, "and a program reads every number");
}

#[test]
fn any_value_that_fits_the_schema_can_be_shown() {
    let row = vec![SqlCell::Null, SqlCell::Number(1.into()), SqlCell::Text("é\u{0}".into())];
    let value = QueryRows { columns: vec!["a".into()], rows: vec![row], total: 0, truncated: false };
    let tool = SqlQuery { query: "SELECT".into() };
    assert_eq!(tool.render(&value).to_text(), "Found 1 row\n\na\nNULL | 1 | \"é\\u0000\"");
    assert!(tool.meta(&value).is_some());
    assert_output_contract([value.clone()]);
    assert_pure_projections(&tool, [value]);
}
