//! What the model reads, and what a user interface gets.

use std::fmt;

use tool_runtime::Block;
use tool_runtime::prelude::*;

#[tool_output]
struct Table {
    rows: Vec<String>,
    total: usize,
}

/// List the rows of the table.
#[derive(Tool)]
#[tool(output = Table, present)]
struct ListRows {
    /// How many rows to show.
    limit: usize,
}

impl Execute for ListRows {
    async fn execute(&self, _: &Context) -> Result<Table, ToolError> {
        let all = ["ash", "birch", "cedar", "elm"];
        Ok(Table { rows: all.iter().take(self.limit).map(ToString::to_string).collect(), total: all.len() })
    }
}

// ANCHOR: notice
impl Render for ListRows {
    fn render(&self, table: &Table) -> Content {
        let text = Content::text(table.rows.join("\n"));
        match table.total - table.rows.len() {
            0 => text,
            more => text.with_notice(format!("{more} more rows; ask with a larger limit")),
        }
    }
}
// ANCHOR_END: notice

// ANCHOR: present
/// What the card is drawn from: counts, not rows.
#[tool_output]
struct TableMeta {
    shown: usize,
    total: usize,
}

impl Present for ListRows {
    type Meta = TableMeta;

    fn meta(&self, table: &Table) -> TableMeta {
        TableMeta { shown: table.rows.len(), total: table.total }
    }
}
// ANCHOR_END: present

#[tokio::test]
async fn a_notice_stands_beside_the_text() {
    let dispatcher = Dispatcher::new(toolset! { () => [ListRows] }.unwrap());
    let result = dispatcher.call(ToolCall::new("call", "list_rows", r#"{"limit": 2}"#)).await;
    super::assert_shown("notice.txt", &super::sides(&result));
}

// ANCHOR: ready
/// Where the sun stands.
#[derive(Tool)]
#[tool(output = Sun, render = json)]
struct SunAsJson {}

/// Where the sun stands, in words.
#[derive(Tool)]
#[tool(output = Sun, render = display)]
struct SunAsText {}

#[tool_output]
struct Sun {
    degrees: i16,
    rising: bool,
}

impl fmt::Display for Sun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}° and {}", self.degrees, if self.rising { "rising" } else { "setting" })
    }
}
// ANCHOR_END: ready

impl Execute for SunAsJson {
    async fn execute(&self, _: &Context) -> Result<Sun, ToolError> {
        Ok(Sun { degrees: 12, rising: true })
    }
}

impl Execute for SunAsText {
    async fn execute(&self, _: &Context) -> Result<Sun, ToolError> {
        Ok(Sun { degrees: 12, rising: true })
    }
}

#[tokio::test]
async fn ready_projections() {
    let dispatcher = Dispatcher::new(toolset! { () => [SunAsJson, SunAsText] }.unwrap());
    let json = dispatcher.call(ToolCall::without_arguments("call", "sun_as_json")).await;
    let text = dispatcher.call(ToolCall::without_arguments("call", "sun_as_text")).await;
    let shown = format!("json     {}\ndisplay  {}", json.content().to_text(), text.content().to_text());
    super::assert_shown("ready.txt", &shown);
}

// ANCHOR: blocks
fn drawing(png: &[u8]) -> Content {
    Content::text("The floor plan:")
        .with(Block::image(png, "image/png"))
        .with(Block::resource_link("file:///plans/ground.pdf", "ground.pdf"))
}
// ANCHOR_END: blocks

#[test]
fn blocks_stand_in_order() {
    let content = drawing(b"png");
    let kinds: Vec<_> = content.blocks().iter().map(Block::kind).collect();
    assert_eq!(kinds, ["text", "image", "resource_link"]);
    super::assert_shown("blocks.txt", &content.to_text());
}
