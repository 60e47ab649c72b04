//! Servers as processes: what they inherit, what they say, and that none outlives its connection.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::mcp::{Bridge, BridgeError, ServerCommand};

use super::scene::{PATIENCE, Scene, bridge, dispatcher, script, server};

/// Whether a process is there, and no corpse.
fn runs(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|state| !state.is_empty() && !state.starts_with(['Z', 'X']))
}

async fn ends(id: &str) {
    let gone = async {
        while runs(id) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.unwrap_or_else(|_| panic!("the process {id} outlives its connection"));
}

/// A server that starts another process and outlives its input, and where it writes the process's id.
fn stubborn(directory: &Path) -> (Value, std::path::PathBuf) {
    let child = directory.join("child");
    let mut script = script(&json!({"a": {}}));
    script["child"] = child.to_str().unwrap().into();
    script["stubborn"] = 1.into();
    (script, child)
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_closed_connection_ends_the_server_and_what_it_has_started() {
    let directory = tempfile::tempdir().unwrap();
    let (script, child) = stubborn(directory.path());
    let scene = Scene::of(&script).await;
    let id = fs::read_to_string(child).unwrap();
    assert!(runs(&id));
    scene.connection.close().await;
    assert!(scene.dispatcher.registry().is_empty());
    ends(&id).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_dropped_connection_ends_them_too() {
    let directory = tempfile::tempdir().unwrap();
    let (script, child) = stubborn(directory.path());
    let scene = Scene::of(&script).await;
    let id = fs::read_to_string(child).unwrap();
    drop(scene.connection);
    ends(&id).await;
    assert!(scene.dispatcher.registry().is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_runtime_that_ends_ends_them_too() {
    let directory = tempfile::tempdir().unwrap();
    let (script, child) = stubborn(directory.path());
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let first = runtime();
    let scene = first.block_on(Scene::of(&script));
    let id = fs::read_to_string(child).unwrap();
    drop(first);
    runtime().block_on(ends(&id));
    drop(scene);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_that_does_not_speak_the_protocol_is_ended() {
    let directory = tempfile::tempdir().unwrap();
    let id = directory.path().join("id");
    let silent = ServerCommand::new("sh").args(["-c", r#"echo $$ > "$0"; echo loading >&2; exec sleep 600"#]).arg(&id);
    let dispatcher = dispatcher();
    let error =
        Bridge::stdio("srv", silent).connect_timeout(Duration::from_secs(1)).connect(&dispatcher).await.unwrap_err();
    let told = error.to_string();
    assert!(told.contains("no answer within 1 s; its error output ends with: loading"), "{told}");
    ends(fs::read_to_string(id).unwrap().trim()).await;
}

#[tokio::test]
async fn a_server_that_is_none_is_told_with_what_it_wrote_last() {
    let dispatcher = dispatcher();
    let refused = async |command: ServerCommand| {
        Bridge::stdio("srv", command).connect(&dispatcher).await.map(|_| ()).unwrap_err().to_string()
    };
    let told = refused(ServerCommand::new("/no/such/program")).await;
    assert!(told.starts_with("the MCP server \"srv\" can't be connected: it can't be started"), "{told}");
    let mut script = json!({"lists": [[]], "starts": "/no/such/file"});
    script["errors"] = format!("{}\nError: no\u{1b}[31m config", "x".repeat(100_000)).into();
    let told = refused(server(&script)).await;
    assert!(told.ends_with("| Error: no\u{fffd}[31m config") && told.len() < 4_000, "{told}");
}

async fn refused_of(bridge: Bridge) -> String {
    bridge.connect(&dispatcher()).await.map(|_| ()).unwrap_err().to_string()
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_that_ends_before_it_answers_is_told_with_its_exit_status() {
    for (script, told) in [
        ("exit 0", "the program ended (exit status 0) before it answered"),
        ("exit 1", "the program ended (exit status 1) before it answered"),
        (
            "echo hello",
            "the program ended (exit status 0) before it answered; what it wrote is not the protocol: hello",
        ),
        (
            "echo loading >&2; echo no config >&2; exit 3",
            "the program ended (exit status 3) before it answered; its error output ends with: loading | no config",
        ),
        ("read line; exit 4", "the program ended (exit status 4) before it answered"),
        ("kill -9 $$", "the program ended (signal: 9 (SIGKILL)) before it answered"),
        ("exec >&-; exec sleep 600", "the program closed its output before it answered"),
    ] {
        let error = refused_of(Bridge::stdio("srv", ServerCommand::new("sh").args(["-c", script]))).await;
        assert_eq!(error, format!("the MCP server \"srv\" can't be connected: {told}"), "{script}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_that_gives_back_what_it_gets_is_no_server_and_told_at_once() {
    let began = std::time::Instant::now();
    let error = refused_of(Bridge::stdio("srv", "cat").connect_timeout(PATIENCE * 10)).await;
    let told = "the MCP server \"srv\" can't be connected: it answers, but not in the protocol: {\"";
    assert!(error.starts_with(told) && error.contains("server/discover") && error.len() < 400, "{error}");
    assert!(began.elapsed() < PATIENCE, "it does not wait until the time is up");
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_that_answers_in_another_language_is_told_with_its_first_line() {
    let other = ServerCommand::new("sh").args(["-c", "echo '{oops'; echo more; exec sleep 600"]);
    let error = refused_of(Bridge::stdio("srv", other).connect_timeout(Duration::from_millis(500))).await;
    let told = "it answers, but not in the protocol: {oops (and nothing in the protocol within 0.5 s)";
    assert!(error.ends_with(told), "{error}");
}

#[tokio::test]
async fn a_server_inherits_what_programs_need_and_what_it_is_given() {
    let script = json!({"environment": 1, "starts": "/no/such/file"});
    let command = server(&script).env("GIVEN", "1").env("HOME", "/given").inherit("CARGO_PKG_NAME");
    let told = Bridge::stdio("srv", command).connect(&dispatcher()).await.unwrap_err().to_string();
    let names: Vec<_> = told.rsplit("inherited: ").next().unwrap().split_whitespace().collect();
    for name in ["PATH", "HOME", "GIVEN", "CARGO_PKG_NAME"] {
        assert!(names.contains(&name), "{name}: {told}");
    }
    assert!(!names.iter().any(|name| name.starts_with("CARGO_MANIFEST")), "cargo sets it for this test: {told}");
}

#[tokio::test]
async fn what_can_t_be_is_refused_before_anything_is_started() {
    let script = script(&json!({"a": {}}));
    let refused = async |bridge: Bridge| bridge.connect(&dispatcher()).await.map(|_| ()).unwrap_err();
    for name in ["", "a b", "a.b", &"n".repeat(33)] {
        assert!(matches!(refused(Bridge::stdio(name, server(&script))).await, BridgeError::Invalid(_)), "{name}");
    }
    assert!(matches!(refused(bridge(&script).timeout(Duration::ZERO)).await, BridgeError::Invalid(_)));
    assert!(matches!(refused(bridge(&script).connect_timeout(Duration::ZERO)).await, BridgeError::Invalid(_)));
    assert!(matches!(refused(Bridge::http("srv", "example.com")).await, BridgeError::Invalid(_)));
}

#[test]
fn what_is_shown_of_a_bridge_holds_no_secret() {
    let command = ServerCommand::new("server").env("TOKEN", "s3cret");
    assert!(!format!("{:?}", Bridge::stdio("srv", command)).contains("s3cret"));
    let url =
        tool_runtime::mcp::ServerUrl::new("https://example.com/mcp?key=s3cret").bearer("s3cret").header("X", "s3cret");
    assert!(!format!("{:?}", Bridge::http("srv", url)).contains("s3cret"));
}
