//! Servers of the official library, over both transports and in both eras.

use std::time::Duration;

use serde_json::json;
use tests::code;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tool_runtime::mcp::{Bridge, BridgeStatus, Era, ServerCommand};
use tool_runtime::prelude::*;
use tool_runtime::{Progress, progress_channel};

use super::scene::{Scene, dispatcher};

const SERVER: &str = env!("CARGO_BIN_EXE_official_mcp_server");

/// A server that listens, for as long as this is held.
struct Listening {
    url: String,
    _process: Child,
}

impl Listening {
    async fn new() -> Self {
        let mut process =
            Command::new(SERVER).arg("--http").stdout(std::process::Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = lines.next_line().await.unwrap().expect("it tells its address");
        Self { url, _process: process }
    }
}

async fn scene(bridge: Bridge) -> Scene {
    let dispatcher = dispatcher();
    let connection = bridge.connect(&dispatcher).await.unwrap_or_else(|error| panic!("{error}"));
    Scene { dispatcher, connection }
}

/// What holds whatever the transport and the era.
async fn holds(scene: &Scene, revision: &str) {
    let report = scene.connection.report();
    assert_eq!((report.revision.as_str(), report.status), (revision, BridgeStatus::Connected));
    assert_eq!(report.left_out, []);
    let raw: Vec<_> = report.tools.iter().map(|tool| tool.raw.as_str()).collect();
    assert_eq!(raw, ["add", "fail", "hang", "picture", "steps"]);
    let sum = scene.call("add", json!({"a": 2, "b": 3})).await;
    assert_eq!(
        sum.success().unwrap().value().as_str(),
        r#"{"content":[{"text":"5","type":"text"}],"structuredContent":{"sum":5}}"#
    );
    assert_eq!(code(&scene.call("add", json!({"a": 2})).await), "INVALID_ARGS");
    assert_eq!(scene.told("fail").await, "Error [EXECUTION_ERROR]: on purpose");
    assert_eq!(scene.told("picture").await, "[image content]");
    let (sender, mut receiver) = progress_channel(16);
    let options = CallOptions { progress: Some(sender), ..CallOptions::default() };
    let result = scene.dispatcher.call_with(ToolCall::new("c", "mcp__srv__steps", ""), options).await;
    assert_eq!(result.content().to_text(), "done");
    assert_eq!(receiver.next().await.map(|update| update.progress), Some(Progress::of(1, 2).with_message("half")));
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let hang = scene.dispatcher.call_with(ToolCall::new("c", "mcp__srv__hang", ""), options);
    let cancel = async {
        scene.told("fail").await;
        cancellation.cancel();
    };
    assert_eq!(code(&tokio::join!(hang, cancel).0), "ABORTED");
    assert_eq!(scene.told("fail").await, "Error [EXECUTION_ERROR]: on purpose");
}

#[tokio::test]
async fn over_standard_streams_in_either_era() {
    for (era, revision) in [(Era::Any, "2026-07-28"), (Era::Discover, "2026-07-28"), (Era::Initialize, "2025-11-25")] {
        let scene = scene(Bridge::stdio("srv", ServerCommand::new(SERVER)).era(era)).await;
        holds(&scene, revision).await;
        scene.connection.close().await;
    }
}

#[tokio::test]
async fn over_http_in_either_era() {
    let server = Listening::new().await;
    for (era, revision) in [(Era::Any, "2026-07-28"), (Era::Initialize, "2025-11-25")] {
        let bridge = Bridge::http("srv", server.url.as_str()).era(era).timeout(Duration::from_secs(30));
        let scene = scene(bridge).await;
        holds(&scene, revision).await;
        scene.connection.close().await;
    }
}
