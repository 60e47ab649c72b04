//! Every shape that a value may have: what it publishes, what it writes, and that it comes back as itself.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::sync::Arc;

use serde_json::{Value, json};
use tests::{code, given, output_schema, put_back};
use tool_runtime::prelude::*;
use tool_runtime::testing::assert_output_contract;

/// Writes each value, puts it back as JSON, and expects the same value and the same text.
async fn round_trip<T: ToolOutput + Clone + PartialEq + Debug>(samples: Vec<(T, &str)>) {
    assert_output_contract(samples.iter().map(|(value, _)| value.clone()));
    for (value, text) in &samples {
        let own = value.clone();
        let result = given(move || own.clone()).await;
        let success = result.success().unwrap_or_else(|| panic!("{value:?}: {result:?}"));
        assert_eq!(success.value().as_str(), *text);
        assert_eq!(success.value_as(), Some(value));
        assert_eq!(success.content().to_text(), *text, "`render = json` is the value as it is written");
        // Over another value, so that nothing of the first one can be left.
        let other = samples[0].0.clone();
        let back = put_back(move || other.clone(), success.value().to_value()).await;
        assert_eq!(back.success().unwrap_or_else(|| panic!("{text}: {back:?}")).value_as(), Some(value));
        assert_eq!(back.success().unwrap().value().as_str(), *text);
    }
}

