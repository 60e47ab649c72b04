//! Shapes of types in the words of providers: unions, enums, maps, tuples, recursion, constraints, names.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use tests::echo;
use tool_runtime::dialect::{Dialect, GeminiForm, Kept, McpRevision, Mode};
use tool_runtime::prelude::*;
use tool_runtime::tool_input;

use crate::{ANTHROPIC, GEMINI, OPENAI, lowered, sent, told};

/// Answer.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Ping;

/// Do one of several things.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
#[serde(tag = "action", rename_all = "lowercase")]
enum Command {
    Open(Opened),
    Close { id: u32 },
    List,
}

#[tool_input]
#[derive(Serialize)]
struct Opened {
    path: String,
    mode: Option<Mode_>,
}

#[tool_input]
#[derive(Serialize)]
enum Mode_ {
    /// quick
    Fast,
    /// slow and exact
    Exact,
}

/// Run.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Run {
    /// how to run
    mode: Mode_,
    fallback: Option<Mode_>,
}

/// Take maps.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Maps {
    texts: BTreeMap<String, String>,
    by_number: BTreeMap<u8, Vec<(u8, String)>>,
    values: Vec<tool_runtime::JsonValue>,
}

/// Find.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Find {
    text: String,
    condition: Option<Condition>,
}

#[tool_input]
#[derive(Serialize)]
enum Condition {
    Leaf { field: String, at_least: f64 },
    Every { of: Vec<Condition> },
    Not { c: Box<Condition> },
}

/// Take bounds.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Bounds {
    /// In years
    #[schemars(range(min = 0, max = 120))]
    age: u8,
    #[schemars(regex(pattern = "^a+$"))]
    letters: String,
    #[schemars(length(min = 2, max = 5))]
    list: Vec<u8>,
    #[schemars(url)]
    address: String,
    wide: u64,
}

/// Take odd names.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Odd {
    #[serde(rename = "with space/~")]
    spaced: u8,
    with_space__: u8,
}

echo!(Ping, Command, Run, Maps, Find, Bounds, Odd);

#[tokio::test]
async fn a_tool_without_arguments_is_an_object_or_nothing() {
    assert_eq!(sent::<Ping>(GEMINI), Value::Null);
    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(sent::<Ping>(Dialect::Mcp(McpRevision::V2025_11_25)), closed);
    assert_eq!(sent::<Ping>(OPENAI)["properties"], json!({}));
    for dialect in Dialect::ALL {
        assert_eq!(told::<Ping>(dialect, "{}").await, "null", "{dialect:?}");
        assert_eq!(told::<Ping>(dialect, "").await, "null", "{dialect:?}");
    }
}

