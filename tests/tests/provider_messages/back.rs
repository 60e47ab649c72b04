//! Ids and arguments there and back.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_runtime::dialect::{Dialect, GeminiForm, McpRevision, Mode};
use tool_runtime::json::{ParseLimits, equal, parse};

use crate::answered;

/// A whole response that asks for `show` under these ids, with these arguments.
fn response(dialect: Dialect, calls: &[(String, Value)]) -> Value {
    let each = |call: &dyn Fn(&str, &Value) -> Value| -> Value {
        calls.iter().map(|(id, arguments)| call(id, arguments)).collect()
    };
    match dialect {
        Dialect::OpenAiResponses(_) => json!({"status": "completed", "output": each(&|id, arguments| {
            json!({"type": "function_call", "call_id": id, "name": "show", "arguments": arguments.to_string()})
        })}),
        Dialect::Anthropic(_) => json!({"stop_reason": "tool_use", "content": each(&|id, arguments| {
            json!({"type": "tool_use", "id": id, "name": "show", "input": arguments})
        })}),
        Dialect::Gemini(_) => {
            let parts = each(&|id, arguments| json!({"functionCall": {"id": id, "name": "show", "args": arguments}}));
            json!({"candidates": [{"finishReason": "STOP", "content": {"parts": parts}}]})
        }
        Dialect::Ollama => json!({"done": true, "message": {"tool_calls": each(&|id, arguments| {
            json!({"id": id, "function": {"name": "show", "arguments": arguments}})
        })}}),
        Dialect::Mcp(_) => each(
            &|id, arguments| json!({"id": id, "method": "tools/call", "params": {"name": "show", "arguments": arguments}}),
        ),
        _ => {
            let calls = each(
                &|id, arguments| json!({"id": id, "function": {"name": "show", "arguments": arguments.to_string()}}),
            );
            json!({"choices": [{"finish_reason": "tool_calls", "message": {"tool_calls": calls}}]})
        }
    }
}

/// The ids that messages give back, in their order.
fn ids(dialect: Dialect, messages: &[Value]) -> Vec<String> {
    let all = |list: &[Value], place: &str| -> Vec<String> {
        list.iter().map(|item| item.pointer(place).unwrap().as_str().unwrap().to_owned()).collect()
    };
    match dialect {
        Dialect::OpenAiResponses(_) => all(messages, "/call_id"),
        Dialect::Anthropic(_) => all(messages[0]["content"].as_array().unwrap(), "/tool_use_id"),
        Dialect::Gemini(_) => all(messages[0]["parts"].as_array().unwrap(), "/functionResponse/id"),
        _ => all(messages, "/tool_call_id"),
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter("JSON has no others", |float| float.is_finite()).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,4}", inner, 0..4)
                .prop_map(|entries| Value::Object(Map::from_iter(entries))),
        ]
    })
}

fn any_dialect() -> impl Strategy<Value = Dialect> {
    prop::sample::select(vec![
        Dialect::OpenAiChat(Mode::Strict),
        Dialect::OpenAiResponses(Mode::Lenient),
        Dialect::Anthropic(Mode::Strict),
        Dialect::Gemini(GeminiForm::JsonSchema),
        Dialect::DeepSeek(Mode::Strict),
        Dialect::Xai,
        Dialect::Mistral,
        Dialect::Ollama,
    ])
}

proptest! {
    #[test]
    fn ids_come_back_as_they_were(
        dialect in any_dialect(),
        wanted in prop::collection::btree_set("\\PC{1,12}", 1..6),
    ) {
        let calls: Vec<(String, Value)> = wanted.iter().map(|id| (id.clone(), json!({"what": "text"}))).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let messages = runtime.block_on(answered(dialect, &response(dialect, &calls)));
        prop_assert_eq!(ids(dialect, &messages), wanted.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn arguments_keep_every_value(
        dialect in prop_oneof![any_dialect(), Just(Dialect::Mcp(McpRevision::V2025_03_26))],
        arguments in prop::collection::btree_map(".{0,4}", any_json(), 0..4),
    ) {
        let arguments = Value::Object(Map::from_iter(arguments));
        let response = response(dialect, &[("1".to_owned(), arguments.clone())]);
        let calls = dialect.calls(&response).unwrap();
        let read = parse(calls[0].arguments().unwrap(), &ParseLimits::default()).unwrap();
        prop_assert!(equal(&read, &arguments), "{read} {arguments}");
        prop_assert_eq!(read.to_string(), arguments.to_string());
    }
}