async fn refused<T: ToolOutput + Clone>(over: T, back: Value) {
    let result = put_back(move || over.clone(), back.clone()).await;
    assert_eq!(code(&result), "INVALID_TOOL_OUTPUT", "{back}: {result:?}");
    assert!(result.success().is_none() && result.meta().is_none());
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Row {
    id: u32,
    name: String,
}

fn row() -> Row {
    Row { id: 1, name: "a".into() }
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Newtype(Row);

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Scalar(i64);

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Tuple(u8, String, Option<Row>);

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Unit;

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Empty {}

#[tokio::test]
async fn structs_of_every_style() {
    round_trip(vec![
        (row(), r#"{"id":1,"name":"a"}"#),
        (Row { id: 0, name: "\"\\\n".into() }, r#"{"id":0,"name":"\"\\\n"}"#),
    ])
    .await;
    round_trip(vec![(Newtype(row()), r#"{"id":1,"name":"a"}"#)]).await;
    round_trip(vec![(Scalar(i64::MIN), "-9223372036854775808")]).await;
    round_trip(vec![
        (Tuple(1, "x".into(), None), r#"[1,"x",null]"#),
        (Tuple(2, String::new(), Some(row())), r#"[2,"",{"id":1,"name":"a"}]"#),
    ])
    .await;
    round_trip(vec![(Unit, "null")]).await;
    round_trip(vec![(Empty {}, "{}")]).await;
}

#[tokio::test]
async fn objects_are_closed_wherever_they_stand() {
    refused(row(), json!({"id": 1, "name": "a", "x": 1})).await;
    refused(Newtype(row()), json!({"id": 1, "name": "a", "x": 1})).await;
    refused(Tuple(1, String::new(), None), json!([1, "", {"id": 1, "name": "a", "x": 1}])).await;
    refused(Tuple(1, String::new(), None), json!([1, "", null, 4])).await;
    refused(Tuple(1, String::new(), None), json!([1, ""])).await;
    refused(Empty {}, json!({"x": 1})).await;
    refused(Empty {}, json!([])).await;
    refused(Unit, json!({})).await;
    refused(vec![row()], json!([{"id": 1, "name": "a"}, {"id": 2, "name": "b", "x": 1}])).await;
    refused(row(), json!([1, "a"])).await;
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
enum External {
    Unit,
    Newtype(Row),
    Scalar(u8),
    Tuple(u8, String),
    Struct { a: u8, b: Option<String> },
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Internal {
    Unit,
    Newtype(Row),
    Struct {
        a: u8,
    },
    #[serde(rename = "renamed", rename_all = "camelCase")]
    Other {
        long_name: u8,
    },
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(Row),
    Tuple(u8, String),
    Struct { a: u8 },
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Struct { a: u8 },
    Row(Row),
    Text(String),
    Number(i64),
    List(Vec<u8>),
    Nothing,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
enum Plain {
    /// Documented.
    First,
    #[serde(rename = "2nd")]
    Second,
}

#[tokio::test]
async fn enums_of_every_representation() {
    round_trip(vec![
        (External::Unit, r#""Unit""#),
        (External::Newtype(row()), r#"{"Newtype":{"id":1,"name":"a"}}"#),
        (External::Scalar(3), r#"{"Scalar":3}"#),
        (External::Tuple(1, "x".into()), r#"{"Tuple":[1,"x"]}"#),
        (External::Struct { a: 1, b: None }, r#"{"Struct":{"a":1,"b":null}}"#),
    ])
    .await;
    round_trip(vec![
        (Internal::Unit, r#"{"kind":"unit"}"#),
        (Internal::Newtype(row()), r#"{"kind":"newtype","id":1,"name":"a"}"#),
        (Internal::Struct { a: 1 }, r#"{"kind":"struct","a":1}"#),
        (Internal::Other { long_name: 2 }, r#"{"kind":"renamed","longName":2}"#),
    ])
    .await;
    round_trip(vec![
        (Adjacent::Unit, r#"{"t":"Unit"}"#),
        (Adjacent::Newtype(row()), r#"{"t":"Newtype","c":{"id":1,"name":"a"}}"#),
        (Adjacent::Tuple(1, "x".into()), r#"{"t":"Tuple","c":[1,"x"]}"#),
        (Adjacent::Struct { a: 1 }, r#"{"t":"Struct","c":{"a":1}}"#),
    ])
    .await;
    round_trip(vec![
        (Untagged::Struct { a: 1 }, r#"{"a":1}"#),
        (Untagged::Row(row()), r#"{"id":1,"name":"a"}"#),
        (Untagged::Text("x".into()), r#""x""#),
        (Untagged::Number(-1), "-1"),
        (Untagged::List(vec![1, 2]), "[1,2]"),
        (Untagged::Nothing, "null"),
    ])
    .await;
    round_trip(vec![(Plain::First, r#""First""#), (Plain::Second, r#""2nd""#)]).await;
}

#[tokio::test]
async fn what_no_variant_writes_is_refused() {
    for back in
        [json!("Other"), json!({"Unit": null}), json!({"Scalar": 3, "Unit": 1}), json!({"Struct": {"a": 1, "c": 1}})]
    {
        refused(External::Unit, back).await;
    }
    for back in [json!({"kind": "unit", "x": 1}), json!({"kind": "newtype"}), json!({"kind": "Unit"}), json!({})] {
        refused(Internal::Unit, back).await;
    }
    for back in [json!({"t": "Unit", "x": null}), json!({"t": "Struct", "c": {"a": 1, "x": 1}}), json!({"c": {"a": 1}})]
    {
        refused(Adjacent::Unit, back).await;
    }
    for back in [json!({"a": 1, "x": 1}), json!(1.5), json!([256]), json!(true)] {
        refused(Untagged::Nothing, back).await;
    }
    for back in [json!("Second"), json!("first"), json!(0)] {
        refused(Plain::First, back).await;
    }
}

#[tokio::test]
async fn whole_floats_come_back_as_integers_through_every_representation() {
    let back = |value: Value| put_back(|| Internal::Unit, value);
    let result = back(json!({"a": 7.0, "kind": "struct"})).await;
    assert_eq!(result.success().unwrap().value_as(), Some(&Internal::Struct { a: 7 }));
    let result = put_back(|| Untagged::Nothing, json!({"name": "b", "id": 3.0})).await;
    assert_eq!(result.success().unwrap().value_as(), Some(&Untagged::Row(Row { id: 3, name: "b".into() })));
    let result = put_back(|| Untagged::Nothing, json!(-4.0)).await;
    assert_eq!(result.success().unwrap().value().as_str(), "-4");
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Page<T, const N: usize> {
    items: Vec<T>,
    next: Option<Box<Self>>,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    row: More,
    #[serde(flatten)]
    kind: Internal,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct More {
    size: u64,
    tags: Vec<String>,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
struct Rest {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[tool_output(open)]
#[derive(Clone, Debug, PartialEq)]
struct Open {
    id: u8,
    row: Option<Row>,
}

#[tokio::test]
async fn generics_recursion_and_flattening() {
    round_trip(vec![
        (Page::<Row, 3> { items: vec![row()], next: None }, r#"{"items":[{"id":1,"name":"a"}],"next":null}"#),
        (
            Page { items: vec![], next: Some(Box::new(Page { items: vec![], next: None })) },
            r#"{"items":[],"next":{"items":[],"next":null}}"#,
        ),
    ])
    .await;
    round_trip(vec![(
        Page::<Option<u8>, 0> { items: vec![None, Some(1)], next: None },
        r#"{"items":[null,1],"next":null}"#,
    )])
    .await;
    let flat = Flat { id: 1, row: More { size: u64::MAX, tags: vec![] }, kind: Internal::Struct { a: 2 } };
    round_trip(vec![(flat.clone(), r#"{"a":2,"id":1,"kind":"struct","size":18446744073709551615,"tags":[]}"#)]).await;
    refused(flat.clone(), json!({"id": 1, "size": 1, "tags": [], "kind": "struct", "a": 2, "x": 1})).await;
    refused(flat, json!({"id": 1, "size": 1, "tags": [], "kind": "unit", "a": 2})).await;
    round_trip(vec![(Rest { id: 1, rest: [("x".to_owned(), json!([1, null]))].into() }, r#"{"id":1,"x":[1,null]}"#)])
        .await;
}

#[tokio::test]
async fn an_open_output_publishes_an_open_object_and_refuses_what_it_would_lose() {
    let schema = output_schema::<Open>().unwrap();
    assert_ne!(schema.get("additionalProperties"), Some(&json!(false)), "{schema}");
    round_trip(vec![(Open { id: 1, row: None }, r#"{"id":1,"row":null}"#)]).await;
    // The schema takes the key, but the type can't hold it, so the value would not be the same again.
    refused(Open { id: 1, row: None }, json!({"id": 1, "row": null, "x": 1})).await;
    refused(Open { id: 1, row: None }, json!({"id": 1, "row": {"id": 1, "name": "a", "x": 1}})).await;
}

#[tokio::test]
async fn ready_outputs_are_bare_at_the_root() {
    round_trip(vec![((), "null")]).await;
    round_trip(vec![(true, "true"), (false, "false")]).await;
    round_trip(vec![('é', "\"é\"")]).await;
    round_trip(vec![(u8::MAX, "255"), (0, "0")]).await;
    round_trip(vec![(i64::MIN, "-9223372036854775808")]).await;
    round_trip(vec![(u64::MAX, "18446744073709551615")]).await;
    round_trip(vec![(usize::MAX, "18446744073709551615")]).await;
    round_trip(vec![(0.1_f64, "0.1"), (-0.0, "-0.0")]).await;
    round_trip(vec![(0.1_f32, "0.1")]).await;
    round_trip(vec![(String::new(), "\"\""), ("  \n".into(), "\"  \\n\"")]).await;
    round_trip(vec![(Vec::<Row>::new(), "[]"), (vec![row()], r#"[{"id":1,"name":"a"}]"#)]).await;
    round_trip(vec![(None::<Row>, "null"), (Some(row()), r#"{"id":1,"name":"a"}"#)]).await;
    round_trip(vec![(Box::new(row()), r#"{"id":1,"name":"a"}"#)]).await;
    round_trip(vec![(Arc::new(row()), r#"{"id":1,"name":"a"}"#)]).await;
    round_trip(vec![(Cow::<'static, Row>::Owned(row()), r#"{"id":1,"name":"a"}"#)]).await;
    round_trip(vec![(BTreeMap::from([("k".to_owned(), row())]), r#"{"k":{"id":1,"name":"a"}}"#)]).await;
    round_trip(vec![(HashMap::from([("b".to_owned(), 1_u8), ("a".to_owned(), 2)]), r#"{"a":2,"b":1}"#)]).await;
    round_trip(vec![([1_u8, 2, 3], "[1,2,3]")]).await;
    round_trip(vec![((1_u8, "x".to_owned(), row()), r#"[1,"x",{"id":1,"name":"a"}]"#)]).await;
    round_trip(vec![(json!({"b": [1, 2.5], "a": null}), r#"{"a":null,"b":[1,2.5]}"#), (json!(null), "null")]).await;
    round_trip(vec![(vec![Some((1_u8, vec![BTreeMap::from([(String::new(), [0_i8; 2])])]))], r#"[[1,[{"":[0,0]}]]]"#)])
        .await;
}

#[tokio::test]
async fn a_list_of_the_wrong_length_is_no_array_or_tuple() {
    refused([1_u8, 2, 3], json!([1, 2])).await;
    refused([1_u8, 2, 3], json!([1, 2, 3, 4])).await;
    refused((1_u8, String::new()), json!([1])).await;
    refused((1_u8, String::new()), json!([1, "", 2])).await;
}

#[tokio::test]
async fn nothing_to_say_is_an_exact_value_and_no_failure() {
    async fn exact<T: ToolOutput>(value: impl Fn() -> T + Send + Sync + 'static, text: &str) {
        let result = given(value).await;
        assert_eq!(result.success().unwrap().value().as_str(), text);
        assert!(result.is_success());
    }
    exact(String::new, "\"\"").await;
    exact(|| "  \n".to_owned(), "\"  \\n\"").await;
    exact(Vec::<Row>::new, "[]").await;
    exact(|| (), "null").await;
    exact(|| None::<Row>, "null").await;
}

/// Say nothing.
#[derive(Tool)]
#[tool(output = String)]
struct Silent;

impl Execute for Silent {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok("a value".into())
    }
}

impl Render for Silent {
    fn render(&self, _: &String) -> Content {
        Content::text("")
    }
}

#[tokio::test]
async fn a_render_may_say_nothing_and_the_value_stays() {
    let result = tests::call::<Silent>("").await;
    assert_eq!(result.content().to_text(), "");
    assert_eq!(result.success().unwrap().value().as_str(), "\"a value\"");
}