#[tokio::test]
async fn an_enum_as_arguments_stands_in_a_property_where_the_root_may_be_no_union() {
    let schema = sent::<Command>(ANTHROPIC);
    let branches = schema["properties"]["arguments"]["anyOf"].as_array().unwrap();
    assert_eq!(branches[0]["properties"]["action"]["enum"], json!(["open"]), "a branch has its tag");
    assert_eq!(branches[0]["properties"]["path"]["type"], "string", "and its fields");
    let reply = r#"{"arguments":{"action":"open","path":"a","mode":"Fast"}}"#;
    for dialect in Dialect::ALL.into_iter().filter(|dialect| !matches!(dialect, Dialect::Mcp(_))) {
        assert_eq!(told::<Command>(dialect, reply).await, r#"{"action":"open","path":"a","mode":"Fast"}"#);
        let refused = told::<Command>(dialect, r#"{"arguments":{"action":"open"}}"#).await;
        assert!(refused.contains(r#"missing required property "/arguments/path""#), "{dialect:?}: {refused}");
    }
    let mcp = sent::<Command>(Dialect::Mcp(McpRevision::V2025_11_25));
    assert!(mcp["type"] == "object" && mcp["oneOf"].is_array());
    assert_eq!(
        told::<Command>(OPENAI, r#"{"action":"list"}"#).await,
        r#"{"action":"list"}"#,
        "some leave out the property"
    );
}

#[test]
fn every_target_shows_the_exact_words_and_the_texts_of_variants() {
    for dialect in [OPENAI, ANTHROPIC, GEMINI, Dialect::Ollama, Dialect::Gemini(GeminiForm::JsonSchema)] {
        let schema = sent::<Run>(dialect);
        let mode = &schema["properties"]["mode"];
        assert_eq!(mode["enum"], json!(["Fast", "Exact"]), "{dialect:?}");
        assert_eq!(mode["description"], "how to run. \"Fast\": quick. \"Exact\": slow and exact", "{dialect:?}");
        assert!(!schema.to_string().contains("$ref"));
    }
    let fallback = &sent::<Run>(OPENAI)["properties"]["fallback"];
    assert_eq!(fallback["anyOf"][0]["enum"], json!(["Fast", "Exact"]));
    assert_eq!(fallback["anyOf"][1], json!({"type": "null"}));
}

#[tokio::test]
async fn the_letter_case_of_words_comes_back_where_it_may_change() {
    assert_eq!(
        told::<Run>(ANTHROPIC, r#"{"mode":"fast","fallback":"EXACT"}"#).await,
        r#"{"mode":"Fast","fallback":"Exact"}"#
    );
    assert!(told::<Run>(OPENAI, r#"{"mode":"fast","fallback":null}"#).await.contains("INVALID_ARGS"));
}

#[tokio::test]
async fn maps_tuples_and_any_json_are_rewritten_and_come_back() {
    let pairs = r#"{"texts":[{"key":"a","value":"1"},{"key":"","value":"true"}],
        "by_number":[{"key":"7","value":[{"_0":1,"_1":"x"}]}],"values":["{\"a\":[1]}","\"text\"","null"]}"#;
    let own = r#"{"texts":{"":"true","a":"1"},"by_number":{"7":[[1,"x"]]},"values":[{"a":[1]},"text",null]}"#;
    for dialect in [OPENAI, ANTHROPIC, GEMINI, Dialect::Mistral] {
        assert_eq!(told::<Maps>(dialect, pairs).await, own, "{dialect:?}");
        assert!(!sent::<Maps>(dialect).to_string().contains(r#""properties":{},"#), "a closed map can only be empty");
    }
}

#[tokio::test]
async fn what_is_wrong_is_told_with_the_place_that_the_model_knows() {
    let wrong = r#"{"texts":[{"key":"a","value":1},{"key":"b"}],"by_number":[],"values":[]}"#;
    let told_of_pairs = told::<Maps>(OPENAI, wrong).await;
    assert!(
        told_of_pairs.contains(r#""/texts/1" must be an object with a text "key" and a "value""#),
        "{told_of_pairs}"
    );
    let wrong =
        r#"{"texts":[{"key":"a","value":1}],"by_number":[{"key":"7","value":[{"_0":300,"_1":"x"}]}],"values":[]}"#;
    let told_of_values = told::<Maps>(OPENAI, wrong).await;
    assert!(told_of_values.contains(r#""/texts/0/value""#), "{told_of_values}");
    assert!(told_of_values.contains(r#""/by_number/0/value/0/_0""#), "{told_of_values}");
    let more = r#"{"texts":[{"key":"a","value":"1","note":"x"}],"by_number":[],"values":[]}"#;
    let told_of_more = told::<Maps>(OPENAI, more).await;
    assert!(told_of_more.contains(r#""/texts/0/note" is not a declared property"#), "{told_of_more}");
    let twice = r#"{"texts":[{"key":"a","value":"1"},{"key":"a","value":"2"}],"by_number":[],"values":["{"]}"#;
    let told_of_keys = told::<Maps>(OPENAI, twice).await;
    assert!(told_of_keys.contains(r#""/texts/1/key" repeats the key "a""#), "{told_of_keys}");
    assert!(told_of_keys.contains(r#""/values/0" must be a text that holds JSON"#), "{told_of_keys}");
}

#[tokio::test]
async fn recursion_is_said_or_refused_and_takes_no_other_tool_with_it() {
    let deep = |levels: usize| {
        let (open, close) = (r#"{"Not":{"c":"#.repeat(levels), "}}".repeat(levels));
        format!(r#"{{"text":"a","condition":{open}{{"Leaf":{{"field":"f","at_least":1.0}}}}{close}}}"#)
    };
    for dialect in [OPENAI, Dialect::DeepSeek(Mode::Strict), Dialect::Mcp(McpRevision::V2025_11_25)] {
        assert!(sent::<Find>(dialect)["$defs"]["Condition"].is_object(), "{dialect:?}");
        for levels in [1, 5, 60] {
            assert_eq!(told::<Find>(dialect, &deep(levels)).await, deep(levels), "{dialect:?}");
        }
    }
    let mut registry = tests::dispatcher_of::<Find>().registry();
    registry.tool::<Ping>().unwrap();
    for dialect in [ANTHROPIC, GEMINI, Dialect::Xai] {
        let tools = dialect.lower_all(&registry);
        assert_eq!(tools.tools().len(), 1);
        let [left_out] = tools.left_out() else { panic!("{tools:?}") };
        assert_eq!(left_out.tool(), "find");
        assert_eq!(left_out.why()[0].path().as_str(), "/$defs/Condition");
        assert!(left_out.why()[0].reason().contains("\"Condition\" holds itself"), "{left_out}");
    }
}

#[test]
fn what_a_dialect_has_no_word_for_stands_in_the_description_and_in_the_losses() {
    let schema = sent::<Bounds>(ANTHROPIC);
    assert_eq!(schema["properties"]["age"], json!({"description": "In years. Between 0 and 120.", "type": "integer"}));
    assert_eq!(schema["properties"]["list"]["description"], "Between 2 and 5 items.");
    assert_eq!(schema["properties"]["letters"]["pattern"], "^a+$");
    assert_eq!(schema["properties"]["wide"]["description"], "At least 0.", "the width of a word is no news to a model");
    let lowered = lowered::<Bounds>(ANTHROPIC);
    let lost = |said: &str| {
        lowered.losses().iter().find(|loss| loss.said() == said).map(|loss| (loss.path().as_str(), loss.kept()))
    };
    assert_eq!(lost("`maximum: 120`"), Some(("/properties/age", Kept::InDescription)));
    assert_eq!(lost("`maximum: 18446744073709551615`"), Some(("/properties/wide", Kept::OnlyChecked)));
    assert_eq!(sent::<Bounds>(OPENAI)["properties"]["age"]["maximum"], 120);
    assert_eq!(
        sent::<Bounds>(OPENAI)["properties"]["address"],
        json!({"description": "Format: uri.", "type": "string"})
    );
    assert_eq!(sent::<Bounds>(GEMINI)["properties"]["list"]["maxItems"], 5);
}

#[tokio::test]
async fn names_that_a_provider_refuses_are_others_and_come_back() {
    let schema = sent::<Odd>(GEMINI);
    assert_eq!(schema["required"], json!(["with_space___2", "with_space__"]));
    let read = r#"{"with space/~":1,"with_space__":2}"#;
    assert_eq!(told::<Odd>(GEMINI, r#"{"with_space___2":1,"with_space__":2}"#).await, read);
    let refused = told::<Odd>(GEMINI, r#"{"with_space___2":300,"with_space__":2}"#).await;
    assert!(refused.contains(r#""/with_space___2""#), "{refused}");
    assert_eq!(sent::<Odd>(OPENAI)["required"], json!(["with space/~", "with_space__"]));
}
