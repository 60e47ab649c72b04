//! Registering tools with their states, and calling them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tool_runtime::prelude::*;
use tool_runtime::seam::Observer;
use tool_runtime::{JsonValue, Limits, Overrides};

// ANCHOR: state
/// The notes that the tools work on.
#[derive(Default)]
struct Notes(Mutex<BTreeMap<String, String>>);

/// Write a note.
#[derive(Tool)]
#[tool(output = u32, render = display)]
struct WriteNote {
    title: String,
    text: String,
}

impl Execute<Notes> for WriteNote {
    async fn execute(&self, cx: &Context<Notes>) -> Result<u32, ToolError> {
        let mut notes = cx.state().0.lock().unwrap();
        notes.insert(self.title.clone(), self.text.clone());
        Ok(u32::try_from(notes.len())?)
    }
}
// ANCHOR_END: state

/// Read a note.
#[derive(Tool)]
#[tool(output = String, render = display, read_only)]
struct ReadNote {
    title: String,
}

impl Execute<Notes> for ReadNote {
    async fn execute(&self, cx: &Context<Notes>) -> Result<String, ToolError> {
        let notes = cx.state().0.lock().unwrap();
        notes.get(&self.title).cloned().ok_or_else(|| ToolError::msg(format!("there is no note {:?}", self.title)))
    }
}

// ANCHOR: add
/// Add two integers.
#[derive(Tool, tool_runtime::serde::Serialize)]
#[tool(output = i64, render = display)]
#[serde(crate = "tool_runtime::serde")]
struct Add {
    a: i64,
    b: i64,
}

impl Execute for Add {
    async fn execute(&self, _: &Context) -> Result<i64, ToolError> {
        self.a.checked_add(self.b).ok_or_else(|| ToolError::msg("the sum does not fit in 64 bits"))
    }
}
// ANCHOR_END: add

// ANCHOR: registry
fn register() -> Result<Registry, RegistrationError> {
    let mut registry = Registry::new();
    registry.with(Notes::default()).tool::<WriteNote>()?.tool::<ReadNote>()?; // one state, two tools
    registry.tool::<Add>()?; // no state
    registry.tool_as::<Add>(Overrides::new().name("plus").description("Add, under another name."))?;
    Ok(registry)
}
// ANCHOR_END: registry

// ANCHOR: toolset
fn tools() -> Result<Registry, RegistrationError> {
    toolset! {
        Notes::default() => [WriteNote, ReadNote],
        () => [Add],
    }
}
// ANCHOR_END: toolset

// ANCHOR: shared
fn sharing(notes: &Arc<Notes>) -> Result<Registry, RegistrationError> {
    let mut registry = toolset! { () => [Add] }?;
    registry.with_shared(Arc::clone(notes)).tool::<WriteNote>()?.tool::<ReadNote>()?;
    Ok(registry)
}
// ANCHOR_END: shared

