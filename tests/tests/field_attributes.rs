//! serde's attributes on fields: what is published is what is taken, and names follow serde in both directions.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use tests::{call, code, echo, faults, given, input_schema, output_schema, told};
use tool_runtime::prelude::*;

/// Names that serde changes.
#[derive(Tool, Serialize)]
#[serde(rename_all = "camelCase")]
#[tool(output = String, render = display)]
struct Renamed {
    r#type: String,
    url_path: String,
    #[serde(rename(serialize = "outName", deserialize = "inName"))]
    n: u8,
    #[serde(skip_serializing, default)]
    #[expect(dead_code, reason = "a secret is not written")]
    secret: String,
    #[serde(skip_deserializing)]
    computed: String,
}

/// Names that serde also takes.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Aliased {
    #[serde(alias = "kind", alias = "class")]
    r#type: String,
}

/// Fields of another type beside its own.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Flattened {
    q: String,
    #[serde(flatten)]
    window: Window,
    #[serde(flatten)]
    order: Order,
}

#[tool_input]
#[derive(Serialize)]
struct Window {
    #[serde(default)]
    offset: u32,
    limit: Option<u32>,
}

#[tool_input]
#[derive(Serialize)]
#[serde(tag = "by", rename_all = "lowercase")]
enum Order {
    Name,
    Size { least: u64 },
}

echo!(Renamed, Aliased, Flattened);

