//! Cards: drawn live, from a log, and while a call streams in.

use std::fmt::Write as _;

use tool_runtime::prelude::*;
use tool_runtime::present::{
    CallView, Durable, DurableResult, GenericCall, Older, Partial, ResultView, SearchPaths, ToolKind,
};
use tool_runtime::terminal::{Terminal, wants_colours};
use tool_runtime::{JsonValue, serde_json};

/// Find books by a word of their title.
#[derive(Tool)]
#[tool(output = Books, present, read_only)]
struct FindBooks {
    /// The word.
    word: String,
}

#[tool_output]
struct Books {
    titles: Vec<String>,
    total: u64,
}

impl Execute for FindBooks {
    async fn execute(&self, _: &Context) -> Result<Books, ToolError> {
        let titles = ["The Sea", "The Sea, the Sea", "By the Open Sea"].map(str::to_owned).to_vec();
        Ok(Books { titles, total: 120 })
    }
}

impl Render for FindBooks {
    fn render(&self, books: &Books) -> Content {
        Content::text(books.titles.join("\n")).with_notice(format!("{} of {}", books.titles.len(), books.total))
    }
}

// ANCHOR: present
impl Present for FindBooks {
    /// The card itself; none of a value that says that it has more than there are.
    type Meta = Option<SearchPaths>;
    const VERSION: u32 = 2;

    fn meta(&self, books: &Books) -> Self::Meta {
        SearchPaths::new(books.titles.iter().cloned(), books.total).ok()
    }

    fn call_view(&self) -> Option<CallView> {
        Some(card(&self.word))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        Some(card(partial.text("word")?))
    }

    fn result_view(&self, result: &Durable<'_, Self::Meta>) -> Option<ResultView> {
        result.card()
    }

    // ANCHOR: migrate
    fn migrate(older: Older<'_>) -> Option<Self::Meta> {
        match older.version() {
            // In the first version it was a list of all.
            1 => {
                let titles: Vec<String> = older.read()?;
                let total = u64::try_from(titles.len()).ok()?;
                Some(SearchPaths::new(titles, total).ok())
            }
            _ => None,
        }
    }
    // ANCHOR_END: migrate
}

fn card(word: &str) -> CallView {
    GenericCall::new(format!("Find books about {word}")).with_kind(ToolKind::Search).into()
}
// ANCHOR_END: present

fn dispatcher() -> Dispatcher {
    Dispatcher::new(toolset! { () => [FindBooks] }.unwrap())
}

const ARGUMENTS: &str = r#"{"word": "sea"}"#;

#[tokio::test]
async fn cards_are_drawn_live_and_from_a_log() {
    let dispatcher = dispatcher();
    // ANCHOR: live
    let cards = dispatcher.cards();
    let call = cards.call("find_books", ARGUMENTS);
    let result = dispatcher.call(ToolCall::new("call-1", "find_books", ARGUMENTS)).await;
    let view = cards.live(ARGUMENTS, &result);
    // ANCHOR_END: live
    let wire = format!("call    {}\nresult  {}", super::pretty(&call), super::pretty(&view));
    super::assert_shown("cards.txt", &wire);

    let content = serde_json::to_string(result.content()).unwrap();
    let meta = serde_json::to_string(&result.meta()).unwrap();
    let version = result.meta_version();
    // ANCHOR: replay
    let content: Content = serde_json::from_str(&content).unwrap();
    let meta: JsonValue = serde_json::from_str(&meta).unwrap();
    let kept = DurableResult::success(&content).with_meta(&meta, version);
    assert_eq!(cards.result("find_books", ARGUMENTS, &kept), view);
    // ANCHOR_END: replay

    let older = serde_json::json!(["The Sea"]);
    let kept = DurableResult::success(&content).with_meta(&older, 1);
    let expected = SearchPaths::new(["The Sea"], 1).unwrap();
    assert_eq!(cards.result("find_books", ARGUMENTS, &kept), expected.into());

    // ANCHOR: terminal
    let terminal = Terminal::plain(60).with_colours(wants_colours(&std::io::stdout()));
    let drawn = terminal.result(&call, &view, &result.durable());
    // ANCHOR_END: terminal
    drop(drawn);
    let terminal = Terminal::plain(60);
    let shown = terminal.call(&call) + &terminal.result(&call, &view, &result.durable());
    super::assert_shown("cards-of-a-search.txt", &shown);
}

#[test]
fn titles_stream_in() {
    let cards = dispatcher().cards();
    let mut shown = String::new();
    for text in [r#"{"wo"#, r#"{"word": "se"#, r#"{"word": "sea""#, ARGUMENTS] {
        writeln!(shown, "{text:16}  {}", cards.pending("find_books", text).title()).unwrap();
    }
    super::assert_shown("cards-that-stream-in.txt", &shown);
}
