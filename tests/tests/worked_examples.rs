//! A note tool, its results under each policy decision, to the byte.

use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, GenericCall, GenericResult, ResultView, ToolKind};
use tool_runtime::{JsonValue, TextProfile, Verdict, serde_json};

/// Show a note.
#[derive(Tool)]
#[tool(output = Note, name = "note", present, read_only)]
struct ShowNote {
    /// The note's title.
    title: String,
}

#[tool_output]
#[derive(Debug, PartialEq)]
struct Note {
    title: String,
    lines: Vec<String>,
}

#[derive(tool_runtime::serde::Serialize, tool_runtime::serde::Deserialize)]
#[serde(crate = "tool_runtime::serde", rename_all = "camelCase")]
struct NoteMeta {
    line_count: usize,
    title: String,
}

impl Execute for ShowNote {
    async fn execute(&self, _: &Context) -> Result<Note, ToolError> {
        Ok(Note { title: self.title.clone(), lines: vec!["line one".into(), "line two".into()] })
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
        NoteMeta { line_count: note.lines.len(), title: note.title.clone() }
    }

    fn call_view(&self) -> Option<CallView> {
        Some(GenericCall::new(format!("Read note {}", self.title)).with_kind(ToolKind::Read).into())
    }

    fn result_view(&self, result: &Durable<'_, NoteMeta>) -> Option<ResultView> {
        result.meta()?;
        Some(GenericResult::new().with_title("Note completed").with_content(result.content()).into())
    }
}

/// Say hello; nobody draws it.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Greet {
    name: String,
}

impl Execute for Greet {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("hello {}", self.name))
    }
}

/// Fail to show what it has.
#[derive(Tool)]
#[tool(output = String, present)]
struct Unshown {}

impl Execute for Unshown {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("the value".into())
    }
}

impl Render for Unshown {
    fn render(&self, _: &String) -> Content {
        panic!("on purpose")
    }
}

impl Present for Unshown {
    type Meta = String;

    fn meta(&self, value: &String) -> String {
        value.clone()
    }
}

/// Decides what it was told to.
struct Decided(PostDecision);

impl PostPolicy for Decided {
    fn name(&self) -> &'static str {
        "decided"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(self.0.clone())
    }
}

fn dispatcher() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<ShowNote>().unwrap();
    Dispatcher::new(registry)
}

async fn show(dispatcher: &Dispatcher) -> ToolResult {
    dispatcher.call(ToolCall::new("call-1", "note", DEMO)).await
}

fn meta(result: &ToolResult) -> String {
    result.meta().map(JsonValue::to_string).unwrap_or_default()
}

const DEMO: &str = r#"{"title":"Demo"}"#;

/// The card of a result of the note tool.
fn card(result: &ToolResult) -> ResultView {
    dispatcher().cards().live(DEMO, result)
}

fn completed(content: &str) -> ResultView {
    GenericResult::new().with_title("Note completed").with_content(&Content::text(content)).into()
}

#[tokio::test]
async fn the_cards_of_a_note() {
    let pending = GenericCall::new("Read note Demo").with_kind(ToolKind::Read);
    assert_eq!(dispatcher().cards().call("note", DEMO), pending.into());
    assert_eq!(card(&show(&dispatcher()).await), completed("# Demo\n- line one\n- line two"));

    let replaced = show(&dispatcher().policy(Decided(PostDecision::replace_content("redacted summary")))).await;
    assert_eq!(card(&replaced), completed("redacted summary"));
    let value = serde_json::json!({"title": "Replaced", "lines": ["x"]});
    let replaced = show(&dispatcher().policy(Decided(PostDecision::replace_value(value)))).await;
    assert_eq!(card(&replaced), completed("# Replaced\n- x"));
    let blocked = show(&dispatcher().policy(Decided(PostDecision::block("blocked by result policy")))).await;
    assert_eq!(card(&blocked), ResultView::fallback());
}

#[tokio::test]
async fn a_tool_that_presents_nothing_has_its_name_and_arguments() {
    let dispatcher = tests::dispatcher_of::<Greet>();
    let arguments = r#"{"name":"Ada"}"#;
    let result = dispatcher.call(ToolCall::new("call-1", "greet", arguments)).await;
    let cards = dispatcher.cards();
    assert_eq!(cards.call("greet", arguments), CallView::fallback("greet", serde_json::json!({"name": "Ada"})));
    assert_eq!(cards.live(arguments, &result), ResultView::fallback());
}

