//! Every shape that arguments may have: what it publishes, what it takes, and what it refuses.

#![allow(non_snake_case)] // names of cases

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::json;
use tests::{call, code, echo, faults, input_schema, told};
use tool_runtime::prelude::*;

/// A unit struct.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Unit;

/// Empty braces.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Braces {}

/// Needs something.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Search {
    q: String,
}

echo!(Unit, Braces, Search);

#[test]
fn a_tool_without_parameters_publishes_an_object_with_explicit_empty_properties() {
    let expected = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(input_schema::<Unit>(), expected);
    assert_eq!(input_schema::<Braces>(), expected);
}

#[tokio::test]
async fn a_tool_without_parameters_runs_on_every_spelling_of_nothing() {
    for arguments in ["", "   ", "\n\t", "null", " null ", "{}", " { } "] {
        assert_eq!(code(&call::<Unit>(arguments).await), "OK", "{arguments:?}");
        assert_eq!(code(&call::<Braces>(arguments).await), "OK", "{arguments:?}");
    }
    let absent = ToolCall::without_arguments("call-1", "unit");
    assert_eq!(absent.arguments(), None);
    assert_eq!(code(&tests::dispatcher_of::<Unit>().call(absent).await), "OK");
}

#[tokio::test]
async fn nothing_is_no_answer_where_something_is_required() {
    for arguments in ["", "   ", "null", "{}"] {
        assert_eq!(faults::<Search>(arguments).await, [r#"missing required property "/q""#], "{arguments:?}");
    }
    let absent = tests::dispatcher_of::<Search>().call(ToolCall::without_arguments("call-1", "search")).await;
    assert_eq!(code(&absent), "INVALID_ARGS");
}

#[tokio::test]
async fn text_that_was_cut_off_is_never_taken_for_nothing() {
    for arguments in ["{", "[", "n", "nul", "\"", "{\"q\"", "{} {}", "{},", "0", "false", "[]", "\"\"", "\"{}\""] {
        assert_eq!(code(&call::<Unit>(arguments).await), "INVALID_ARGS", "{arguments:?}");
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused_with_what_came() {
    assert_eq!(faults::<Search>("[\"a\"]").await, [r#"arguments must be an object, got ["a"]"#]);
    assert_eq!(faults::<Search>("5").await, ["arguments must be an object, got 5"]);
    // An object in a string is a string: nothing is repaired in silence.
    assert_eq!(code(&call::<Search>(r#""{\"q\":\"a\"}""#).await), "INVALID_ARGS");
}

/// Internally tagged.
#[derive(Tool, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
#[tool(output = String, render = display)]
enum Tagged {
    Open(OpenArgs),
    Close { id: u32 },
    List,
}

#[tool_input]
#[derive(Clone, Serialize)]
struct OpenArgs {
    path: String,
    #[serde(default)]
    create: bool,
}

/// Externally tagged.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
enum External {
    Open { path: String },
    Close(u32),
    Pair(u8, String),
}

/// Adjacently tagged.
#[derive(Tool, Serialize)]
#[serde(tag = "t", content = "c")]
#[tool(output = String, render = display)]
enum Adjacent {
    Open { path: String },
    Close(u32),
    List,
}

/// Untagged.
#[derive(Tool, Serialize)]
#[serde(untagged)]
#[tool(output = String, render = display)]
enum Untagged {
    ByPath { path: String },
    ById { id: u32 },
    Other(OpenArgs),
}

echo!(Tagged, External, Adjacent, Untagged);

#[test]
fn an_enum_says_that_it_is_an_object_and_each_branch_holds_its_tag_and_its_fields() {
    let schema = input_schema::<Tagged>();
    assert_eq!(schema["type"], "object");
    let branches = schema["oneOf"].as_array().unwrap();
    assert_eq!(branches.len(), 3);
    assert_eq!(branches[0]["properties"]["action"]["const"], "open");
    assert_eq!(branches[0]["properties"]["path"]["type"], "string");
    assert_eq!(branches[0]["required"], json!(["action", "path"]));
    assert_eq!(branches[1]["properties"]["id"]["maximum"], u32::MAX);
    assert_eq!(branches[2]["required"], json!(["action"]));
    for branch in branches {
        assert_eq!(branch["additionalProperties"], false, "{branch}");
        assert_eq!(branch.get("$ref"), None, "{branch}");
    }
    for schema in [input_schema::<External>(), input_schema::<Adjacent>(), input_schema::<Untagged>()] {
        assert_eq!(schema["type"], "object", "{schema}");
    }
}

#[tokio::test]
async fn a_tagged_enum_takes_each_variant_and_names_what_is_wrong_with_one() {
    assert_eq!(
        told::<Tagged>(r#"{"action":"open","path":"a"}"#).await,
        r#"{"action":"open","path":"a","create":false}"#
    );
    assert_eq!(told::<Tagged>(r#"{"id":4.0,"action":"close"}"#).await, r#"{"action":"close","id":4}"#);
    assert_eq!(told::<Tagged>(r#"{"action":"list"}"#).await, r#"{"action":"list"}"#);
    assert_eq!(faults::<Tagged>(r#"{"action":"open"}"#).await, [r#"missing required property "/path""#]);
    let unknown = faults::<Tagged>(r#"{"action":"opne"}"#).await;
    assert!(unknown.len() == 1 && unknown[0].contains("/action"), "{unknown:?}");
    for allowed in ["open", "close", "list"] {
        assert!(unknown[0].contains(allowed), "{unknown:?}");
    }
    assert!(faults::<Tagged>("{}").await[0].contains("/action"));
    let undeclared = faults::<Tagged>(r#"{"action":"list","id":1}"#).await;
    assert!(undeclared.len() == 1 && undeclared[0].contains("/id"), "{undeclared:?}");
}

#[tokio::test]
async fn the_other_representations_take_each_variant_too() {
    assert_eq!(told::<External>(r#"{"Open":{"path":"a"}}"#).await, r#"{"Open":{"path":"a"}}"#);
    assert_eq!(told::<External>(r#"{"Close":7.0}"#).await, r#"{"Close":7}"#);
    assert_eq!(told::<External>(r#"{"Pair":[1,"x"]}"#).await, r#"{"Pair":[1,"x"]}"#);
    for bad in [r#"{"Close":7,"Open":{"path":"a"}}"#, r#"{"Shut":1}"#, r#"{"Pair":[1]}"#, r#"{"Pair":[1,"x",2]}"#, "{}"]
    {
        assert_eq!(code(&call::<External>(bad).await), "INVALID_ARGS", "{bad}");
    }
    assert_eq!(told::<Adjacent>(r#"{"t":"Open","c":{"path":"a"}}"#).await, r#"{"t":"Open","c":{"path":"a"}}"#);
    assert_eq!(told::<Adjacent>(r#"{"c":7.0,"t":"Close"}"#).await, r#"{"t":"Close","c":7}"#);
    assert_eq!(told::<Adjacent>(r#"{"t":"List"}"#).await, r#"{"t":"List"}"#);
    for bad in [r#"{"t":"Open"}"#, r#"{"t":"Open","c":{"path":"a","x":1}}"#, r#"{"t":"List","x":1}"#, r#"{"c":7}"#] {
        assert_eq!(code(&call::<Adjacent>(bad).await), "INVALID_ARGS", "{bad}");
    }
    assert_eq!(told::<Untagged>(r#"{"id":3.0}"#).await, r#"{"id":3}"#);
    assert_eq!(told::<Untagged>(r#"{"path":"a"}"#).await, r#"{"path":"a"}"#);
    for bad in [r#"{"id":-1}"#, r#"{"id":1,"path":"a"}"#, "{}", r#"{"path":1}"#] {
        assert_eq!(code(&call::<Untagged>(bad).await), "INVALID_ARGS", "{bad}");
    }
}

/// The first few of a list.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, name = "first")]
struct First<T: Clone, const N: usize>
where
    T: Serialize,
{
    items: Vec<T>,
    other: Option<Box<T>>,
}

impl<T, const N: usize> Execute for First<T, N>
where
    T: Clone + Serialize + serde::de::DeserializeOwned + schemars::JsonSchema + Send + Sync + 'static,
{
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(serde_json::to_string(&(self.items.iter().take(N).collect::<Vec<_>>(), &self.other))?)
    }
}

#[tokio::test]
async fn generic_arguments_are_those_of_their_parameters() {
    assert_eq!(told::<First<u8, 2>>(r#"{"items":[1,2.0,3]}"#).await, "[[1,2],null]");
    assert_eq!(told::<First<String, 1>>(r#"{"items":["a","b"],"other":"c"}"#).await, r#"[["a"],"c"]"#);
    assert_eq!(faults::<First<u8, 2>>(r#"{"items":[256]}"#).await.len(), 1);
    assert_eq!(input_schema::<First<u8, 1>>()["properties"]["items"]["items"]["maximum"], 255);
    assert_eq!(
        input_schema::<First<OpenArgs, 1>>()["properties"]["items"]["items"],
        json!({"$ref": "#/$defs/OpenArgs"})
    );
}

/// Defaults of the whole.
#[derive(Tool, Serialize)]
#[serde(default)]
#[tool(output = String, render = display)]
struct Defaulted {
    limit: u32,
    name: String,
    nested: HashMap<String, u8>,
}

impl Default for Defaulted {
    fn default() -> Self {
        Self { limit: 10, name: "all".into(), nested: HashMap::new() }
    }
}

/// Defaults of fields.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct FieldDefaults {
    #[serde(default = "ten")]
    limit: u32,
    #[serde(default)]
    tags: Vec<String>,
    q: String,
}

fn ten() -> u32 {
    10
}

echo!(Defaulted, FieldDefaults);

#[tokio::test]
async fn a_field_that_is_left_out_has_its_default() {
    assert_eq!(told::<Defaulted>("{}").await, r#"{"limit":10,"name":"all","nested":{}}"#);
    assert_eq!(told::<Defaulted>(r#"{"limit":3}"#).await, r#"{"limit":3,"name":"all","nested":{}}"#);
    assert_eq!(told::<FieldDefaults>(r#"{"q":"a"}"#).await, r#"{"limit":10,"tags":[],"q":"a"}"#);
    let schema = input_schema::<Defaulted>();
    assert_eq!(schema.get("required"), None);
    assert_eq!(schema["properties"]["limit"]["default"], 10);
    assert_eq!(input_schema::<FieldDefaults>()["required"], json!(["q"]));
    // A default is for what is left out, not for null.
    assert_eq!(faults::<Defaulted>(r#"{"limit":null}"#).await.len(), 1);
}

/// Derives what it likes for itself.
#[derive(Tool, Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[tool(output = String, render = display)]
struct OwnDerives {
    #[serde(rename = "outer")]
    inner: u8,
}

/// Read by its own code.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, manual)]
struct Manual {
    even: u8,
}

impl<'de> Deserialize<'de> for Manual {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map = BTreeMap::<String, u8>::deserialize(deserializer)?;
        let even = map.get("even").copied().unwrap_or_default();
        if even % 2 == 1 { Err(serde::de::Error::custom("the number is odd")) } else { Ok(Self { even }) }
    }
}

impl schemars::JsonSchema for Manual {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Manual".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let even = generator.subschema_for::<u8>();
        schemars::json_schema!({"type": "object", "properties": {"even": even}})
    }
}

/// Ignores what it does not know.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, open)]
struct Open {
    q: String,
    nested: Option<OpenArgs>,
}

echo!(OwnDerives, Manual, Open);

#[tokio::test]
async fn a_type_may_derive_deserialize_and_json_schema_for_itself() {
    assert_eq!(told::<OwnDerives>(r#"{"outer":7}"#).await, r#"{"outer":7}"#);
    assert_eq!(serde_json::from_str::<OwnDerives>(r#"{"outer":7}"#).unwrap(), OwnDerives { inner: 7 });
}

#[tokio::test]
async fn a_manual_type_is_read_by_its_own_code_after_its_own_schema() {
    assert_eq!(told::<Manual>(r#"{"even":4}"#).await, r#"{"even":4}"#);
    assert_eq!(faults::<Manual>(r#"{"even":3}"#).await, ["the number is odd"]);
    assert_eq!(faults::<Manual>(r#"{"even":300}"#).await.len(), 1);
    let closed = json!({"type": "object", "properties": {"even": {"type": "integer", "minimum": 0, "maximum": 255}},
        "additionalProperties": false});
    assert_eq!(input_schema::<Manual>(), closed);
    assert_eq!(faults::<Manual>(r#"{"odd":3}"#).await.len(), 1);
}

#[tokio::test]
async fn an_open_tool_publishes_an_open_object_and_ignores_what_it_does_not_know() {
    assert_eq!(told::<Open>(r#"{"q":"a","x":1,"_meta":{}}"#).await, r#"{"q":"a","nested":null}"#);
    let schema = input_schema::<Open>();
    assert_ne!(schema.get("additionalProperties"), Some(&json!(false)), "{schema}");
    assert_eq!(faults::<Open>(r#"{"x":1}"#).await, [r#"missing required property "/q""#]);
    // What is open is the tool, not the types inside its arguments.
    let nested = faults::<Open>(r#"{"q":"a","nested":{"path":"p","creat":true}}"#).await;
    assert!(nested[0].contains(r#"did you mean "create"?"#), "{nested:?}");
}

/// What an untagged variant reads.
#[tool_input]
#[derive(Debug)]
#[expect(dead_code, reason = "shown by Debug")]
struct Narrow {
    a: Option<u8>,
}

/// Takes one of three.
#[derive(Debug, Tool)]
#[tool(output = String, render = display)]
#[serde(untagged)]
#[expect(dead_code, reason = "shown by Debug")]
enum Loose {
    A { a: Option<u8>, z: u8 },
    Narrow(Narrow),
    B { b: u8 },
}

impl Execute for Loose {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("{self:?}"))
    }
}

/// serde takes the first variant that ignores what it does not know; the schema knows only one that fits.
#[tokio::test]
async fn an_untagged_variant_is_the_one_that_the_schema_means() {
    let dispatcher = tests::dispatcher_of::<Loose>();
    for (arguments, read) in [
        (r#"{"b":1}"#, "B { b: 1 }"),
        (r#"{"a":1}"#, "Narrow(Narrow { a: Some(1) })"),
        (r#"{"a":1,"z":2}"#, "A { a: Some(1), z: 2 }"),
        ("{}", "Narrow(Narrow { a: None })"),
    ] {
        let result = dispatcher.call(ToolCall::new("call", "loose", arguments)).await;
        assert_eq!(result.content().to_text(), read, "{arguments}");
    }
}
