//! One tool with every projection, and what registration refuses.

use tool_runtime::prelude::*;

// ANCHOR: tool
/// Show a note.
#[derive(Tool)]
#[tool(output = Note, present, read_only)]
pub(crate) struct ShowNote {
    /// The note's title.
    title: String,
}

#[tool_output]
pub(crate) struct Note {
    pub(crate) title: String,
    pub(crate) lines: Vec<String>,
}

/// What a card is drawn from.
#[tool_output]
#[serde(rename_all = "camelCase")]
pub(crate) struct NoteMeta {
    title: String,
    line_count: usize,
}
// ANCHOR_END: tool

// ANCHOR: parts
impl Execute for ShowNote {
    async fn execute(&self, _: &Context) -> Result<Note, ToolError> {
        Ok(Note { title: self.title.clone(), lines: vec!["milk".into(), "the key is sk-123".into()] })
    }
}

impl Render for ShowNote {
    fn render(&self, note: &Note) -> Content {
        Content::text(format!("# {}\n- {}", note.title, note.lines.join("\n- ")))
    }
}

impl Present for ShowNote {
    type Meta = NoteMeta;

    fn meta(&self, note: &Note) -> NoteMeta {
        NoteMeta { title: note.title.clone(), line_count: note.lines.len() }
    }
}
// ANCHOR_END: parts

pub(crate) fn dispatcher() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<ShowNote>().unwrap();
    Dispatcher::new(registry)
}

pub(crate) async fn show(dispatcher: &Dispatcher) -> ToolResult {
    dispatcher.call(ToolCall::new("call-1", "show_note", r#"{"title": "Shopping"}"#)).await
}

#[tokio::test]
async fn each_reader_gets_its_projection() {
    super::assert_shown("projections.txt", &super::sides(&show(&dispatcher()).await));
}

// ANCHOR: refused
fn refused() -> RegistrationError {
    use tool_runtime::serde_json::json;

    let tool = DynamicTool::new("read file", " ", |_, _| async { Ok(json!(null)) })
        .input_schema(json!({"type": "object", "properties": {"path": {"$ref": "https://example.com/path.json"}}}));
    Registry::new().dynamic(tool).unwrap_err()
}
// ANCHOR_END: refused

#[test]
fn registration_names_every_problem_at_once() {
    super::assert_shown("refused.txt", &refused().to_string());
}

// ANCHOR: newtype
/// The words to look for.
#[tool_input]
struct Words(Vec<String>);

/// Look for words.
#[derive(Tool)]
#[tool(output = usize, render = display)]
#[serde(untagged)]
enum Look {
    Words(Words),
    Tag { tag: String },
}
// ANCHOR_END: newtype

impl Execute for Look {
    async fn execute(&self, _: &Context) -> Result<usize, ToolError> {
        Ok(match self {
            Self::Words(Words(words)) => words.len(),
            Self::Tag { tag } => tag.len(),
        })
    }
}

#[test]
fn what_only_types_can_tell_is_refused_at_registration() {
    let error = Registry::new().tool::<Look>().unwrap_err();
    super::assert_shown("refused_newtype.txt", &error.to_string());
}
