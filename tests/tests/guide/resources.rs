//! Calls that overlap where they touch different things.

use std::time::Duration;

use tool_runtime::prelude::*;

// ANCHOR: tools
/// Add a line to a file.
#[derive(Tool)]
#[tool(output = String, render = display, resources)]
struct Append {
    /// The file, from the root of the workspace.
    path: String,
    /// The line.
    line: String,
}

impl Resources for Append {
    fn resources(&self) -> Vec<Access> {
        vec![Access::write(format!("files/{}", self.path))]
    }
}

/// Look for a word in all files of a directory.
#[derive(Tool)]
#[tool(output = String, render = display, read_only, resources)]
struct Search {
    /// The word.
    word: String,
    /// The directory, from the root of the workspace.
    path: String,
}

impl Resources for Search {
    fn resources(&self) -> Vec<Access> {
        vec![Access::read(format!("files/{}", self.path))]
    }
}
// ANCHOR_END: tools

impl Execute for Append {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Ok(format!("{:?} stands in {}", self.line, self.path))
    }
}

impl Execute for Search {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Ok(format!("{:?} was found in {}", self.word, self.path))
    }
}

#[tokio::test(start_paused = true)]
async fn calls_wait_for_those_they_conflict_with() {
    let dispatcher = Dispatcher::new(toolset! { () => [Append, Search] }.unwrap());
    let calls = vec![
        ToolCall::new("call-1", "append", r#"{"path": "notes/a.txt", "line": "milk"}"#),
        ToolCall::new("call-2", "append", r#"{"path": "notes/b.txt", "line": "eggs"}"#),
        ToolCall::new("call-3", "search", r#"{"path": "letters", "word": "dear"}"#),
        ToolCall::new("call-4", "search", r#"{"path": "notes", "word": "milk"}"#),
        ToolCall::new("call-5", "append", r#"{"path": "letters/c.txt", "line": "Yours"}"#),
    ];
    super::assert_shown("resources.txt", &super::batches::turn(&dispatcher, calls).await);
}
