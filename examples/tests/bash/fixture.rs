//! A temporary workspace in which commands run, and a look at the processes that they start.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use examples::tools::{Bash, Ran};
use examples::workspace::Workspace;
use tempfile::TempDir;
use tool_runtime::serde_json::{Value, json};
use tool_runtime::{CallOptions, Dispatcher, Registry, ToolCall, ToolResult};

pub(crate) struct Fixture {
    dir: TempDir,
    pub(crate) dispatcher: Dispatcher,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let dir = TempDir::new().expect("a temporary directory");
        let workspace = Workspace::open(dir.path()).expect("a workspace");
        let mut registry = Registry::new();
        registry.with(workspace).tool::<Bash>().expect("a tool that keeps its contract");
        Self { dir, dispatcher: Dispatcher::new(registry) }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().expect("a directory").join(name)
    }

    pub(crate) async fn call(&self, arguments: Value) -> ToolResult {
        self.call_with(arguments, CallOptions::default()).await
    }

    pub(crate) async fn call_with(&self, arguments: Value, options: CallOptions) -> ToolResult {
        self.dispatcher.call_with(ToolCall::new("call-1", "bash", arguments.to_string()), options).await
    }

    pub(crate) async fn run(&self, command: &str) -> ToolResult {
        self.call(json!({"command": command})).await
    }

    /// What the model reads.
    pub(crate) async fn shown(&self, command: &str) -> String {
        self.run(command).await.content().to_text()
    }

    /// The processes whose numbers a command writes into `pids`, once there are so many.
    pub(crate) async fn pids(&self, count: usize) -> Vec<u32> {
        let path = self.path("pids");
        let found = || {
            let text = fs::read_to_string(&path).unwrap_or_default();
            // The last line may be half written.
            let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let pids: Vec<u32> = whole.lines().map(|pid| pid.trim().parse().expect("a number")).collect();
            (pids.len() >= count).then_some(pids)
        };
        until(found, "the command writes its processes").await
    }
}

/// The value of a success.
pub(crate) fn ran(result: &ToolResult) -> &Ran {
    let success = result.success().unwrap_or_else(|| panic!("{}", result.content().to_text()));
    success.value_as::<Ran>().expect("a value of the tool's type")
}

/// What there is to find, as soon as it is there.
async fn until<T>(mut find: impl FnMut() -> Option<T>, what: &str) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{what}, and did not in 20 seconds");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Whether a process runs. One that has ended and that nobody has asked about yet does not.
fn is_running(pid: u32) -> bool {
    let listed = std::process::Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().expect("ps");
    let state = String::from_utf8_lossy(&listed.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// Waits until all of them have ended: a signal is sent at once, and its effect comes a little later.
pub(crate) async fn assert_gone(pids: &[u32]) {
    assert!(!pids.is_empty());
    for pid in pids {
        until(|| (!is_running(*pid)).then_some(()), "a process ends with its group").await;
    }
}
