//! Calls through a dispatcher that reads a provider's form: who decodes what.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::json;
use tests::echo;
use tool_runtime::JsonValue;
use tool_runtime::dialect::{Dialect, Mode};
use tool_runtime::json::{ParseLimits, Pointer};
use tool_runtime::prelude::*;
use tool_runtime::schema::Violation;
use tool_runtime::seam::{ArgumentDecoder, Decoded};

use crate::{OPENAI, speaking};

/// Wait.
#[derive(Tool, Clone, Serialize)]
#[tool(output = String, render = display, parallel)]
struct Wait {
    /// Milliseconds.
    #[serde(default)]
    millis: u32,
    pairs: std::collections::BTreeMap<String, u8>,
}

echo!(Wait);

/// Wait twice.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Twice {
    #[serde(default)]
    note: String,
}

impl Execute for Twice {
    async fn execute(&self, cx: &Context) -> Result<String, ToolError> {
        Ok(self.note.clone() + &cx.call("wait", OWN).await.content().to_text())
    }
}

const SENT: &str = r#"{"millis":null,"pairs":[{"key":"a","value":1}]}"#;
const OWN: &str = r#"{"millis":0,"pairs":{"a":1}}"#;

/// Puts other arguments in the place of those that were sent.
struct Rewrite;

impl PrePolicy for Rewrite {
    fn name(&self) -> &'static str {
        "rewrite"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        assert_eq!(call.arguments(), Some(&json!({"pairs": {"a": 1}})), "a policy sees the tool's own form");
        Ok(PreDecision::rewrite(json!({"millis": 5, "pairs": {}})))
    }
}

#[tokio::test]
async fn what_was_sent_to_the_model_decides_how_its_calls_are_read() {
    let dispatcher = speaking::<Wait>(OPENAI);
    let call = || ToolCall::new("call-1", "wait", SENT);
    assert_eq!(dispatcher.call(call()).await.content().to_text(), OWN);
    let all = dispatcher.run(vec![call(), call()]).await;
    assert_eq!(all.iter().map(|result| result.content().to_text()).collect::<Vec<_>>(), [OWN, OWN]);
    // Another dispatcher over the same tools reads another form.
    let plain = tests::dispatcher_of::<Wait>();
    assert_eq!(tests::code(&plain.call(call()).await), "INVALID_ARGS");
}

