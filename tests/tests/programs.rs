//! Typed calls from a program: the same pipeline, the same policies, the same failures.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde::Serialize;
use tests::{Decided, Seen, dispatcher_of, quiet_panics};
use tool_runtime::prelude::*;
use tool_runtime::{Overrides, serde_json};

/// Divide.
#[derive(Tool, Serialize)]
#[tool(output = Quotient)]
struct Divide {
    dividend: i64,
    #[schemars(range(min = 1))]
    divisor: i64,
    #[serde(default, rename = "asText")]
    as_text: bool,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Quotient {
    quotient: i64,
    by: BTreeMap<String, f64>,
}

impl Execute for Divide {
    async fn execute(&self, cx: &Context) -> Result<Quotient, ToolError> {
        assert!(cx.call_id().starts_with("program-"), "{}", cx.call_id());
        if self.dividend == 0 {
            return Err(ToolError::new(Code::new("NOTHING_TO_DIVIDE"), "nothing"));
        }
        Ok(Quotient { quotient: self.dividend / self.divisor, by: [("share".to_owned(), -0.0)].into() })
    }
}

impl Render for Divide {
    fn render(&self, value: &Quotient) -> Content {
        Content::text(value.quotient.to_string())
    }
}

fn divide(dividend: i64, divisor: i64) -> Divide {
    Divide { dividend, divisor, as_text: true }
}

#[tokio::test]
async fn a_program_gets_the_typed_value() {
    let value = dispatcher_of::<Divide>().invoke(divide(i64::MAX, 1)).await.unwrap();
    assert_eq!(value.quotient, i64::MAX);
    assert!(value.by["share"].is_sign_negative(), "the very value, not a copy of its text");
}

#[tokio::test]
async fn a_program_gets_the_failure_with_its_code() {
    let dispatcher = dispatcher_of::<Divide>();
    let failure = dispatcher.invoke(divide(0, 1)).await.unwrap_err();
    assert_eq!(failure.code().as_str(), "NOTHING_TO_DIVIDE");
    let failure = dispatcher.invoke(divide(1, 0)).await.unwrap_err();
    assert_eq!(failure.code(), &Code::INVALID_ARGS, "the constraints of arguments hold for programs too");
    assert!(failure.error().message().contains("\"/divisor\" must be at least 1, got 0"), "{failure}");
    let failure = Dispatcher::new(Registry::new()).invoke(divide(1, 1)).await.unwrap_err();
    assert_eq!(failure.code(), &Code::UNKNOWN_TOOL);
    assert_eq!(failure.tool_name(), "divide");
}

/// Writes down the arguments that it sees.
struct Sees(Arc<Mutex<Vec<String>>>);

impl PostPolicy for Sees {
    fn name(&self) -> &'static str {
        "sees"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
        let arguments = call.arguments().map(ToString::to_string).unwrap_or_default();
        self.0.lock().unwrap().push(format!("{} {arguments} {}", call.tool_name(), success.content().to_text()));
        Ok(PostDecision::accept())
    }
}

