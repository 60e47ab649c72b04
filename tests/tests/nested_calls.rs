//! Calls that a body makes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tests::{Seen, code};
use tool_runtime::prelude::*;
use tool_runtime::{Effects, Limits, Retry, progress_channel};

/// Read a number.
#[derive(Tool, tool_runtime::serde::Serialize)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = i64, render = display, parallel, present)]
struct Number {
    of: i64,
}

impl Execute for Number {
    async fn execute(&self, cx: &Context) -> Result<i64, ToolError> {
        cx.progress(format!("at {}", self.of));
        match self.of {
            0 => Err(ToolError::new(Code::new("NO_ZERO"), "there is no zero")),
            13 => {
                cx.cancelled().await;
                Err(ToolError::aborted())
            }
            of => {
                cx.add_context(format!("number {of}"));
                if of == 99 {
                    cx.conclude_turn();
                }
                Ok(of)
            }
        }
    }
}

impl Present for Number {
    type Meta = i64;

    fn meta(&self, value: &i64) -> i64 {
        *value
    }
}

/// Show a picture.
#[derive(Tool)]
#[tool(output = String)]
struct Picture {}

impl Execute for Picture {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("a picture".into())
    }
}

impl Render for Picture {
    fn render(&self, _: &String) -> Content {
        Content::default().with(tool_runtime::Block::image([1, 2, 3], "image/png"))
    }
}

/// Call a tool.
#[derive(Tool)]
#[tool(output = Vec<String>, render = json)]
struct Relay {
    tool: String,
    /// The arguments of each call.
    arguments: Vec<String>,
    /// One after the other, and not as a batch.
    #[serde(default)]
    singly: bool,
}

impl Execute for Relay {
    async fn execute(&self, cx: &Context) -> Result<Vec<String>, ToolError> {
        let mut told = Vec::new();
        if self.singly {
            for arguments in &self.arguments {
                let result = cx.call(&self.tool, arguments).await;
                let result = result.into_result().map_err(Failure::into_error)?;
                told.push(format!("{} {}", result.call_id(), result.value().as_str()));
            }
        } else {
            for result in cx.run(self.arguments.iter().map(|arguments| (&*self.tool, &**arguments))).await {
                told.push(format!("{} {}", result.call_id(), result.content().to_text()));
            }
        }
        Ok(told)
    }
}

/// Add numbers that are read one by one.
#[derive(Tool)]
#[tool(output = i64, render = display, timeout = "1s")]
struct Total {
    numbers: Vec<i64>,
}

impl Execute for Total {
    async fn execute(&self, cx: &Context) -> Result<i64, ToolError> {
        let mut total = 0;
        for &of in &self.numbers {
            total += cx.invoke(Number { of }).await.map_err(Failure::into_error)?;
        }
        Ok(total)
    }
}

/// Call yourself.
#[derive(Tool)]
#[tool(output = u64, render = display)]
struct Deeper {
    depth: u64,
}

impl Execute for Deeper {
    async fn execute(&self, cx: &Context) -> Result<u64, ToolError> {
        let next = format!(r#"{{"depth":{}}}"#, self.depth + 1);
        match cx.call("deeper", next).await {
            ToolResult::Success(success) => Ok(*success.value_as::<u64>().unwrap()),
            ToolResult::Failure(failure) if failure.code() == &Code::NESTED_TOO_DEEP => Ok(self.depth),
            ToolResult::Failure(failure) => Err(failure.into_error()),
        }
    }
}

fn dispatcher() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<Number>().unwrap().tool::<Picture>().unwrap().tool::<Relay>().unwrap();
    registry.tool::<Total>().unwrap().tool::<Deeper>().unwrap();
    Dispatcher::new(registry)
}

fn contexts(result: &ToolResult) -> Vec<String> {
    result.contexts().iter().map(Content::to_text).collect()
}

#[derive(Clone, Default)]
struct Judged(Arc<Mutex<Vec<String>>>);

