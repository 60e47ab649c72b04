//! Schemas as servers in the wild publish them: each is lowered, or refused with its reason.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tests::foreign::schemas;
use tool_runtime::dialect::{Dialect, GeminiForm, McpRevision, Mode};
use tool_runtime::prelude::*;

use crate::{ANTHROPIC, GEMINI, OPENAI, schema};

const DIALECTS: [Dialect; 7] = [
    OPENAI,
    Dialect::OpenAiResponses(Mode::Lenient),
    ANTHROPIC,
    GEMINI,
    Dialect::Gemini(GeminiForm::JsonSchema),
    Dialect::Ollama,
    Dialect::Mcp(McpRevision::V2025_11_25),
];

/// Which of them a dialect can't say, with the words that say why.
fn refusal(dialect: Dialect, name: &str) -> Option<&'static str> {
    let is_mcp = matches!(dialect, Dialect::Mcp(_) | Dialect::OpenAiResponses(_));
    let takes_recursion = is_mcp || matches!(dialect, Dialect::OpenAiChat(_) | Dialect::Gemini(GeminiForm::JsonSchema));
    match name {
        "recursion by an anchor" if !takes_recursion => Some("holds itself"),
        "a list or a map" if !is_mcp && dialect != Dialect::Gemini(GeminiForm::JsonSchema) => {
            Some("two variants look alike")
        }
        _ => None,
    }
}

fn tool(schema: &Value) -> DynamicTool {
    let body = |arguments: std::sync::Arc<Value>, _| async move { Ok(Value::clone(&arguments)) };
    DynamicTool::new("foreign", "Do something.", body).input_schema(schema.clone()).output_schema(json!({}))
}

#[tokio::test]
async fn each_is_lowered_or_refused_with_its_reason() {
    let mut faults = String::new();
    for (name, raw, value) in schemas() {
        let mut registry = Registry::new();
        registry.dynamic(tool(&raw)).unwrap_or_else(|error| panic!("{name}: {error}"));
        for dialect in DIALECTS {
            let tools = dialect.lower_all(&registry);
            let expected = refusal(dialect, name);
            if let Some(lowered) = tools.tool("foreign") {
                let sent = lowered.decoder().encode(&value);
                let dispatcher = Dispatcher::new(registry.clone()).dialect(tools.clone());
                let result = dispatcher.call(ToolCall::new("1", lowered.name(), sent.to_string())).await;
                let read = result.success().map(|success| success.value().to_value());
                let oracle = jsonschema::validator_for(&as_json_schema(&schema(lowered.definition()))).unwrap();
                if read.as_ref() != Some(&value) || expected.is_some() || !oracle.is_valid(&sent) {
                    let _ = writeln!(
                        faults,
                        "{name} in {dialect:?}: {value} as {sent}: {result:?}\n{}",
                        lowered.definition()
                    );
                }
                continue;
            }
            let why = tools.left_out()[0].to_string();
            if !expected.is_some_and(|words| why.contains(words)) {
                let _ = writeln!(faults, "{name} in {dialect:?}: {why}");
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// `nullable` as JSON Schema says it.
pub(crate) fn as_json_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(node) => {
            let mut node: serde_json::Map<String, Value> =
                node.iter().map(|(key, value)| (key.clone(), as_json_schema(value))).collect();
            if node.shift_remove("nullable") == Some(Value::Bool(true)) {
                return json!({"anyOf": [{"type": "null"}, node]});
            }
            Value::Object(node)
        }
        Value::Array(items) => items.iter().map(as_json_schema).collect(),
        other => other.clone(),
    }
}

#[test]
fn boolean_schemas_are_spelt_out_for_readers_that_take_objects_only() {
    let raw = json!({"type": "object", "properties": {"any": true, "never": false, "list": {"type": "array", "items": true}}});
    let mut registry = Registry::new();
    registry.dynamic(tool(&raw)).unwrap();
    let lowered = Dialect::Mcp(McpRevision::V2025_11_25).lower(registry.spec("foreign").unwrap()).unwrap();
    let expected = json!({"any": {}, "never": {"not": {}}, "list": {"type": "array", "items": {}}});
    assert_eq!(schema(lowered.definition())["properties"], expected);
}

#[test]
fn every_object_is_closed_wherever_it_hides() {
    let raw = json!({
        "type": "object",
        "properties": {
            "a": {"type": ["object", "null"], "properties": {"b": {"type": "string"}}},
            "c": {"oneOf": [{"type": "object", "properties": {"d": {"type": "string"}}}]},
            "e": {"$ref": "#/$defs/E"},
        },
        "$defs": {"E": {"properties": {"f": true}}},
    });
    let mut registry = Registry::new();
    registry.dynamic(tool(&raw)).unwrap();
    let lowered = OPENAI.lower(registry.spec("foreign").unwrap()).unwrap();
    let mut closed = 0;
    let mut waiting = vec![schema(lowered.definition())];
    while let Some(value) = waiting.pop() {
        if let Some(properties) = value.get("properties").and_then(Value::as_object) {
            closed += 1;
            assert_eq!(value["additionalProperties"], false, "{value}");
            assert_eq!(value["required"].as_array().unwrap().len(), properties.len(), "{value}");
        }
        match value {
            Value::Object(node) => waiting.extend(node.into_iter().map(|(_, value)| value)),
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    assert_eq!(closed, 4);
}

#[tokio::test]
async fn nulls_that_a_foreign_schema_allows_stay_and_ours_go() {
    let raw = json!({
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {
            "type": "object", "properties": {"own": {"type": ["string", "null"]}, "ours": {"type": "string"}},
        }}},
    });
    let mut registry = Registry::new();
    registry.dynamic(tool(&raw)).unwrap();
    let dispatcher = Dispatcher::new(registry.clone()).dialect(OPENAI.lower_all(&registry));
    let result = dispatcher.call(ToolCall::new("1", "foreign", r#"{"rows":[{"own":null,"ours":null}]}"#)).await;
    assert_eq!(result.success().unwrap().value().as_str(), r#"{"rows":[{"own":null}]}"#);
}

#[test]
fn a_schema_that_grows_beyond_measure_is_refused_at_once() {
    let mut definitions = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
        definitions.insert(format!("L{level}"), json!({"type": "object", "properties": {"a": next, "b": next}}));
    }
    definitions.insert("L40".into(), json!({"type": "string"}));
    let raw = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/L0"}}, "$defs": definitions});
    let mut registry = Registry::new();
    registry.dynamic(tool(&raw)).unwrap();
    let why = OPENAI.lower(registry.spec("foreign").unwrap()).unwrap_err();
    assert!(why[0].reason().contains("more than 20000 places"), "{why:?}");
    assert!(Dialect::Mcp(McpRevision::V2025_11_25).lower(registry.spec("foreign").unwrap()).is_ok());
}