#[tokio::test]
async fn programs_and_policies_speak_the_tool_s_own_form() {
    let dispatcher = speaking::<Wait>(OPENAI);
    let wait = Wait { millis: 3, pairs: [("b".to_owned(), 2)].into() };
    assert_eq!(dispatcher.invoke(wait).await.unwrap(), r#"{"millis":3,"pairs":{"b":2}}"#);
    let rewritten = dispatcher.pre_policy(Rewrite).call(ToolCall::new("call-1", "wait", SENT)).await;
    assert_eq!(rewritten.content().to_text(), r#"{"millis":5,"pairs":{}}"#);
}

#[tokio::test]
async fn a_body_that_calls_a_tool_speaks_the_tool_s_own_form() {
    let mut registry = tests::dispatcher_of::<Wait>().registry();
    registry.tool::<Twice>().unwrap();
    let dispatcher = Dispatcher::new(registry.clone()).dialect(OPENAI.lower_all(&registry));
    let result = dispatcher.call(ToolCall::new("call-1", "twice", r#"{"note":null}"#)).await;
    assert_eq!(result.content().to_text(), OWN);
}

#[tokio::test]
async fn a_map_that_is_sent_as_one_is_taken() {
    let result = speaking::<Wait>(OPENAI).call(ToolCall::new("call-1", "wait", OWN)).await;
    assert_eq!(result.content().to_text(), OWN);
}

#[tokio::test]
async fn a_tool_that_the_model_was_not_told_of_is_called_in_its_own_form() {
    let tools = OPENAI.lower_all(&Registry::new());
    let dispatcher = tests::dispatcher_of::<Wait>().dialect(tools);
    assert_eq!(dispatcher.call(ToolCall::new("call-1", "wait", OWN)).await.content().to_text(), OWN);
}

#[tokio::test]
async fn names_that_were_sent_lead_to_their_tools() {
    let mut registry = tests::dispatcher_of::<Wait>().registry();
    let mut spec = registry.spec("wait").unwrap().clone();
    spec.name = "server/wait.a very long name that no provider takes, with more than sixty-four characters".to_owned();
    let lowered = Dialect::OpenAiChat(Mode::Lenient).lower(&spec).unwrap();
    assert_eq!(lowered.tool(), spec.name);
    assert_eq!(lowered.name().len(), 64);
    assert_eq!(lowered.definition()["function"]["name"], lowered.name());
    registry.tool_as::<Wait>(Overrides::new().name("other")).unwrap();
    let tools = OPENAI.lower_all(&registry);
    assert_eq!(tools.tool_name("other"), "other");
    assert_eq!(tools.tool_name("nobody"), "nobody");
}

/// A decoder of a host's own, which panics.
struct Broken;

impl ArgumentDecoder for Broken {
    fn tool_name<'a>(&'a self, _: &'a str) -> &'a str {
        panic!("on purpose")
    }

    fn changes(&self, _: &str) -> Option<Decoded> {
        Some(Decoded::Always)
    }

    fn decode(&self, _: &str, _: &JsonValue) -> Result<JsonValue, Vec<Violation>> {
        panic!("on purpose")
    }

    fn place(&self, _: &str, _: &JsonValue, _: &Pointer) -> Pointer {
        panic!("on purpose")
    }
}

#[tokio::test]
async fn a_decoder_that_panics_fails_the_call() {
    tests::quiet_panics();
    let result = tests::dispatcher_of::<Wait>().dialect(Broken).call(ToolCall::new("call-1", "wait", OWN)).await;
    assert_eq!(tests::code(&result), "PANICKED");
    assert!(!result.failure().unwrap().error().message().is_empty());
}

/// A decoder of a host's own, which panics over a text, or gives one that the tool's schema refuses.
struct Text(Option<&'static str>);

impl ArgumentDecoder for Text {
    fn tool_name<'a>(&'a self, called: &'a str) -> &'a str {
        called
    }

    fn changes(&self, _: &str) -> Option<Decoded> {
        Some(Decoded::Always)
    }

    fn decode(&self, _: &str, _: &JsonValue) -> Result<JsonValue, Vec<Violation>> {
        Ok(json!({"pairs": {"tree": 1}}))
    }

    fn decode_text<'t>(&self, _: &str, _: &'t str) -> Option<Cow<'t, str>> {
        Some(Cow::Borrowed(self.0.expect("on purpose")))
    }

    fn place(&self, _: &str, _: &JsonValue, own: &Pointer) -> Pointer {
        own.clone()
    }
}

#[tokio::test]
async fn a_text_that_is_not_decoded_as_one_is_decoded_as_a_tree() {
    tests::quiet_panics();
    let from_tree = r#"{"millis":0,"pairs":{"tree":1}}"#;
    for (text, read) in [
        (Some(r#"{"pairs":{"text":2}}"#), r#"{"millis":0,"pairs":{"text":2}}"#),
        (Some(r#"{"pairs":{"text":300}}"#), from_tree),
        (Some("{"), from_tree),
        (None, from_tree),
    ] {
        let dispatcher = tests::dispatcher_of::<Wait>().dialect(Text(text));
        assert_eq!(dispatcher.call(ToolCall::new("call-1", "wait", "{}")).await.content().to_text(), read, "{text:?}");
    }
}

#[tokio::test]
async fn what_a_decoder_drops_counts_for_the_limit_of_the_text() {
    let sent = r#"{"note":null}"#;
    for (max_bytes, is_taken) in [(sent.len(), true), (sent.len() - 1, false)] {
        let limits = Limits { arguments: ParseLimits { max_bytes, ..ParseLimits::default() }, ..Limits::default() };
        let mut registry = tests::dispatcher_of::<Wait>().registry();
        registry.tool::<Twice>().unwrap();
        let tools = OPENAI.lower_all(&registry);
        let dispatcher = Dispatcher::new(registry).limits(limits).dialect(tools);
        let result = dispatcher.call(ToolCall::new("call-1", "twice", sent)).await;
        assert_eq!(result.success().is_some(), is_taken, "{result:?}");
        assert!(is_taken || tests::code(&result) == "INVALID_ARGS");
    }
}
