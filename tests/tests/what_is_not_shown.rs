//! What a refusal must not show: secrets in arguments, and values that were never accepted.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use serde_json::{Value, json};
use tests::{call, code, dispatcher_of, echo};
use tool_runtime::Repairs;
use tool_runtime::prelude::*;

/// Log in.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct LogIn {
    name: String,
    #[schemars(extend("format" = "password"), length(min = 8), regex(pattern = "^[a-z0-9]+$"))]
    password: String,
    #[schemars(extend("writeOnly" = true), range(max = 9999))]
    pin: Option<u16>,
    #[serde(default)]
    older: Vec<Older>,
}

#[tool_input]
#[derive(Serialize)]
#[serde(tag = "kind")]
enum Older {
    Word {
        #[schemars(extend("format" = "password"), length(min = 8))]
        word: String,
    },
    Key {
        #[schemars(extend("writeOnly" = true))]
        key: u32,
    },
}

echo!(LogIn);

#[tokio::test]
async fn a_secret_that_is_refused_is_in_no_part_of_the_result() {
    for arguments in [
        json!({"name": "n", "password": "S3cr3t!"}),
        json!({"name": "n", "password": "S3cr3t!S3cr3t!"}),
        json!({"name": "n", "password": ["S3cr3t!"]}),
        json!({"name": "n", "password": {"S3cr3t!": "S3cr3t!"}}),
        json!({"name": 1, "password": "longenough", "pin": "S3cr3t!"}),
        json!({"name": "n", "password": "longenough", "older": [{"kind": "Word", "word": "S3cr3t!"}]}),
        json!({"name": "n", "password": "longenough", "older": [{"kind": "Key", "key": "S3cr3t!"}]}),
    ] {
        for repairs in [Repairs::none(), Repairs::all()] {
            let call = ToolCall::new("call-1", "log_in", arguments.to_string());
            let result = dispatcher_of::<LogIn>().repairs(repairs).call(call).await;
            assert_eq!(code(&result), "INVALID_ARGS", "{arguments}");
            let shown = format!("{} {result:?}", result.content().to_text());
            assert!(!shown.contains("S3cr3t"), "{arguments}: {shown}");
            assert!(shown.contains("/password") || shown.contains("/pin") || shown.contains("/older"), "{shown}");
        }
    }
    let pin = call::<LogIn>(r#"{"name":"n","password":"longenough","pin":10000}"#).await.content().to_text();
    assert!(pin.contains("\"/pin\" must be at most 9999") && !pin.contains("10000"), "{pin}");
}

/// Give what no schema of its own takes.
fn gives(value: Value, renders: &Arc<AtomicUsize>) -> Dispatcher {
    let (render, meta) = (Arc::clone(renders), Arc::clone(renders));
    let tool = DynamicTool::new("gives", "Give.", move |_, _| {
        let value = value.clone();
        async move { Ok(value) }
    })
    .output_schema(
        json!({"type": "object", "properties": {"rows": {"type": "array", "maxItems": 1}}, "required": ["rows"]}),
    )
    .render(move |_, value| {
        render.fetch_add(1, Ordering::SeqCst);
        Content::text(value.to_string())
    })
    .meta(move |_, _| {
        meta.fetch_add(1, Ordering::SeqCst);
        Value::Null
    });
    let mut registry = Registry::new();
    registry.dynamic(tool).unwrap();
    Dispatcher::new(registry)
}

/// The untyped way round the declared output is checked before anything is made of the value.
#[tokio::test]
async fn a_value_that_is_refused_is_never_rendered() {
    let renders = Arc::new(AtomicUsize::new(0));
    for value in [json!([]), json!({}), json!({"rows": ["row-1", "row-2"]}), json!("row-1"), json!(null)] {
        let result = gives(value.clone(), &renders).call(ToolCall::without_arguments("c", "gives")).await;
        assert_eq!(code(&result), "INVALID_TOOL_OUTPUT", "{value}");
        assert!(result.success().is_none() && result.meta().is_none());
        assert_eq!(renders.load(Ordering::SeqCst), 0, "{value}");
    }
    let result = gives(json!({"rows": []}), &renders).call(ToolCall::without_arguments("c", "gives")).await;
    assert_eq!((code(&result), result.meta()), ("OK", Some(&Value::Null)), "a meta of null is a meta");
    assert_eq!(renders.load(Ordering::SeqCst), 2);
}

/// Take what comes.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, open)]
struct Lenient {
    q: String,
    max_results: Option<u32>,
}

echo!(Lenient);

/// Shows the arguments as a policy sees them.
struct Sees;

impl PostPolicy for Sees {
    fn name(&self) -> &'static str {
        "sees"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::replace_content(call.arguments().map(ToString::to_string).unwrap_or_default()))
    }
}

#[tokio::test]
async fn what_an_open_tool_ignores_a_policy_still_sees() {
    let arguments = r#"{"q":"a","maxResults":5,"_meta":{"trace":"t"},"max_results.value":6}"#;
    let call = || ToolCall::new("call-1", "lenient", arguments);
    let plain = dispatcher_of::<Lenient>().call(call()).await;
    assert_eq!(plain.content().to_text(), r#"{"q":"a","max_results":null}"#);
    let seen = dispatcher_of::<Lenient>().policy(Sees).call(call()).await;
    assert_eq!(seen.content().to_text(), arguments);
}
