//! Panics of an author's code, wherever they happen: one failure, and the next call works.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tests::{Decided, Seen, code, dispatcher_of, quiet_panics};
use tool_runtime::prelude::*;
use tool_runtime::{Limits, json, serde_json};

/// Where in a tool the panic is.
#[tool_input]
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Place {
    Nowhere,
    BeforeAwait,
    AfterAwait,
    IndexOutOfBounds,
    NoText,
    Long,
    Render,
    Meta,
    SerializeValue,
    SerializeMeta,
    DropOfLocal,
    DropOfValue,
    DropOfArguments,
    DropOfMeta,
    DropOfPayload,
    WithLock,
}

use Place::{
    AfterAwait, BeforeAwait, DropOfArguments, DropOfLocal, DropOfMeta, DropOfPayload, DropOfValue, IndexOutOfBounds,
    Long, Meta as InMeta, NoText, Nowhere, Render as InRender, SerializeMeta, SerializeValue, WithLock,
};

/// Panic somewhere.
#[derive(Tool)]
#[tool(output = Fragile, present)]
struct Panics {
    place: Place,
}

/// A value that panics where it is told to.
#[derive(Clone)]
struct Fragile(Place);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.0 != DropOfValue, "dropped on purpose");
    }
}

impl Drop for Panics {
    fn drop(&mut self) {
        assert!(self.place != DropOfArguments, "dropped on purpose");
    }
}

impl Serialize for Fragile {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        assert!(self.0 != SerializeValue, "serialised on purpose");
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Fragile {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let place = Place::deserialize(deserializer)?;
        assert!(place != Long, "decoded on purpose");
        Ok(Self(place))
    }
}

impl schemars::JsonSchema for Fragile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Fragile".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Place::json_schema(generator)
    }
}

impl ToolOutput for Fragile {}

static LOCK: Mutex<u8> = Mutex::new(0);

impl Execute for Panics {
    // The part before the future exists may panic too.
    fn execute(&self, _: &Context) -> impl Future<Output = Result<Fragile, ToolError>> + Send {
        assert!(self.place != BeforeAwait, "boom {} on purpose", 1);
        let place = self.place;
        async move {
            let local = Fragile(if place == DropOfLocal { DropOfValue } else { Nowhere });
            tokio::task::yield_now().await;
            match place {
                AfterAwait => panic!("boom on purpose"),
                IndexOutOfBounds => {
                    let none = vec![0_u8; std::hint::black_box(0)];
                    std::hint::black_box(none[10]);
                }
                NoText => std::panic::panic_any(7_u8),
                DropOfPayload => std::panic::panic_any(Fragile(DropOfValue)),
                Place::Long => panic!("{} on purpose", "x".repeat(100_000)),
                WithLock => {
                    let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
                    panic!("locked on purpose");
                }
                _ => drop(local),
            }
            Ok(Fragile(place))
        }
    }
}

impl Render for Panics {
    fn render(&self, value: &Fragile) -> Content {
        assert!(value.0 != InRender, "rendered on purpose");
        Content::text("fine")
    }
}

impl Present for Panics {
    type Meta = FragileMeta;

    fn meta(&self, value: &Fragile) -> FragileMeta {
        assert!(value.0 != InMeta, "presented on purpose");
        FragileMeta(value.0)
    }
}

#[derive(Deserialize)]
struct FragileMeta(Place);

impl Serialize for FragileMeta {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        assert!(self.0 != SerializeMeta, "meta on purpose");
        serializer.serialize_unit()
    }
}

impl Drop for FragileMeta {
    fn drop(&mut self) {
        assert!(self.0 != DropOfMeta, "meta dropped on purpose");
    }
}

fn call(place: Place) -> ToolCall<'static> {
    ToolCall::new("call-1", "panics", format!("{{\"place\":{}}}", json::write(&place).unwrap()))
}

/// One result, the failure that is expected, and a dispatcher that works as before.
async fn fails(place: Place, expected: &str) -> ToolResult {
    quiet_panics();
    let seen = Seen::default();
    let dispatcher = dispatcher_of::<Panics>().observer(seen.clone());
    let result = dispatcher.call(call(place)).await;
    assert_eq!(code(&result), expected, "{place:?}: {result:?}");
    assert_eq!(seen.codes(), [expected], "{place:?}");
    assert!(result.success().is_some() == (expected == "OK"));
    let next = dispatcher.call(call(Nowhere)).await;
    assert_eq!((code(&next), next.content().to_text().as_str()), ("OK", "fine"), "after {place:?}");
    result
}

fn text(result: &ToolResult) -> String {
    result.content().to_text()
}

#[tokio::test]
async fn a_body_that_panics_is_a_failure_that_names_the_tool_and_what_it_said() {
    let said = |what| {
        format!(
            "Error [PANICKED]: tool \"panics\" panicked: {what}; the tool has run and may have changed something: check before \
             you call it again"
        )
    };
    let result = fails(BeforeAwait, "PANICKED").await;
    assert_eq!(text(&result), said("boom 1 on purpose"));
    let result = fails(AfterAwait, "PANICKED").await;
    assert_eq!(text(&result), said("boom on purpose"));
    assert!(text(&fails(IndexOutOfBounds, "PANICKED").await).contains("the len is 0 but the index is 10"));
    assert_eq!(text(&fails(NoText, "PANICKED").await), said("no text"));
    let _ = fails(DropOfPayload, "PANICKED").await;
    let _ = fails(WithLock, "PANICKED").await;
    let _ = fails(WithLock, "PANICKED").await;
}

