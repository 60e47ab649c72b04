//! What a provider's model may send is what the dispatcher takes: integers of every width, and what may be left out or null.

use serde::Serialize;
use serde_json::{Value, json};
use tests::echo;
use tool_runtime::dialect::{Dialect, GeminiForm};
use tool_runtime::prelude::*;
use tool_runtime::tool_input;

use crate::foreign::as_json_schema;
use crate::{OPENAI, sent, speaking, told};

/// Take numbers.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Numbers {
    a: u8,
    b: u32,
    c: u64,
    d: usize,
    f: f32,
    #[schemars(url)]
    address: String,
}

/// Look for it.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Look {
    q: String,
    limit: Option<u32>,
    mode: Option<Mode>,
}

#[tool_input]
#[derive(Serialize)]
enum Mode {
    Fast,
    Exact,
}

echo!(Numbers, Look);

/// Every value of a keyword, wherever it stands.
fn said(schema: &Value, keyword: &str) -> Vec<Value> {
    match schema {
        Value::Object(node) => {
            let here = node.get(keyword).filter(|value| !value.is_object()).cloned();
            here.into_iter().chain(node.values().flat_map(|inner| said(inner, keyword))).collect()
        }
        Value::Array(items) => items.iter().flat_map(|inner| said(inner, keyword)).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn widths_of_integers_are_no_formats_and_are_enforced_in_every_dialect() {
    let numbers = |a: i64, b: i64| json!({"a": a, "b": b, "c": 1, "d": 1, "f": 0.5, "address": "https://example.com/"});
    for dialect in Dialect::ALL {
        let formats = said(&sent::<Numbers>(dialect), "format");
        assert!(formats.iter().all(|format| format == "uri"), "{dialect:?}: {formats:?}");
        assert!(formats.is_empty() || dialect != Dialect::Gemini(GeminiForm::OpenApi), "{formats:?}");
        for (wrong, place, range) in [(numbers(256, 1), "\"/a\"", "255"), (numbers(1, -1), "\"/b\"", "0")] {
            let refused = told::<Numbers>(dialect, &wrong.to_string()).await;
            assert!(
                refused.contains("INVALID_ARGS") && refused.contains(place) && refused.contains(range),
                "{refused}"
            );
        }
        assert!(told::<Numbers>(dialect, &numbers(255, 0).to_string()).await.starts_with(r#"{"a":255,"b":0"#));
    }
}

#[tokio::test]
async fn what_a_dialect_says_of_null_is_what_its_dispatcher_takes() {
    let calls = [json!({"q": "a"}), json!({"q": "a", "limit": null}), json!({"q": "a", "mode": null})];
    let all = json!({"q": "a", "limit": null, "mode": null});
    for dialect in Dialect::ALL {
        let schema = sent::<Look>(dialect);
        let wants_all = said(&schema, "required")[0].as_array().is_some_and(|names| names.len() == 3);
        let oracle = jsonschema::validator_for(&as_json_schema(&schema)).unwrap();
        let says_nullable = !said(&schema, "nullable").is_empty();
        assert!(!says_nullable || dialect == Dialect::Gemini(GeminiForm::OpenApi), "{dialect:?}: {schema}");
        assert_eq!(oracle.is_valid(&calls[0]), !wants_all, "{dialect:?}: {schema}");
        assert!(!wants_all || oracle.is_valid(&all), "{dialect:?}: {schema}");
        // Whether the schema says so or not, null and leaving it out are one thing for an `Option`.
        for call in calls.iter().chain([&all]) {
            let result = speaking::<Look>(dialect).call(ToolCall::new("1", "look", call.to_string())).await;
            assert_eq!(result.content().to_text(), r#"{"q":"a","limit":null,"mode":null}"#, "{dialect:?}: {call}");
        }
    }
    assert_eq!(said(&sent::<Look>(OPENAI), "required")[0], json!(["q", "limit", "mode"]));
}
