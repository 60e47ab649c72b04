//! A server's calls and lists over streams in memory, against a server of the same tools that is written by hand on rmcp.
//!
//! `cargo bench -p tool-runtime --features mcp --bench mcp` prints times and their ratio. Both servers read the same bytes.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, serve_server};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tool_runtime::mcp::{ServerOptions, serve};
use tool_runtime::prelude::*;
use tool_runtime::{serde, serde_json};

const CALLS: u32 = 4_000;
const LISTS: u32 = 40;
const ROUNDS: usize = 7;
const TOOLS: usize = 1_000;

/// Read a window of a file.
#[derive(Tool)]
#[tool(output = View, read_only)]
struct Read {
    /// Path of the file.
    path: String,
    /// The number of lines.
    limit: u32,
}

#[tool_output]
struct View {
    path: String,
    lines: Vec<Line>,
}

#[tool_output]
struct Line {
    number: u32,
    text: String,
}

fn view(path: &str, limit: u32) -> View {
    let line = |number| Line { number, text: format!("line {number} of the file, with some words in it") };
    View { path: path.to_owned(), lines: (1..=limit).map(line).collect() }
}

fn shown(view: &View) -> String {
    view.lines.iter().fold(String::new(), |shown, line| shown + &line.number.to_string() + "\t" + &line.text + "\n")
}

impl Execute for Read {
    async fn execute(&self, _: &Context) -> Result<View, ToolError> {
        Ok(view(&self.path, self.limit))
    }
}

impl Render for Read {
    fn render(&self, view: &View) -> Content {
        Content::text(shown(view))
    }
}

/// The same by hand: a list that is made once, arguments by serde, a value as a tree.
struct Plain {
    tools: Arc<Vec<rmcp::model::Tool>>,
}

#[derive(serde::Deserialize)]
#[serde(crate = "tool_runtime::serde")]
struct PlainRead {
    path: String,
    limit: u32,
}

impl ServerHandler for Plain {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let read: PlainRead =
            serde_json::from_value(arguments).map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let view = view(&read.path, read.limit);
        let mut result = CallToolResult::success(vec![ContentBlock::text(shown(&view))]);
        result.structured_content = serde_json::to_value(&view).ok();
        Ok(CallToolResponse::Complete(result))
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    for number in 0..TOOLS {
        registry.tool_as::<Read>(Overrides::new().name(format!("read_{number:04}"))).expect("it is registered");
    }
    registry
}

struct Client {
    input: WriteHalf<DuplexStream>,
    output: BufReader<ReadHalf<DuplexStream>>,
    line: String,
}

impl Client {
    async fn new(stream: DuplexStream) -> Self {
        let (output, input) = split(stream);
        let mut client = Self { input, output: BufReader::with_capacity(1 << 16, output), line: String::new() };
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}});
        client.ask(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).to_string()).await;
        client
    }

    async fn ask(&mut self, line: &str) -> &str {
        self.line.clear();
        self.input.write_all(line.as_bytes()).await.expect("it is open");
        self.input.write_all(b"\n").await.expect("it is open");
        self.output.read_line(&mut self.line).await.expect("it answers");
        &self.line
    }

    async fn time(&mut self, times: u32, line: &str) -> Duration {
        let begun = Instant::now();
        for _ in 0..times {
            black_box(self.ask(line).await);
        }
        begun.elapsed() / times
    }
}

async fn compare(what: &str, times: u32, ours: &mut Client, plain: &mut Client, line: &str) {
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(ours.time(times, line).await);
        best[1] = best[1].min(plain.time(times, line).await);
    }
    let [ours, plain] = best;
    println!("{what:24} {ours:>12?} {plain:>12?}  {:.2}x", ours.as_secs_f64() / plain.as_secs_f64());
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (here, there) = duplex(1 << 20);
    let (input, output) = split(there);
    let options = ServerOptions::new("bench", "1");
    tokio::spawn(serve(Dispatcher::new(registry()), input, output, options));
    let mut ours = Client::new(here).await;

    let list = ours.ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await.to_owned();
    let mut list: Value = serde_json::from_str(&list).expect("it is JSON");
    let tools = serde_json::from_value(list["result"]["tools"].take()).expect("these are tools");
    let (here, there) = duplex(1 << 20);
    tokio::spawn(async move {
        let plain = serve_server(Plain { tools: Arc::new(tools) }, split(there)).await.expect("they agree");
        plain.waiting().await
    });
    let mut plain = Client::new(here).await;

    println!("{:24} {:>12} {:>12}", "", "ours", "by hand");
    for lines in [1, 20, 1_000] {
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "read_0500", "arguments": {"path": "src/main.rs", "limit": lines}}
        });
        let times = if lines > 100 { CALLS / 20 } else { CALLS };
        compare(&format!("call, {lines} lines"), times, &mut ours, &mut plain, &call.to_string()).await;
    }
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    compare(&format!("list of {TOOLS} tools"), LISTS, &mut ours, &mut plain, list).await;
}