#[tokio::test]
async fn policies_see_the_arguments_of_a_program_as_json_and_observers_its_result() {
    let (lines, seen) = (Arc::default(), Seen::default());
    let dispatcher = dispatcher_of::<Divide>().policy(Sees(Arc::clone(&lines))).observer(seen.clone());
    dispatcher.invoke(divide(7, 2)).await.unwrap();
    assert!(dispatcher.invoke(divide(7, 0)).await.is_err());
    assert_eq!(*lines.lock().unwrap(), [r#"divide {"dividend":7,"divisor":2,"asText":true} 3"#]);
    assert_eq!(seen.codes(), ["OK", "INVALID_ARGS"]);
}

#[tokio::test]
async fn a_program_gets_what_the_policies_left() {
    let value = serde_json::json!({"by": {}, "quotient": 42.0});
    let replaced = dispatcher_of::<Divide>().policy(Decided(PostDecision::replace_value(value)));
    assert_eq!(replaced.invoke(divide(7, 2)).await.unwrap(), Quotient { quotient: 42, by: BTreeMap::new() });
    let blocked = dispatcher_of::<Divide>().policy(Decided(PostDecision::block("not for programs either")));
    let failure = blocked.invoke(divide(7, 2)).await.unwrap_err();
    assert_eq!((failure.code(), failure.error().message()), (&Code::BLOCKED, "not for programs either"));
}

#[tokio::test]
async fn a_program_calls_a_tool_by_its_type_whatever_its_name() {
    let mut registry = Registry::new();
    registry.tool_as::<Divide>(Overrides::new().name("split")).unwrap();
    let dispatcher = Dispatcher::new(registry);
    assert_eq!(dispatcher.invoke(divide(7, 2)).await.unwrap().quotient, 3);

    // A tool of another type has the name of this one.
    let taken = DynamicTool::new("divide", "Not it.", |_, _| async { Ok(serde_json::json!("no")) })
        .output_schema(serde_json::json!({}));
    let mut registry = dispatcher.registry();
    registry.dynamic(taken).unwrap();
    dispatcher.replace_registry(registry);
    assert_eq!(dispatcher.invoke(divide(9, 2)).await.unwrap().quotient, 4);
}

#[tokio::test]
async fn a_tool_of_another_type_under_the_name_is_not_called() {
    let ran = Arc::new(Mutex::new(false));
    let flag = Arc::clone(&ran);
    let taken = DynamicTool::new("divide", "Not it.", move |_, _| {
        *flag.lock().unwrap() = true;
        async { Ok(serde_json::json!("no")) }
    })
    .input_schema(serde_json::json!({"type": "object"}))
    .output_schema(serde_json::json!({}));
    let mut registry = Registry::new();
    registry.dynamic(taken).unwrap();
    let seen = Seen::default();
    let failure = Dispatcher::new(registry).observer(seen.clone()).invoke(divide(1, 1)).await.unwrap_err();
    assert_eq!(failure.code(), &Code::UNKNOWN_TOOL);
    assert!(!*ran.lock().unwrap(), "its effects would be another tool's");
    assert_eq!(seen.codes(), ["UNKNOWN_TOOL"], "the one result is the one that the program gets");
}

/// Arguments that can't be written.
#[derive(Tool, Serialize)]
#[tool(output = f64, render = display)]
struct Lossy {
    #[serde(serialize_with = "write")]
    n: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn write<S: serde::Serializer>(n: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    assert!(n.is_finite() || n.is_nan(), "written on purpose");
    serializer.serialize_f64(*n)
}

impl Execute for Lossy {
    async fn execute(&self, _: &Context) -> Result<f64, ToolError> {
        Ok(self.n)
    }
}

#[tokio::test]
async fn arguments_that_cannot_be_written_are_a_failure_like_any_other() {
    quiet_panics();
    let seen = Seen::default();
    let dispatcher = dispatcher_of::<Lossy>().observer(seen.clone());
    let failure = dispatcher.invoke(Lossy { n: f64::NAN }).await.unwrap_err();
    assert_eq!(failure.error().message(), r#"invalid arguments: "/n" is NaN, which JSON cannot say"#);
    let failure = dispatcher.invoke(Lossy { n: f64::INFINITY }).await.unwrap_err();
    assert!(failure.error().message().contains("written on purpose"), "{failure}");
    assert_eq!(seen.codes(), ["INVALID_ARGS", "INVALID_ARGS"]);
    assert_eq!(dispatcher.invoke(Lossy { n: 1.5 }).await.ok(), Some(1.5));
}

/// Keeps the ids of calls.
struct Ids(Arc<Mutex<Vec<String>>>);

impl tool_runtime::seam::Observer for Ids {
    fn name(&self) -> &'static str {
        "ids"
    }

    fn on_result(&self, result: &ToolResult) {
        self.0.lock().unwrap().push(result.call_id().to_owned());
    }
}

#[tokio::test]
async fn every_program_call_has_an_id_of_its_own() {
    let ids = Arc::new(Mutex::new(Vec::new()));
    let dispatcher = dispatcher_of::<Divide>().observer(Ids(Arc::clone(&ids)));
    for _ in 0..10 {
        dispatcher.invoke(divide(1, 1)).await.unwrap();
    }
    let mut ids = ids.lock().unwrap().clone();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 10);
}