#[tokio::test]
async fn what_a_panic_said_is_clipped() {
    let result = fails(Long, "PANICKED").await;
    let limit = Limits::default().error_bytes;
    assert!(result.failure().unwrap().error().message().len() <= limit);
    assert!(text(&result).len() <= limit + 50, "{}", text(&result).len());
    assert_eq!(result.trace().warnings().len(), 1, "{:?}", result.trace());
}

#[tokio::test]
async fn a_projection_that_panics_makes_the_value_an_invalid_output() {
    for (place, because) in [
        (InRender, "render failed: rendered on purpose"),
        (InMeta, "the presentation meta failed: presented on purpose"),
        (SerializeMeta, "meta on purpose"),
        (SerializeValue, "serialised on purpose"),
    ] {
        let result = fails(place, "INVALID_TOOL_OUTPUT").await;
        assert!(text(&result).contains(because), "{place:?}: {}", text(&result));
        assert!(text(&result).contains(r#"tool "panics""#), "{}", text(&result));
        assert!(result.meta().is_none());
    }
}

#[tokio::test]
async fn what_panics_while_it_is_dropped_takes_no_result_with_it() {
    let _ = fails(DropOfLocal, "PANICKED").await;
    let _ = fails(DropOfMeta, "INVALID_TOOL_OUTPUT").await;
    let result = fails(DropOfArguments, "OK").await;
    assert_eq!(text(&result), "fine");
    let result = fails(DropOfValue, "OK").await;
    assert_eq!(text(&result), "fine");
}

#[tokio::test]
async fn a_value_that_panics_while_it_is_dropped_can_be_withheld_or_replaced() {
    quiet_panics();
    let seen = Seen::default();
    let decide = |decision| dispatcher_of::<Panics>().observer(seen.clone()).policy(Decided(decision));
    let blocked = decide(PostDecision::block("no")).call(call(DropOfValue)).await;
    assert_eq!(code(&blocked), "BLOCKED");
    let replaced = decide(PostDecision::replace_value(serde_json::json!("Nowhere"))).call(call(DropOfValue)).await;
    assert_eq!(replaced.success().unwrap().value().as_str(), "\"Nowhere\"");
    let refused = decide(PostDecision::replace_value(serde_json::json!("Elsewhere"))).call(call(DropOfValue)).await;
    assert_eq!(code(&refused), "INVALID_TOOL_OUTPUT");
    // The value that a policy puts in is decoded by the author's code.
    let panicked = decide(PostDecision::replace_value(serde_json::json!("Long"))).call(call(Nowhere)).await;
    assert_eq!(code(&panicked), "INVALID_TOOL_OUTPUT");
    assert!(text(&panicked).contains("decoded on purpose"), "{}", text(&panicked));
    assert_eq!(seen.codes(), ["BLOCKED", "OK", "INVALID_TOOL_OUTPUT", "INVALID_TOOL_OUTPUT"]);
}

/// Arguments whose own code panics while they are read.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Reads {
    #[serde(deserialize_with = "panics")]
    #[schemars(with = "String")]
    text: String,
}

fn panics<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    assert!(text != "panic", "read on purpose");
    Ok(text)
}

impl Execute for Reads {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(self.text.clone())
    }
}

#[tokio::test]
async fn a_decoder_that_panics_is_a_failure_of_the_tool() {
    quiet_panics();
    let seen = Seen::default();
    let dispatcher = dispatcher_of::<Reads>().observer(seen.clone());
    let result = dispatcher.call(ToolCall::new("call-1", "reads", r#"{"text":"panic"}"#)).await;
    assert_eq!(code(&result), "PANICKED");
    assert!(text(&result).contains("read on purpose") && text(&result).contains("\"reads\""), "{}", text(&result));
    let next = dispatcher.call(ToolCall::new("call-2", "reads", r#"{"text":"fine"}"#)).await;
    assert_eq!(text(&next), "fine");
    assert_eq!(seen.codes(), ["PANICKED", "OK"]);
}

#[tokio::test]
async fn a_panic_leaves_siblings_in_flight_working() {
    quiet_panics();
    let dispatcher = Arc::new(dispatcher_of::<Panics>());
    let calls: Vec<_> = (0..50)
        .map(|index| {
            let (dispatcher, place) = (Arc::clone(&dispatcher), if index % 2 == 0 { Nowhere } else { AfterAwait });
            tokio::spawn(async move { dispatcher.call(call(place)).await })
        })
        .collect();
    for (index, task) in calls.into_iter().enumerate() {
        let result = task.await.expect("the task itself does not panic");
        assert_eq!(code(&result), if index % 2 == 0 { "OK" } else { "PANICKED" });
    }
}