#[tokio::test]
async fn arguments_have_the_names_that_are_read() {
    let schema = input_schema::<Renamed>();
    let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["type", "urlPath", "inName", "secret"]);
    assert_eq!(schema["required"], json!(["type", "urlPath", "inName"]));
    let taken = told::<Renamed>(r#"{"type":"t","urlPath":"/","inName":3}"#).await;
    assert_eq!(taken, r#"{"type":"t","urlPath":"/","outName":3,"computed":""}"#);
    for wrong in ["outName", "n", "computed", "url_path", "r#type"] {
        let arguments = json!({"type": "t", "urlPath": "/", "inName": 3, wrong: "x"}).to_string();
        let faults = faults::<Renamed>(&arguments).await;
        assert!(faults.len() == 1 && faults[0].contains(wrong), "{faults:?}");
    }
}

#[tokio::test]
async fn an_alias_is_turned_into_its_field_before_the_arguments_are_checked() {
    for name in ["type", "kind", "class"] {
        assert_eq!(told::<Aliased>(&json!({name: "t"}).to_string()).await, r#"{"type":"t"}"#, "{name}");
    }
    assert_eq!(code(&call::<Aliased>(r#"{"type":"t","kind":"u"}"#).await), "INVALID_ARGS", "one of them would be lost");
    assert_eq!(code(&call::<Aliased>(r#"{"class":"t","kind":"u"}"#).await), "INVALID_ARGS");
    let wrong = faults::<Aliased>(r#"{"kind":5}"#).await;
    assert!(wrong.len() == 1 && wrong[0].contains("must be a string"), "{wrong:?}");
    let expected = json!({"type": "object", "properties": {"type": {"type": "string"}}, "required": ["type"],
        "additionalProperties": false});
    assert_eq!(input_schema::<Aliased>(), expected);
}

#[tokio::test]
async fn a_flattened_field_shares_the_object_and_its_closing() {
    let taken = told::<Flattened>(r#"{"by":"size","least":5.0,"q":"a","limit":2}"#).await;
    assert_eq!(taken, r#"{"by":"size","least":5,"limit":2,"offset":0,"q":"a"}"#);
    assert_eq!(told::<Flattened>(r#"{"q":"a","by":"name"}"#).await, r#"{"by":"name","limit":null,"offset":0,"q":"a"}"#);
    for bad in [
        r#"{"q":"a"}"#,
        r#"{"q":"a","by":"size"}"#,
        r#"{"q":"a","by":"name","x":1}"#,
        r#"{"q":"a","by":"name","limit":-1}"#,
        r#"{"by":"name"}"#,
    ] {
        assert_eq!(code(&call::<Flattened>(bad).await), "INVALID_ARGS", "{bad}");
    }
    let misspelt = faults::<Flattened>(r#"{"q":"a","by":"name","limt":1}"#).await;
    assert!(misspelt.iter().any(|fault| fault.contains(r#"did you mean "limit"?"#)), "{misspelt:?}");
}

/// Optional things.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Optional {
    q: String,
    limit: Option<u32>,
    mode: Option<Mode>,
    tag: Option<String>,
    many: Option<Vec<Mode>>,
}

#[tool_input]
#[derive(Serialize)]
enum Mode {
    /// Quick.
    Fast,
    Exact,
}

echo!(Optional);

fn mentions(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(entries) => entries.iter().any(|(name, value)| name == key || mentions(value, key)),
        Value::Array(items) => items.iter().any(|item| mentions(item, key)),
        _ => false,
    }
}

#[tokio::test]
async fn null_and_absent_are_one_for_an_option_in_the_schema_and_at_run_time() {
    let schema = input_schema::<Optional>();
    assert_eq!(schema["required"], json!(["q"]));
    assert!(!mentions(&schema, "nullable"), "{schema}");
    let none = r#"{"q":"a","limit":null,"mode":null,"tag":null,"many":null}"#;
    for arguments in [
        r#"{"q":"a"}"#,
        r#"{"q":"a","limit":null}"#,
        r#"{"q":"a","mode":null}"#,
        r#"{"q":"a","limit":null,"mode":null,"tag":null,"many":null}"#,
    ] {
        assert!(schema_takes(&schema, arguments).await, "{arguments}");
        assert_eq!(told::<Optional>(arguments).await, none, "{arguments}");
    }
    for bad in [r#"{"q":null}"#, r#"{"q":"a","limit":""}"#, r#"{"q":"a","mode":"fast"}"#, r#"{"q":"a","many":[null]}"#]
    {
        assert!(!schema_takes(&schema, bad).await, "{bad}");
        assert_eq!(code(&call::<Optional>(bad).await), "INVALID_ARGS", "{bad}");
    }
    let texts = told::<Optional>(r#"{"q":"a","tag":"null"}"#).await;
    assert_eq!(texts, r#"{"q":"a","limit":null,"mode":null,"tag":"null","many":null}"#);
    assert!(told::<Optional>(r#"{"q":"a","tag":""}"#).await.contains(r#""tag":"""#));
}

/// The schema as a foreign tool's, so that the verdict is the schema's alone.
async fn schema_takes(schema: &Value, arguments: &str) -> bool {
    let tool = DynamicTool::new("check", "Check.", |_, _| async { Ok(Value::Null) })
        .input_schema(schema.clone())
        .output_schema(json!({}));
    let mut registry = Registry::new();
    registry.dynamic(tool).unwrap();
    Dispatcher::new(registry).call(ToolCall::new("call-1", "check", arguments)).await.is_success()
}

#[tool_output]
struct Sparse {
    a: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u64>,
    list: Vec<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<u8>,
}

#[tokio::test]
async fn what_is_none_is_null_or_left_out_and_the_schema_says_which() {
    let schema = output_schema::<Sparse>().unwrap();
    assert_eq!(schema["required"], json!(["a", "list"]));
    assert_eq!(schema["properties"]["a"]["type"], json!(["integer", "null"]));
    assert_eq!(schema["properties"]["b"]["type"], "integer");
    let result = given(|| Sparse { a: None, b: None, list: vec![], left_out: vec![] }).await;
    assert_eq!(result.success().unwrap().value().as_str(), r#"{"a":null,"list":[]}"#);
    let result = given(|| Sparse { a: Some(1), b: Some(2), list: vec![], left_out: vec![3] }).await;
    assert_eq!(result.success().unwrap().value().as_str(), r#"{"a":1,"b":2,"list":[],"left_out":[3]}"#);
}

#[tokio::test]
async fn what_is_left_out_comes_back_and_what_is_never_null_is_refused_as_null() {
    let value = || Sparse { a: Some(1), b: Some(2), list: vec![1], left_out: vec![3] };
    let back = tests::put_back(value, json!({"list": [], "a": null})).await;
    assert_eq!(back.success().unwrap().value().as_str(), r#"{"a":null,"list":[]}"#);
    for bad in [json!({"a": null, "b": null, "list": []}), json!({"list": []}), json!({"a": 1})] {
        let back = tests::put_back(value, bad.clone()).await;
        assert_eq!(code(&back), "INVALID_TOOL_OUTPUT", "{bad}");
    }
}

/// Output types that hand-written derives make, so that only registration can tell.
mod by_hand {
    use serde::{Deserialize, Serialize};
    use tool_runtime::ToolOutput;

    macro_rules! output {
        ($($item:item)*) => {$(
            #[derive(Serialize, Deserialize, schemars::JsonSchema)]
            $item
        )*};
    }

    output! {
        pub(super) struct TwoNames {
            #[serde(rename(serialize = "outName", deserialize = "inName"))]
            n: u8,
        }
        pub(super) struct Secret {
            #[serde(skip_serializing, default)]
            #[expect(dead_code, reason = "a secret is not written")]
            secret: String,
        }
        pub(super) struct Computed {
            #[serde(skip_deserializing)]
            computed: String,
        }
        pub(super) struct Kept {
            #[serde(rename = "theName")]
            n: u8,
            r#type: String,
        }
        pub(super) struct LeftOut {
            #[serde(skip_serializing_if = "String::is_empty")]
            text: String,
        }
    }

    impl ToolOutput for TwoNames {}
    impl ToolOutput for Secret {}
    impl ToolOutput for Computed {}
    impl ToolOutput for Kept {}
    impl ToolOutput for LeftOut {}
}

#[test]
fn an_output_that_does_not_read_what_it_writes_is_refused_with_the_attribute() {
    let refused = |error: Result<Value, RegistrationError>, attribute: &str| {
        let error = error.unwrap_err();
        assert!(error.problems().iter().all(|problem| *problem.code() == Code::UNSUPPORTED_SCHEMA), "{error}");
        assert!(error.to_string().contains(attribute), "{error}");
    };
    refused(output_schema::<by_hand::TwoNames>(), "rename(serialize = …)");
    refused(output_schema::<by_hand::Secret>(), "skip_serializing");
    refused(output_schema::<by_hand::Computed>(), "skip_deserializing");
    refused(output_schema::<by_hand::LeftOut>(), "skip_serializing_if");
    let kept = output_schema::<by_hand::Kept>().unwrap();
    assert_eq!(kept["required"], json!(["theName", "type"]));
}

#[tool_output]
struct Keyed {
    numbers: BTreeMap<u32, u8>,
    modes: BTreeMap<Key, u8>,
}

#[tool_output]
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Fast,
    #[serde(rename = "slow and exact")]
    Exact,
}

#[tokio::test]
async fn keys_that_print_as_text_are_text_in_the_value_and_in_the_schema() {
    let value = || Keyed {
        numbers: BTreeMap::from([(7, 1), (10, 2)]),
        modes: BTreeMap::from([(Key::Fast, 1), (Key::Exact, 2)]),
    };
    let expected = r#"{"numbers":{"10":2,"7":1},"modes":{"Fast":1,"slow and exact":2}}"#;
    assert_eq!(given(value).await.success().unwrap().value().as_str(), expected);
    let back = tests::put_back(value, json!({"numbers": {"3": 4}, "modes": {"Fast": 5.0}})).await;
    assert_eq!(back.success().unwrap().value().as_str(), r#"{"numbers":{"3":4},"modes":{"Fast":5}}"#);
    for bad in [json!({"numbers": {"x": 4}, "modes": {}}), json!({"numbers": {}, "modes": {"Slow": 1}})] {
        assert_eq!(code(&tests::put_back(value, bad.clone()).await), "INVALID_TOOL_OUTPUT", "{bad}");
    }
    let schema = output_schema::<Keyed>().unwrap();
    assert_eq!(schema["properties"]["numbers"]["type"], "object", "{schema}");
}
