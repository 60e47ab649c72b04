//! Null, absent and empty: one mapping, stated per direction, the same in the schema, in the decoder and in what is written.

#![allow(clippy::option_option, reason = "null and absent told apart")]

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tests::{call, code, echo, faults, given, input_schema, output_schema, put_back, told};
use tool_runtime::prelude::*;

/// Find things.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Find {
    q: String,
    since: Option<chrono::NaiveDate>,
    tag: Option<String>,
    n: Option<u32>,
}

echo!(Find);

#[tokio::test]
async fn null_for_an_optional_is_absent_and_empty_text_is_itself_or_a_fault() {
    let none = r#"{"q":"a","since":null,"tag":null,"n":null}"#;
    assert_eq!(told::<Find>(none).await, none);
    assert_eq!(told::<Find>(r#"{"q":"a"}"#).await, none);

    // An empty text is a text. It is no date and no number, and becomes no default in silence.
    assert_eq!(told::<Find>(r#"{"q":"a","tag":""}"#).await, r#"{"q":"a","since":null,"tag":"","n":null}"#);
    let found = faults::<Find>(r#"{"q":"a","since":"","tag":"","n":""}"#).await;
    assert!(found.len() == 2 && found[0].contains("\"/since\"") && found[1].contains("\"/n\""), "{found:?}");
    for (key, text) in [("since", "null"), ("n", "null"), ("n", "0"), ("n", "none")] {
        let found = faults::<Find>(&json!({"q": "a", key: text}).to_string()).await;
        assert!(found.len() == 1 && found[0].contains(&format!("\"/{key}\"")), "{found:?}");
    }

    assert_eq!(faults::<Find>(r#"{"q":null}"#).await, [r#""/q" must be a string, got null"#]);
    assert_eq!(told::<Find>(r#"{"q":"a","tag":"null"}"#).await, r#"{"q":"a","since":null,"tag":"null","n":null}"#);
}

/// Whether a key is there, for an author who asks.
fn given_at_all<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u8>>, D::Error> {
    Option::<u8>::deserialize(deserializer).map(Some)
}

/// Change a setting.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Change {
    #[serde(default, deserialize_with = "given_at_all")]
    #[schemars(with = "Option<u8>")]
    limit: Option<Option<u8>>,
}

impl Execute for Change {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("{:?}", self.limit))
    }
}

#[tokio::test]
async fn an_author_who_asks_can_tell_null_from_absent() {
    assert_eq!(told::<Change>("{}").await, "None");
    assert_eq!(told::<Change>(r#"{"limit":null}"#).await, "Some(None)");
    assert_eq!(told::<Change>(r#"{"limit":5}"#).await, "Some(Some(5))");
    assert_eq!(code(&call::<Change>(r#"{"limit":256}"#).await), "INVALID_ARGS");
    let schema = input_schema::<Change>();
    assert_eq!(schema.get("required"), None, "{schema}");
    assert_eq!(schema["properties"]["limit"]["type"], json!(["integer", "null"]), "{schema}");
}

/// Each way in which a field may be left out.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Ways {
    needed: u8,
    optional: Option<u8>,
    #[serde(default)]
    defaulted: u8,
    #[serde(default)]
    optional_and_defaulted: Option<u8>,
    #[serde(default = "seven")]
    optional_with_another: Option<u8>,
    needed_list: Vec<Option<u8>>,
}

#[expect(clippy::unnecessary_wraps, reason = "the type of the field")]
fn seven() -> Option<u8> {
    Some(7)
}

echo!(Ways);

#[tokio::test]
async fn what_may_be_absent_and_what_may_be_null_is_what_the_schema_says() {
    let schema = input_schema::<Ways>();
    let fields = ["needed", "optional", "defaulted", "optional_and_defaulted", "optional_with_another", "needed_list"];
    let whole = json!({"needed": 1, "optional": 1, "defaulted": 1, "optional_and_defaulted": 1,
        "optional_with_another": 1, "needed_list": [1, null]});
    let oracle = jsonschema::validator_for(&schema).unwrap();
    let mut taken = Vec::new();
    for field in fields {
        let mut absent = whole.clone();
        absent.as_object_mut().unwrap().shift_remove(field);
        let mut null = whole.clone();
        null[field] = Value::Null;
        for arguments in [absent, null] {
            let is_taken = call::<Ways>(&arguments.to_string()).await.is_success();
            assert_eq!(is_taken, oracle.is_valid(&arguments), "{arguments}");
            taken.push(is_taken);
        }
    }
    let (absent, null): (Vec<bool>, Vec<bool>) = taken.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    assert_eq!(absent, [false, true, true, true, true, false]);
    assert_eq!(null, [false, true, false, true, true, false]);

    let least = r#"{"needed":1,"needed_list":[]}"#;
    let read = r#"{"needed":1,"optional":null,"defaulted":0,"optional_and_defaulted":null,"optional_with_another":7,"needed_list":[]}"#;
    assert_eq!(told::<Ways>(least).await, read, "what is absent has its default");
    let null = told::<Ways>(r#"{"needed":1,"needed_list":[],"optional_with_another":null}"#).await;
    assert!(null.contains(r#""optional_with_another":null"#), "null is null, and not the default: {null}");
}

/// A number that may be unknown: NaN inside, null in JSON.
mod unknown {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Some(*value).filter(|value| !value.is_nan()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}

#[tool_output]
struct Mean {
    #[serde(with = "unknown")]
    #[schemars(with = "Option<f64>")]
    mean: f64,
    strict: f64,
}

#[tokio::test]
async fn an_encoding_of_nan_that_an_author_asks_for_shows_in_the_schema() {
    let schema = output_schema::<Mean>().unwrap();
    assert_eq!(schema["properties"]["mean"]["type"], json!(["number", "null"]), "{schema}");
    assert_eq!(schema["required"], json!(["mean", "strict"]));
    let value = || Mean { mean: f64::NAN, strict: 1.0 };
    assert_eq!(given(value).await.success().unwrap().value().as_str(), r#"{"mean":null,"strict":1.0}"#);
    let back = put_back(value, json!({"mean": null, "strict": 2.0})).await;
    assert_eq!(back.success().unwrap().value().as_str(), r#"{"mean":null,"strict":2.0}"#);
    // It holds for the field that asks, and for no other.
    let other = given(|| Mean { mean: 1.0, strict: f64::NAN }).await;
    assert!(other.content().to_text().contains(r#""/strict" is NaN"#), "{}", other.content().to_text());
}