impl PrePolicy for Judged {
    fn name(&self) -> &'static str {
        "judged"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        let parent = call.parent_call_id().unwrap_or("nobody");
        self.0.lock().unwrap().push(format!("{} by {parent} in {}", call.call_id(), call.root_call_id()));
        if call.arguments().is_some_and(|arguments| arguments["of"] == 7) {
            return Ok(PreDecision::Deny { reason: "not seven".into() });
        }
        Ok(PreDecision::Allow)
    }
}

#[tokio::test]
async fn a_typed_call_from_a_body_gives_its_typed_value_or_its_failure_with_its_code() {
    let dispatcher = dispatcher();
    let result = dispatcher.call(ToolCall::new("call-1", "total", r#"{"numbers":[1,2,3]}"#)).await;
    assert_eq!(result.content().to_text(), "6");
    let result = dispatcher.call(ToolCall::new("call-1", "total", r#"{"numbers":[1,0]}"#)).await;
    assert_eq!(result.content().to_text(), "Error [NO_ZERO]: there is no zero");
}

/// Note something, then call a tool.
#[derive(Tool)]
#[tool(output = i64, render = display, timeout = "1s")]
struct NoteThen {
    of: i64,
    /// How long it takes before it calls.
    #[serde(default)]
    milliseconds: u64,
    #[serde(default)]
    by_hand: bool,
}

impl Execute for NoteThen {
    async fn execute(&self, cx: &Context) -> Result<i64, ToolError> {
        if self.milliseconds > 0 {
            // It holds the thread, so that nothing but the nested call sees the time pass.
            tokio::time::advance(Duration::from_millis(self.milliseconds)).await;
        }
        if self.by_hand {
            return cx.invoke(Number { of: self.of }).await.map_err(Failure::into_error);
        }
        Ok(cx.invoke(Number { of: self.of }).await?)
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_is_handed_on_keeps_its_code_and_says_nothing_of_the_body_that_hands_it_on() {
    let mut registry = dispatcher().registry();
    registry.tool::<NoteThen>().unwrap();
    let dispatcher = Dispatcher::new(registry);
    for by_hand in [true, false] {
        let call = |of, milliseconds| {
            let arguments = format!(r#"{{"of":{of},"milliseconds":{milliseconds},"by_hand":{by_hand}}}"#);
            ToolCall::new("call-1", "note_then", arguments)
        };
        let result = dispatcher.call(call(0, 0)).await;
        let failure = result.failure().unwrap();
        assert_eq!(result.content().to_text(), "Error [NO_ZERO]: there is no zero");
        assert_eq!(failure.error().known_effects(), Effects::Unknown, "the note was made");
        // A nested call that came too late had no effects of its own; the body around it may have.
        let result = dispatcher.call(call(1, 2000)).await;
        let failure = result.failure().unwrap();
        assert_eq!(failure.code(), &Code::TIMEOUT);
        assert_ne!(failure.error().known_effects(), Effects::None, "{failure}");
        assert_eq!(failure.error().retry_advice(), Retry::Unspecified, "{failure}");
        assert!(!failure.error().message().contains("before the tool ran"), "{failure}");
    }
}

#[tokio::test]
async fn a_nested_call_that_was_cancelled_before_it_ran_does_not_say_so_of_the_body_around_it() {
    struct CancelNested(Cancellation);
    impl PrePolicy for CancelNested {
        fn name(&self) -> &'static str {
            "cancel-nested"
        }

        async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
            if call.parent_call_id().is_some() {
                self.0.cancel();
            }
            Ok(PreDecision::Allow)
        }
    }
    let cancellation = Cancellation::new();
    let dispatcher = dispatcher().pre_policy(CancelNested(cancellation.clone()));
    let options = CallOptions { cancellation, ..CallOptions::default() };
    let result = dispatcher.call_with(ToolCall::new("call-1", "total", r#"{"numbers":[1]}"#), options).await;
    let failure = result.failure().unwrap();
    assert_eq!(failure.code(), &Code::ABORTED);
    assert_ne!(failure.error().known_effects(), Effects::None);
}

#[tokio::test]
async fn a_fatal_failure_that_is_handed_on_by_a_question_mark_stays_fatal() {
    let fatal = DynamicTool::new("fatal", "Fail for good.", |_, _| async {
        Err(ToolError::new(Code::new("GONE"), "the disk is gone").fatal())
    })
    .output_schema(serde_json::json!({}));
    let outer = DynamicTool::new("outer", "Call it.", |_, cx: Context| async move {
        Ok(cx.call("fatal", "{}").await.into_result()?.canonical().to_json())
    })
    .output_schema(serde_json::json!({}));
    let mut registry = Registry::new();
    registry.dynamic(fatal).unwrap().dynamic(outer).unwrap();
    let result = Dispatcher::new(registry).call(ToolCall::new("call-1", "outer", "{}")).await;
    assert_eq!(code(&result), "GONE");
    assert!(result.fatal().is_some());
}

#[tokio::test]
async fn nested_calls_pass_the_same_policies_under_ids_of_their_own_and_observers_see_them() {
    let (judged, seen) = (Judged::default(), Seen::default());
    let dispatcher = dispatcher().pre_policy(judged.clone()).observer(seen.clone());
    let arguments = r#"{"tool":"number","arguments":["{\"of\":1}","{\"of\":7}","{\"of\":\"x\"}"]}"#;
    let result = dispatcher.call(ToolCall::new("call-1", "relay", arguments)).await;
    assert_eq!(
        result.content().to_text(),
        "[\"call-1:call:1 1\",\"call-1:call:2 Error [DENIED]: not seven\",\
         \"call-1:call:3 Error [INVALID_ARGS]: invalid arguments: \\\"/of\\\" must be an integer, got \\\"x\\\"\"]"
    );
    assert_eq!(
        *judged.0.lock().unwrap(),
        ["call-1 by nobody in call-1", "call-1:call:1 by call-1 in call-1", "call-1:call:2 by call-1 in call-1"]
    );
    assert_eq!(seen.codes(), ["OK", "DENIED", "INVALID_ARGS", "OK"]);
}

#[tokio::test]
async fn what_a_nested_call_leaves_for_after_the_call_its_caller_leaves() {
    let dispatcher = dispatcher();
    let arguments = r#"{"tool":"number","arguments":["{\"of\":1}","{\"of\":99}"]}"#;
    let result = dispatcher.call(ToolCall::new("call-1", "relay", arguments)).await;
    assert_eq!(contexts(&result), ["number 1", "number 99"]);
    assert!(result.success().unwrap().concludes_turn());
    // Contexts outlive the failure of the caller.
    let result = dispatcher.call(ToolCall::new("call-1", "total", r#"{"numbers":[1,0]}"#)).await;
    assert_eq!(contexts(&result), ["number 1"]);
    // A picture can't be a part of a value.
    let result = dispatcher.call(ToolCall::new("call-1", "relay", r#"{"tool":"picture","arguments":["{}"]}"#)).await;
    assert_eq!(result.contexts().len(), 1);
    assert_ne!(result.contexts()[0].to_text(), "a picture");
}

#[tokio::test]
async fn a_nested_call_has_no_meta_and_names_its_parent() {
    struct Nested(Arc<Mutex<Vec<String>>>);
    impl PostPolicy for Nested {
        fn name(&self) -> &'static str {
            "nested"
        }

        async fn on_success(&self, _: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
            let line = format!("{:?} {:?} {}", success.meta(), success.parent_call_id(), success.root_call_id());
            self.0.lock().unwrap().push(line);
            Ok(PostDecision::accept())
        }
    }
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let dispatcher = dispatcher().policy(Nested(Arc::clone(&lines)));
    let _ = dispatcher.call(ToolCall::new("a", "number", r#"{"of":1}"#)).await;
    let _ = dispatcher.call(ToolCall::new("b", "total", r#"{"numbers":[1]}"#)).await;
    assert_eq!(*lines.lock().unwrap(), ["Some(Number(1)) None a", "None Some(\"b\") b", "None None b"]);
}

#[tokio::test]
async fn a_tool_that_calls_itself_without_an_end_meets_the_limit() {
    let result = dispatcher().call(ToolCall::new("call-1", "deeper", r#"{"depth":0}"#)).await;
    assert_eq!(result.content().to_text(), "8");
    let limits = Limits { nested_calls: 0, ..Limits::default() };
    let result = dispatcher().limits(limits).call(ToolCall::new("call-1", "total", r#"{"numbers":[1]}"#)).await;
    assert_eq!(code(&result), "NESTED_TOO_DEEP");
}

#[tokio::test]
async fn arguments_are_json_or_its_text() {
    let every = DynamicTool::new("every", "Call it each way.", |_, cx: Context| async move {
        let text = r#"{"of":1}"#;
        let owned = text.to_owned();
        let mut told = Vec::new();
        for result in [
            cx.call("number", text).await,
            cx.call("number", text.to_owned()).await,
            cx.call("number", &owned).await,
            cx.call("number", std::borrow::Cow::from(text)).await,
            cx.call("number", serde_json::json!({ "of": 1 })).await,
        ] {
            told.push(result.content().to_text());
        }
        told.extend(
            cx.run([("number", serde_json::json!({ "of": 2 }))]).await.iter().map(|result| result.content().to_text()),
        );
        Ok(serde_json::json!(told))
    })
    .output_schema(serde_json::json!({}));
    let mut registry = dispatcher().registry();
    registry.dynamic(every).unwrap();
    let result = Dispatcher::new(registry).call(ToolCall::new("call-1", "every", "{}")).await;
    assert_eq!(result.content().to_text(), r#"["1","1","1","1","1","2"]"#);
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_ends_with_its_callers_time_and_cancellation() {
    let dispatcher = dispatcher();
    let result = dispatcher.call(ToolCall::new("call-1", "total", r#"{"numbers":[13]}"#)).await;
    assert_eq!(code(&result), "TIMEOUT");
    let cancellation = Cancellation::new();
    let options = CallOptions { cancellation: cancellation.clone(), ..CallOptions::default() };
    let call = ToolCall::new("call-1", "relay", r#"{"tool":"number","arguments":["{\"of\":13}"]}"#);
    let call = tokio::spawn({
        let dispatcher = dispatcher.clone();
        async move { dispatcher.call_with(call, options).await }
    });
    tokio::time::sleep(Duration::from_millis(5)).await;
    cancellation.cancel();
    assert_eq!(code(&call.await.unwrap()), "ABORTED");
}

#[tokio::test]
async fn a_nested_call_reports_its_progress_where_its_caller_does() {
    let (sender, mut reports) = progress_channel(8);
    let options = CallOptions { progress: Some(sender), ..CallOptions::default() };
    let result = dispatcher().call_with(ToolCall::new("call-1", "total", r#"{"numbers":[1,2]}"#), options).await;
    assert!(result.is_success());
    let mut ids = Vec::new();
    while let Some(update) = reports.next().await {
        ids.push(update.call_id);
    }
    assert_eq!(ids, ["call-1:call:1", "call-1:call:2"]);
}

#[tokio::test]
async fn a_body_that_lives_on_in_a_task_calls_nothing_once_its_call_is_over() {
    let (send, receive) = tokio::sync::oneshot::channel();
    let send = Mutex::new(Some(send));
    let leave = DynamicTool::new("leave", "Leave a task behind.", move |_, cx: Context| {
        let once = send.lock().unwrap().take();
        async move {
            drop(once.map(|once| once.send(cx)));
            Ok(serde_json::json!(null))
        }
    })
    .output_schema(serde_json::json!({}));
    let mut registry = dispatcher().registry();
    registry.dynamic(leave).unwrap();
    let dispatcher = Dispatcher::new(registry);
    assert!(dispatcher.call(ToolCall::new("call-1", "leave", "{}")).await.is_success());
    let cx = receive.await.unwrap();
    assert_eq!(code(&cx.call("number", r#"{"of":1}"#).await), "ABORTED_BEFORE_DISPATCH");
    assert_eq!(cx.invoke(Number { of: 1 }).await.unwrap_err().code(), &Code::ABORTED_BEFORE_DISPATCH);
    assert_eq!(code(&cx.run([("number", "{}")]).await[0]), "ABORTED_BEFORE_DISPATCH");
}
