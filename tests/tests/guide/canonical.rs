//! The canonical input: what a call is about, under keys that hang on no toolset.

use tool_runtime::prelude::*;
use tool_runtime::serde_json::json;

// ANCHOR: save_note
/// Save a note.
#[derive(Tool)]
#[tool(output = bool, render = json, canonical)]
struct SaveNote {
    /// Where.
    #[tool(canonical = "path")]
    file: String,
    /// From which line on.
    #[tool(canonical)]
    offset: Option<u32>,
    /// The text.
    #[tool(canonical = skip)]
    text: String,
}
// ANCHOR_END: save_note

impl Execute for SaveNote {
    async fn execute(&self, _: &Context) -> Result<bool, ToolError> {
        Ok(!self.text.is_empty() && self.offset != Some(0) && !self.file.is_empty())
    }
}

#[tokio::test]
async fn it_says_what_a_call_is_about() {
    let mut registry = Registry::new();
    registry.tool::<SaveNote>().expect("the tool is sound");
    // ANCHOR: merge
    let sent = r#"{"file": "a.md", "text": "a long text"}"#;
    let mut meta = json!({"progressToken": 7});
    if let Some(input) = registry.canonical_input("save_note", sent) {
        input.merge_into(&mut meta, "example.com/tool");
    }
    // ANCHOR_END: merge
    super::assert_shown("canonical_input.json", &super::pretty(&meta));
}
