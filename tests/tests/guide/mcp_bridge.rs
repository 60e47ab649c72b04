//! Tools of another server.

use std::fmt::Write as _;
use std::time::Duration;

use tests::assert_shown;
use tool_runtime::mcp::{Bridge, BridgeError, Connection, ServerCommand, ServerUrl};
use tool_runtime::prelude::*;
use tool_runtime::serde_json::json;

// ANCHOR: command
fn documents() -> ServerCommand {
    ServerCommand::new("npx")
        .args(["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"])
        .inherit("HTTPS_PROXY")
}
// ANCHOR_END: command

// ANCHOR: connect
async fn connect(dispatcher: &Dispatcher, server: ServerCommand) -> Result<Connection, BridgeError> {
    Bridge::stdio("docs", server).timeout(Duration::from_secs(30)).connect(dispatcher).await
}
// ANCHOR_END: connect

// ANCHOR: http
async fn search(dispatcher: &Dispatcher, token: &str) -> Result<Connection, BridgeError> {
    let url = ServerUrl::new("https://search.example.com/mcp").bearer(token);
    Bridge::http("search", url).connect(dispatcher).await
}
// ANCHOR_END: http

// ANCHOR: report
fn told(connection: &Connection) -> String {
    let mut text = String::new();
    let report = connection.report();
    let _ = writeln!(text, "{} speaks {}", report.server, report.revision);
    for tool in &report.tools {
        let checked = tool.unchecked.as_deref().map_or(String::new(), |reason| format!(", not checked: {reason}"));
        let _ = writeln!(text, "{} is {}{checked}", tool.name, tool.raw);
    }
    for tool in &report.left_out {
        let _ = writeln!(text, "{} is left out: {}", tool.raw, tool.reason);
    }
    text
}
// ANCHOR_END: report

#[tokio::test]
async fn a_server_s_tools_are_tools_of_the_dispatcher() {
    let any = json!({"type": "object"});
    let path = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let script = json!({
        "lists": [[{"tools": [
            {"name": "read", "description": "Read a document.", "inputSchema": path},
            {"name": "math.add", "description": "Add.", "inputSchema": any, "outputSchema": {"type": "array"}},
            {"name": "broken", "description": "Broken.", "inputSchema": {"type": "any"}}
        ]}]],
        "calls": {"read": {"result": {"content": [
            {"type": "text", "text": "Hello."}, {"type": "resource_link", "name": "more", "uri": "file:///srv/docs/more.md"}
        ]}}}
    });
    let server = ServerCommand::new(env!("CARGO_BIN_EXE_scripted_mcp_server")).arg(script.to_string());
    let dispatcher = Dispatcher::new(Registry::new());
    let connection = connect(&dispatcher, server).await.unwrap();
    assert_shown("bridge.txt", &told(&connection));
    let good = dispatcher.call(ToolCall::new("call-1", "mcp__docs__read", r#"{"path": "a.md"}"#)).await;
    let bad = dispatcher.call(ToolCall::new("call-2", "mcp__docs__read", r#"{"file": "a.md"}"#)).await;
    assert_shown("bridge_call.txt", &format!("{}\n{}", super::sides(&good), super::sides(&bad)));
    connection.close().await;
    assert!(dispatcher.registry().is_empty());
    assert!(format!("{:?}", documents()).contains("npx"));
    // Not connected here; that it compiles is what the guide needs.
    drop(search(&dispatcher, "token"));
}
