//! A scripted server, bridged.

use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::mcp::{Bridge, BridgeReport, Connection, Reconnect, ServerCommand};
use tool_runtime::prelude::*;

/// How long anything is waited for that is bound to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A dispatcher with the tools of a scripted server, which is called `srv`.
pub(crate) struct Scene {
    pub(crate) dispatcher: Dispatcher,
    pub(crate) connection: Connection,
}

/// The program that does what a script says.
pub(crate) fn server(script: &Value) -> ServerCommand {
    ServerCommand::new(env!("CARGO_BIN_EXE_scripted_mcp_server")).arg(script.to_string())
}

/// The bridge to it, which does not wait long.
pub(crate) fn bridge(script: &Value) -> Bridge {
    let reconnect =
        Reconnect { first: Duration::from_millis(20), longest: Duration::from_millis(100), ..Reconnect::default() };
    Bridge::stdio("srv", server(script)).reconnect(reconnect)
}

pub(crate) fn dispatcher() -> Dispatcher {
    Dispatcher::new(Registry::new())
}

/// A tool as a server lists it, which takes anything.
pub(crate) fn tool(name: &str) -> Value {
    json!({"name": name, "description": format!("The tool {name}."), "inputSchema": {"type": "object"}})
}

/// A script with one page of tools, one for each plan.
pub(crate) fn script(calls: &Value) -> Value {
    let tools: Vec<_> = calls.as_object().expect("plans by tool").keys().map(|name| tool(name)).collect();
    json!({"lists": [[{"tools": tools}]], "calls": calls})
}

impl Scene {
    pub(crate) async fn of(script: &Value) -> Self {
        Self::with(bridge(script)).await
    }

    pub(crate) async fn with(bridge: Bridge) -> Self {
        let dispatcher = dispatcher();
        let connection = bridge.connect(&dispatcher).await.unwrap_or_else(|error| panic!("{error}"));
        Self { dispatcher, connection }
    }

    /// Calls a tool by its raw name.
    pub(crate) async fn call(&self, raw: &str, arguments: Value) -> ToolResult {
        self.dispatcher.call(ToolCall::new("call-1", format!("mcp__srv__{raw}"), arguments.to_string())).await
    }

    /// What the model reads of a call without arguments.
    pub(crate) async fn told(&self, raw: &str) -> String {
        self.call(raw, json!({})).await.content().to_text()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.dispatcher.registry().names().map(str::to_owned).collect()
    }

    /// Waits for a report that is so.
    pub(crate) async fn until(&mut self, so: impl Fn(&BridgeReport) -> bool) -> BridgeReport {
        let wait = async {
            let mut report = self.connection.report();
            while !so(&report) {
                report = self.connection.changed().await.expect("the bridge goes on");
            }
            report
        };
        tokio::time::timeout(PATIENCE, wait).await.expect("it does not come to that")
    }
}
