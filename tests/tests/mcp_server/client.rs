//! A client that writes lines and reads lines.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tool_runtime::Dispatcher;
use tool_runtime::mcp::{ServeError, ServerOptions, serve};

/// The newest revision that begins with a handshake, and the one that has none.
pub(crate) const OLD: &str = "2025-11-25";
pub(crate) const NEW: &str = "2026-07-28";
pub(crate) const ALL: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", OLD, NEW];

/// For what ends at once unless something is wrong.
pub(crate) const SOON: Duration = Duration::from_secs(20);

pub(crate) struct Client {
    revision: &'static str,
    input: Option<WriteHalf<DuplexStream>>,
    output: BufReader<ReadHalf<DuplexStream>>,
    server: JoinHandle<Result<(), ServeError>>,
    next_id: i64,
}

impl Client {
    /// A client of a server with the options' defaults.
    pub(crate) async fn of(dispatcher: Dispatcher, revision: &'static str) -> Self {
        Self::with(dispatcher, revision, options()).await
    }

    pub(crate) async fn with(dispatcher: Dispatcher, revision: &'static str, options: ServerOptions) -> Self {
        let mut client = Self::silent(dispatcher, revision, options);
        if revision != NEW {
            let params = json!({
                "protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}
            });
            let answer = client.request("initialize", params).await;
            assert_eq!(answer["result"]["protocolVersion"], revision, "{answer}");
            client.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        }
        client
    }

    /// One that has said nothing yet.
    pub(crate) fn silent(dispatcher: Dispatcher, revision: &'static str, options: ServerOptions) -> Self {
        let (here, there) = duplex(1 << 16);
        let (there_in, there_out) = split(there);
        let server = tokio::spawn(serve(dispatcher, there_in, there_out, options));
        let (output, input) = split(here);
        Self { revision, input: Some(input), output: BufReader::new(output), server, next_id: 0 }
    }

    pub(crate) async fn line(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes()).await;
    }

    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().expect("the input is open").write_all(bytes).await.unwrap();
    }

    /// The next line that the server writes.
    pub(crate) async fn read_line(&mut self) -> String {
        let mut line = String::new();
        timeout(SOON, self.output.read_line(&mut line)).await.expect("the server says something").unwrap();
        line
    }

    pub(crate) async fn read(&mut self) -> Value {
        let line = self.read_line().await;
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// What a request is in the client's revision.
    pub(crate) fn message(&self, id: i64, method: &str, mut params: Value) -> Value {
        if self.revision == NEW {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = NEW.into();
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
    }

    /// Sends a request, and gives its id.
    pub(crate) async fn send(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let message = self.message(self.next_id, method, params).to_string();
        self.line(&message).await;
        self.next_id
    }

    /// The answer to a request, and nothing before it.
    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        let answer = self.read().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The result of a call.
    pub(crate) async fn call(&mut self, name: &str, arguments: Value) -> Value {
        let mut answer = self.request("tools/call", json!({"name": name, "arguments": arguments})).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    pub(crate) async fn tools(&mut self) -> Vec<Value> {
        let answer = self.request("tools/list", json!({})).await;
        answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
    }

    /// Ends the input, and gives what the server still writes.
    pub(crate) async fn close(mut self) -> (Vec<String>, Result<(), ServeError>) {
        let mut input = self.input.take().expect("the input is open");
        input.shutdown().await.unwrap();
        let mut lines = Vec::new();
        loop {
            let line = self.read_line().await;
            if line.is_empty() {
                break;
            }
            lines.push(line.trim_end().to_owned());
        }
        let outcome = timeout(SOON, self.server).await.expect("the server ends").expect("it does not panic");
        (lines, outcome)
    }
}

pub(crate) fn options() -> ServerOptions {
    ServerOptions::new("fixture", "1.2.3")
}
