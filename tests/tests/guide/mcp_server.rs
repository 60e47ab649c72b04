//! A server of the Model Context Protocol.

use tokio::io::AsyncReadExt as _;
use tool_runtime::mcp::{
    HttpOptions, InvalidHttpOptions, ServeError, ServerOptions, Tokens, serve, serve_http, serve_stdio_with,
};
use tool_runtime::prelude::*;
use tool_runtime::serde_json::{self, Value, json};

/// Split a bill evenly.
#[derive(Tool)]
#[tool(output = Shares, read_only)]
struct SplitBill {
    /// The whole amount, in cents.
    cents: u64,
    /// How many people pay.
    #[schemars(range(min = 1))]
    people: u64,
}

#[tool_output]
struct Shares {
    each: u64,
    left: u64,
}

impl Execute for SplitBill {
    async fn execute(&self, _: &Context) -> Result<Shares, ToolError> {
        Ok(Shares { each: self.cents / self.people, left: self.cents % self.people })
    }
}

impl Render for SplitBill {
    fn render(&self, shares: &Shares) -> Content {
        Content::text(format!("{} people pay {} cents each; {} left over.", self.people, shares.each, shares.left))
    }
}

// ANCHOR: stdio
async fn serve_bills() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::new();
    registry.tool::<SplitBill>()?;
    let options = ServerOptions::new("bills", "1.0.0").instructions("Amounts are in cents.");
    serve_stdio_with(Dispatcher::new(registry), options).await?;
    Ok(())
}
// ANCHOR_END: stdio

// ANCHOR: http
async fn serve_to_others(dispatcher: Dispatcher, token: &str) -> Result<(), Box<dyn std::error::Error>> {
    let options = HttpOptions::new(ServerOptions::new("bills", "1.0.0"))
        .allow_host("tools.example.com")
        .authorizer(Tokens::new([token])?);
    let server = serve_http(dispatcher, "0.0.0.0:0".parse()?, options).await?;
    eprintln!("http://{}/mcp", server.local_addr());
    // Until the process is told to stop, and then:
    server.shutdown().await?;
    Ok(())
}
// ANCHOR_END: http

fn dispatcher() -> Dispatcher {
    Dispatcher::new(toolset! { () => [SplitBill] }.unwrap())
}

#[tokio::test]
async fn a_call_and_its_answer() {
    let call = json!({"cents": 10000, "people": 3});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}
    });
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "split_bill", "arguments": call, "_meta": meta}
    });
    let (mut output, to) = tokio::io::duplex(1 << 16);
    let input = std::io::Cursor::new(format!("{call}\n"));
    serve(dispatcher(), input, to, ServerOptions::new("bills", "1.0.0")).await.unwrap();
    let mut answer = String::new();
    output.read_to_string(&mut answer).await.unwrap();
    let answer: Value = serde_json::from_str(&answer).unwrap();
    super::assert_shown("mcp_answer.json", &super::pretty(&answer["result"]));
}

#[tokio::test]
async fn others_are_let_in_with_a_token() {
    serve_to_others(dispatcher(), "secret").await.unwrap();
    assert!(serve_to_others(dispatcher(), "").await.is_err());
    let unguarded = serve_http(dispatcher(), "0.0.0.0:0".parse().unwrap(), HttpOptions::default()).await;
    assert!(matches!(unguarded, Err(ServeError::Options(InvalidHttpOptions::Unguarded))));
    // It would take the test's own streams.
    let _ = serve_bills;
}

#[test]
fn the_settings_start_what_the_example_takes() {
    let settings: Value = serde_json::from_str(include_str!("expected/mcp_settings.json")).unwrap();
    let server = &settings["mcpServers"]["files"];
    let arguments: Vec<_> =
        server["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap()).collect();
    let (cargo, ours) = arguments.split_at(arguments.iter().position(|argument| *argument == "--").unwrap());
    assert_eq!((server["command"].as_str(), cargo[0]), (Some("cargo"), "run"));
    assert_eq!(ours, ["--", "serve", "/path/to/a/project"]);
}
