//! A temporary workspace, and the file tools registered on it.

use examples::tools::file_tools;
use examples::workspace::Workspace;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use tool_runtime::serde_json::Value;
use tool_runtime::{Dispatcher, ToolCall, ToolResult};

pub(crate) struct Fixture {
    dir: TempDir,
    pub(crate) dispatcher: Dispatcher,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let dir = TempDir::new().expect("a temporary directory");
        fs::create_dir(dir.path().join("workspace")).expect("a directory");
        let workspace = Workspace::open(dir.path().join("workspace")).expect("a workspace");
        let registry = file_tools(workspace).expect("tools that keep their contract");
        Self { dir, dispatcher: Dispatcher::new(registry) }
    }

    /// With these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let fixture = Self::new();
        for (path, text) in files {
            fixture.put(path, text);
        }
        fixture
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join("workspace").join(path)
    }

    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("a text file")
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> ToolResult {
        self.dispatcher.call(ToolCall::new("call-1", tool, arguments.to_string())).await
    }

    /// What the model reads.
    pub(crate) async fn shown(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments).await.content().to_text()
    }

    pub(crate) async fn value(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        result.success().unwrap_or_else(|| panic!("{}", result.content().to_text())).canonical().to_json()
    }

    pub(crate) async fn meta(&self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).await.meta().expect("a presentation").clone()
    }

    /// The code of the failure, or `ok`.
    pub(crate) async fn code(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        result.failure().map_or_else(|| "ok".to_owned(), |failure| failure.code().to_string())
    }
}
