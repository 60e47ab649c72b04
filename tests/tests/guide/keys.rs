//! Every key of `#[tool(..)]` that publishes something, in one tool.

use tool_runtime::prelude::*;

// ANCHOR: keys
/// Remove a file.
///
/// Removed files go to the bin, where they stay for a week.
#[derive(Tool)]
#[tool(
    name = "remove",
    title = "Remove a file",
    output = bool,
    render = display,
    read_only = false,
    destructive,
    idempotent,
    open_world = false,
    timeout = "2s"
)]
struct RemoveFile {
    /// Path of the file, from the root of the workspace.
    path: String,
}
// ANCHOR_END: keys

impl Execute for RemoveFile {
    async fn execute(&self, _: &Context) -> Result<bool, ToolError> {
        Ok(!self.path.is_empty())
    }
}

#[test]
fn the_published_tool_is_what_the_guide_shows() {
    let registry = toolset! { () => [RemoveFile] }.unwrap();
    let spec = registry.spec("remove").unwrap();
    super::assert_shown("spec.json", &super::pretty(spec));
    assert_eq!(spec.behaviour.is_destructive(), Some(true));
    assert_eq!(spec.behaviour.is_open_world(), Some(false));
}