#[tokio::test]
async fn a_state_may_be_shared_with_others() {
    let notes = Arc::new(Notes::default());
    notes.0.lock().unwrap().insert("Tea".into(), "Buy some.".into());
    let result =
        Dispatcher::new(sharing(&notes).unwrap()).call(ToolCall::new("call", "read_note", r#"{"title": "Tea"}"#)).await;
    assert_eq!(result.content().to_text(), "Buy some.");
}

#[test]
fn names_are_sorted() {
    assert_eq!(register().unwrap().names().collect::<Vec<_>>(), ["add", "plus", "read_note", "write_note"]);
    assert_eq!(tools().unwrap().len(), 3);
}

// ANCHOR: call
async fn conversation(dispatcher: &Dispatcher) -> ToolResult {
    let call = ToolCall::new("call-1", "write_note", r#"{"title": "Tea", "text": "Buy some."}"#);
    let written = dispatcher.call(call).await;
    assert!(written.is_success());

    dispatcher.call(ToolCall::new("call-2", "read_note", r#"{"title": "Tee"}"#)).await
}
// ANCHOR_END: call

#[tokio::test]
async fn calls_share_their_state() {
    let result = conversation(&Dispatcher::new(tools().unwrap())).await;
    assert_eq!(result.content().to_text(), r#"Error [EXECUTION_ERROR]: there is no note "Tee""#);
}

// ANCHOR: observer
/// Keeps how each call ended.
struct Log(Arc<Mutex<Vec<String>>>);

impl Observer for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn on_result(&self, result: &ToolResult) {
        let end = result.failure().map_or("success", |failure| failure.code().as_str());
        self.0.lock().unwrap().push(format!("{} {}: {end}", result.call_id(), result.tool_name()));
    }
}

fn observed(registry: Registry, log: &Arc<Mutex<Vec<String>>>) -> Dispatcher {
    Dispatcher::new(registry).observer(Log(Arc::clone(log)))
}
// ANCHOR_END: observer

#[tokio::test]
async fn an_observer_sees_every_result() {
    let log = Arc::default();
    let _ = conversation(&observed(tools().unwrap(), &log)).await;
    assert_eq!(*log.lock().unwrap(), ["call-1 write_note: success", "call-2 read_note: EXECUTION_ERROR"]);
}

// ANCHOR: invoke
async fn sum_of_three(dispatcher: &Dispatcher) -> Result<i64, Failure> {
    let sum = dispatcher.invoke(Add { a: 1, b: 2 }).await?;
    dispatcher.invoke(Add { a: sum, b: 3 }).await
}
// ANCHOR_END: invoke

#[tokio::test]
async fn a_program_gets_the_typed_value() {
    assert_eq!(sum_of_three(&Dispatcher::new(tools().unwrap())).await.unwrap(), 6);
}

// ANCHOR: nested
#[tool_input]
#[derive(tool_runtime::serde::Serialize)]
struct Money {
    cents: i64,
}

/// Add up amounts.
#[derive(Tool, tool_runtime::serde::Serialize)]
#[tool(output = i64, render = display)]
#[serde(crate = "tool_runtime::serde")]
struct AddUp {
    amounts: Vec<Money>,
}
// ANCHOR_END: nested

impl Execute for AddUp {
    async fn execute(&self, _: &Context) -> Result<i64, ToolError> {
        Ok(self.amounts.iter().map(|amount| amount.cents).sum())
    }
}

#[tokio::test]
async fn nested_arguments_are_written_too() {
    let dispatcher = Dispatcher::new(toolset! { () => [AddUp] }.unwrap());
    assert_eq!(dispatcher.invoke(AddUp { amounts: vec![Money { cents: 5 }, Money { cents: 6 }] }).await.unwrap(), 11);
}

// ANCHOR: body_test
#[tokio::test]
async fn a_sum_that_is_too_large_is_an_error() {
    let dispatcher = Dispatcher::new(toolset! { () => [Add] }.unwrap());
    assert_eq!(dispatcher.invoke(Add { a: 1, b: 2 }).await.unwrap(), 3);
    let failure = dispatcher.invoke(Add { a: i64::MAX, b: 1 }).await.unwrap_err();
    assert_eq!(failure.code(), &Code::EXECUTION_ERROR);
}
// ANCHOR_END: body_test

// ANCHOR: dynamic
fn shout() -> DynamicTool {
    use tool_runtime::serde_json::json;

    DynamicTool::new("shout", "Say it louder.", |arguments: Arc<JsonValue>, _| async move {
        let text = arguments["text"].as_str().unwrap_or_default();
        Ok(json!({ "text": text.to_uppercase() }))
    })
    .input_schema(json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}))
    .output_schema(json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}))
    .render(|_, value| Content::text(value["text"].as_str().unwrap_or_default()))
}
// ANCHOR_END: dynamic

#[tokio::test]
async fn a_dynamic_tool_goes_the_same_way() {
    let mut registry = Registry::new();
    registry.dynamic(shout()).unwrap();
    let dispatcher = Dispatcher::new(registry);
    let result = dispatcher.call(ToolCall::new("call", "shout", r#"{"text": "hey"}"#)).await;
    assert_eq!(result.content().to_text(), "HEY");
    let result = dispatcher.call(ToolCall::new("call", "shout", r#"{"text": 5}"#)).await;
    assert_eq!(result.failure().unwrap().code(), &Code::INVALID_ARGS);
}

// ANCHOR: timeout
/// Wait for a message.
#[derive(Tool)]
#[tool(output = String, render = display, read_only, timeout = "20ms")]
struct AwaitMessage {}

impl Execute for AwaitMessage {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        loop {
            tokio::select! {
                () = cx.cancelled() => return Err(ToolError::aborted()),
                () = tokio::time::sleep(Duration::from_secs(1)) => {} // look for a message
            }
        }
    }
}
// ANCHOR_END: timeout

#[tokio::test]
async fn time_runs_out() {
    let dispatcher = Dispatcher::new(toolset! { () => [AwaitMessage] }.unwrap());
    let result = dispatcher.call(ToolCall::without_arguments("call", "await_message")).await;
    super::assert_shown("timeout.txt", &result.content().to_text());
}

/// Wait for ever.
#[derive(Tool)]
#[tool(output = (), render = json)]
struct Wait;

impl Execute for Wait {
    async fn execute(&self, _: &Context) -> Result<(), ToolError> {
        std::future::pending().await
    }
}

// ANCHOR: cancel
async fn cancelled(dispatcher: &Dispatcher) -> ToolResult {
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let call = dispatcher.call_with(ToolCall::without_arguments("call-1", "wait"), options);
    let (result, ()) = tokio::join!(call, async { cancellation.cancel() });
    result
}
// ANCHOR_END: cancel

// ANCHOR: deadline
async fn within(dispatcher: &Dispatcher, call: ToolCall<'_>, time: Duration) -> ToolResult {
    let options = CallOptions { deadline: Some(Instant::now() + time), ..CallOptions::default() };
    dispatcher.call_with(call, options).await
}
// ANCHOR_END: deadline

#[tokio::test]
async fn a_deadline_ends_a_call() {
    let dispatcher = limited(toolset! { () => [Wait] }.unwrap());
    let call = ToolCall::without_arguments("call", "wait");
    let result = within(&dispatcher, call, Duration::from_millis(10)).await;
    assert_eq!(result.failure().unwrap().code(), &Code::TIMEOUT);
}

// ANCHOR: limits
fn limited(registry: Registry) -> Dispatcher {
    let limits = Limits { content_bytes: 120, grace: Duration::from_millis(10), ..Limits::default() };
    Dispatcher::new(registry).limits(limits)
}
// ANCHOR_END: limits

#[test]
fn the_limits_are_those_of_the_guide() {
    let limits = Limits::default();
    assert_eq!((limits.arguments.max_bytes, limits.arguments.max_depth), (1024 * 1024, 128));
    assert_eq!((limits.content_bytes, limits.meta_bytes, limits.error_bytes), (256 * 1024, 128 * 1024, 8 * 1024));
    assert_eq!((limits.parallel_calls, limits.grace), (10, Duration::from_secs(1)));
    assert_eq!((limits.policy_time, limits.approval_time), (Duration::from_secs(30), Duration::from_mins(10)));
}

#[tokio::test]
async fn a_caller_may_cancel() {
    let dispatcher = limited(toolset! { () => [Wait] }.unwrap());
    let result = cancelled(&dispatcher).await;
    super::assert_shown("cancelled.txt", &result.content().to_text());
}

#[tokio::test]
async fn content_is_cut_with_a_notice() {
    let dispatcher = limited(tools().unwrap());
    let text = "A long note. ".repeat(100);
    let arguments = tool_runtime::serde_json::json!({ "title": "Long", "text": text }).to_string();
    let written = dispatcher.call(ToolCall::new("call-1", "write_note", arguments)).await;
    assert!(written.is_success());
    let result = dispatcher.call(ToolCall::new("call-2", "read_note", r#"{"title": "Long"}"#)).await;
    super::assert_shown("cut.txt", &result.content().to_text());
}