#[tokio::test]
async fn a_tool_whose_render_panics_has_one_failure_and_shows_no_value() {
    tests::quiet_panics();
    let dispatcher = tests::dispatcher_of::<Unshown>();
    let result = dispatcher.call(ToolCall::without_arguments("call-1", "unshown")).await;
    assert_eq!(result.failure().unwrap().code(), &Code::INVALID_TOOL_OUTPUT);
    assert_eq!((result.meta(), dispatcher.cards().live("", &result)), (None, ResultView::fallback()));
    assert!(!format!("{result:?}").contains("the value"));
}

#[tokio::test]
async fn without_a_policy() {
    let result = show(&dispatcher()).await;
    let success = result.success().unwrap();
    assert_eq!(success.value().as_str(), r#"{"title":"Demo","lines":["line one","line two"]}"#);
    assert_eq!(success.value_as::<Note>().unwrap().title, "Demo");
    assert_eq!(success.content().to_text(), "# Demo\n- line one\n- line two");
    assert_eq!(meta(&result), r#"{"lineCount":2,"title":"Demo"}"#);
    assert_eq!((result.call_id(), result.tool_name()), ("call-1", "note"));
    assert!(result.trace().decisions().is_empty());
}

#[tokio::test]
async fn the_content_replaced() {
    let result = show(&dispatcher().policy(Decided(PostDecision::replace_content("redacted summary")))).await;
    let success = result.success().unwrap();
    assert_eq!(success.value().as_str(), r#"{"title":"Demo","lines":["line one","line two"]}"#);
    assert_eq!(success.content().to_text(), "redacted summary");
    assert_eq!(meta(&result), r#"{"lineCount":2,"title":"Demo"}"#);
}

#[tokio::test]
async fn the_value_replaced() {
    // The keys stand in another order than the type's; the bytes are the type's all the same.
    let value = serde_json::json!({"lines": ["x"], "title": "Replaced"});
    let result = show(&dispatcher().policy(Decided(PostDecision::replace_value(value)))).await;
    let success = result.success().unwrap();
    assert_eq!(success.value().as_str(), r#"{"title":"Replaced","lines":["x"]}"#);
    assert_eq!(success.value_as(), Some(&Note { title: "Replaced".into(), lines: vec!["x".into()] }));
    assert_eq!(success.content().to_text(), "# Replaced\n- x");
    assert_eq!(meta(&result), r#"{"lineCount":1,"title":"Replaced"}"#);
}

#[tokio::test]
async fn blocked() {
    let result = show(&dispatcher().policy(Decided(PostDecision::block("blocked by result policy")))).await;
    let failure = result.failure().unwrap();
    assert_eq!(failure.content().to_text(), "blocked by result policy");
    assert_eq!(failure.error().message(), "blocked by result policy");
    assert_eq!(failure.code(), &Code::BLOCKED);
    assert!(failure.error().structured_details().is_none());
    assert!(result.meta().is_none());
    let decision = &result.trace().decisions()[0];
    assert_eq!((decision.policy(), decision.verdict()), ("decided", Verdict::Blocked));
}

// A value on a failed call does not compile: see `ui/policy/value_on_a_failure.rs`.

#[tokio::test]
async fn a_replacement_that_breaks_the_schema_is_a_failure() {
    let value = serde_json::json!({"title": "Replaced", "lines": "x"});
    let result = show(&dispatcher().policy(Decided(PostDecision::replace_value(value)))).await;
    let failure = result.failure().unwrap();
    assert_eq!(
        failure.content().to_text(),
        r#"Error [INVALID_TOOL_OUTPUT]: tool "note" returned invalid output: "/lines" must be an array, got "x""#
    );
    assert_eq!(result.trace().decisions()[0].verdict(), Verdict::RefusedReplacement);
}

#[tokio::test]
async fn the_plain_profile_leaves_the_code_out() {
    let dispatcher = dispatcher().text_profile(TextProfile::Plain);
    let result = dispatcher.call(ToolCall::new("call-1", "nope", "{}")).await;
    assert_eq!(result.content().to_text(), r#"Error: unknown tool "nope"; did you mean "note"?"#);
    assert_eq!(result.failure().unwrap().code(), &Code::UNKNOWN_TOOL);
}
