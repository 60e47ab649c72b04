//! The messages around a call: what each provider's response asks for, and what answers it.
//!
//! `responses/` holds responses as the providers document them, and `expected/` the messages that are made of results, a
//! file a dialect. `BLESS=1 cargo test -p tests --test provider_messages` writes those anew; then read every one of them.

mod asked;
mod back;
mod hostile;
mod sent;

use serde_json::Value;
use tool_runtime::dialect::{Dialect, GeminiForm, McpRevision, Mode};
use tool_runtime::prelude::*;
use tool_runtime::{Annotations, Block, Code};

const OPENAI: Dialect = Dialect::OpenAiChat(Mode::Strict);
const RESPONSES: Dialect = Dialect::OpenAiResponses(Mode::Strict);
const ANTHROPIC: Dialect = Dialect::Anthropic(Mode::Strict);
const GEMINI: Dialect = Dialect::Gemini(GeminiForm::OpenApi);
const DEEPSEEK: Dialect = Dialect::DeepSeek(Mode::Lenient);
const MCP: Dialect = Dialect::Mcp(McpRevision::V2025_11_25);
const MCP_LISTS: Dialect = Dialect::Mcp(McpRevision::V2025_03_26);

/// Every response, and whose it is.
const CAPTURED: [(&str, Dialect); 12] = [
    ("openai_chat", OPENAI),
    ("openai_responses", RESPONSES),
    ("anthropic", ANTHROPIC),
    ("gemini", GEMINI),
    ("gemini_without_ids", GEMINI),
    ("deepseek", DEEPSEEK),
    ("xai", Dialect::Xai),
    ("mistral", Dialect::Mistral),
    ("ollama", Dialect::Ollama),
    ("ollama_without_ids", Dialect::Ollama),
    ("mcp", MCP),
    ("mcp_list", MCP_LISTS),
];

fn captured(name: &str) -> Value {
    let path = format!("{}/tests/provider_messages/responses/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Show something.
#[derive(Tool)]
#[tool(output = Shown, read_only, parallel)]
struct Show {
    /// What.
    what: String,
    /// A number.
    n: Option<f64>,
}

#[tool_output]
struct Shown {
    what: String,
    exact: u64,
    tenth: f64,
}

impl Execute for Show {
    async fn execute(&self, _: &Context) -> Result<Shown, ToolError> {
        let error = || ToolError::new(const { Code::new("NOT_FOUND") }, "nothing is there");
        match &*self.what {
            "fails" => Err(error()),
            "ends" => Err(error().fatal()),
            _ => Ok(Shown { what: self.what.clone(), exact: u64::MAX, tenth: self.n.unwrap_or(0.1) }),
        }
    }
}

impl Render for Show {
    fn render(&self, shown: &Shown) -> Content {
        let blob = |uri: &str, mime: &str| {
            let resource = serde_json::json!({"type": "resource",
                "resource": {"uri": uri, "mimeType": mime, "blob": "JVBERg=="}});
            serde_json::from_value::<Block>(resource).unwrap()
        };
        match &*shown.what {
            "empty" => Content::empty(),
            "blank" => Content::text(" \n").with(Block::text("")),
            "notice" => Content::empty().with_notice("nothing matched"),
            "image" => Content::text("A chart:").with(Block::image("png", "image/png")).with_notice("1 of 2"),
            "image alone" => Content::empty().with(Block::image("png", "image/jpeg")),
            "drawing" => Content::empty().with(Block::image("<svg/>", "image/svg+xml")),
            "audio" => Content::text("A sound:").with(Block::audio("wave", "audio/wav")),
            "resources" => Content::empty()
                .with(Block::text_resource("file:///a.txt", "the text of a"))
                .with(Block::resource_link("file:///b.txt", "b"))
                .with(blob("file:///c.pdf", "application/pdf"))
                .with(blob("file:///d.zip", "application/zip")),
            "dated" => {
                let last_modified = Some("2026-01-02T03:04:05Z".to_owned());
                let hints = Annotations { last_modified, priority: Some(1.0), ..Annotations::default() };
                Content::from(Block::text("old").annotated(hints))
            }
            what => Content::text(format!("shown: {what}")),
        }
    }
}

/// List numbers.
#[derive(Tool)]
#[tool(output = Vec<u64>, read_only, parallel)]
struct List {}

impl Execute for List {
    async fn execute(&self, _: &Context) -> Result<Vec<u64>, ToolError> {
        Ok(vec![1, 2])
    }
}

impl Render for List {
    fn render(&self, numbers: &Vec<u64>) -> Content {
        Content::text(format!("{} numbers", numbers.len()))
    }
}

fn dispatcher() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<Show>().unwrap().tool::<List>().unwrap();
    Dispatcher::new(registry)
}

/// A call of `show`.
fn show(id: &str, what: &str) -> ToolCall<'static> {
    ToolCall::new(id.to_owned(), "show", serde_json::json!({"what": what}).to_string())
}

/// The calls of a response, answered.
async fn answered(dialect: Dialect, response: &Value) -> Vec<Value> {
    let calls = dialect.calls(response).unwrap();
    let results = dispatcher().run(calls.clone()).await;
    dialect.results(&calls, &results).unwrap()
}
