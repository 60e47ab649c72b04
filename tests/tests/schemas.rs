//! Published schemas, to the byte: the draft, bounds, formats, order, recursion and the names of definitions.

use std::net::IpAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tests::{code, echo, faults, input_schema, output_schema, told};
use tool_runtime::prelude::*;

/// Everything.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Everything {
    /// A text.
    zulu: String,
    #[schemars(range(min = 1, max = 10))]
    bounded: u8,
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    isize: isize,
    u16: u16,
    u32: u32,
    u64: u64,
    usize: usize,
    f32: f32,
    f64: f64,
    bool: bool,
    char: char,
    #[schemars(email)]
    mail: String,
    optional: Option<i8>,
    list: Vec<u8>,
    pair: (u8, bool),
    map: std::collections::BTreeMap<String, u8>,
    any: Value,
    alpha: Mode,
}

#[tool_input]
#[derive(Serialize)]
enum Mode {
    Fast,
    Exact,
}

echo!(Everything);

#[test]
fn a_schema_is_the_same_bytes_in_declared_order_with_real_bounds_and_no_unknown_format() {
    let integer =
        |least: &str, greatest: &str| format!(r#"{{"type":"integer","minimum":{least},"maximum":{greatest}}}"#);
    let registry = tests::dispatcher_of::<Everything>().registry();
    let properties = [
        ("zulu", r#"{"description":"A text.","type":"string"}"#.to_owned()),
        ("bounded", integer("1", "10")),
        ("i8", integer("-128", "127")),
        ("i16", integer("-32768", "32767")),
        ("i32", integer("-2147483648", "2147483647")),
        ("i64", integer("-9223372036854775808", "9223372036854775807")),
        ("isize", integer("-9223372036854775808", "9223372036854775807")),
        ("u16", integer("0", "65535")),
        ("u32", integer("0", "4294967295")),
        ("u64", integer("0", "18446744073709551615")),
        ("usize", integer("0", "18446744073709551615")),
        ("f32", r#"{"type":"number","minimum":-3.4028235e+38,"maximum":3.4028235e+38}"#.to_owned()),
        ("f64", r#"{"type":"number"}"#.to_owned()),
        ("bool", r#"{"type":"boolean"}"#.to_owned()),
        ("char", r#"{"type":"string","minLength":1,"maxLength":1}"#.to_owned()),
        ("mail", r#"{"type":"string","format":"email"}"#.to_owned()),
        ("optional", r#"{"type":["integer","null"],"minimum":-128,"maximum":127}"#.to_owned()),
        ("list", r#"{"type":"array","items":{"type":"integer","minimum":0,"maximum":255}}"#.to_owned()),
        (
            "pair",
            r#"{"type":"array","prefixItems":[{"type":"integer","minimum":0,"maximum":255},{"type":"boolean"}],"minItems":2,"maxItems":2}"#
                .to_owned(),
        ),
        ("map", r#"{"type":"object","additionalProperties":{"type":"integer","minimum":0,"maximum":255}}"#.to_owned()),
        ("any", "true".to_owned()),
        ("alpha", r##"{"$ref":"#/$defs/Mode"}"##.to_owned()),
    ];
    let schema: Value = serde_json::from_str(registry.spec("everything").unwrap().input_schema.as_str()).unwrap();
    for (name, expected) in &properties {
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(schema["properties"][name], expected, "{name}");
    }
    let order: Vec<_> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(order, properties.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let required: Vec<_> = schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(required, order.iter().copied().filter(|name| *name != "optional").collect::<Vec<_>>());
    assert_eq!(schema["$defs"], json!({"Mode": {"type": "string", "enum": ["Fast", "Exact"]}}));
    assert_eq!(schema.get("$schema"), None);
    assert_eq!(schema.get("title"), None);
}

/// Small enough to read.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Small {
    /// Where.
    path: String,
    limit: Option<u8>,
    #[serde(default)]
    deep: bool,
}

echo!(Small);

#[test]
fn a_small_schema_reads_like_this() {
    let registry = tests::dispatcher_of::<Small>().registry();
    assert_eq!(
        registry.spec("small").unwrap().input_schema.as_str(),
        concat!(
            r#"{"type":"object","properties":{"path":{"description":"Where.","type":"string"},"#,
            r#""limit":{"type":["integer","null"],"minimum":0,"maximum":255},"deep":{"type":"boolean","default":false}},"#,
            r#""required":["path"],"additionalProperties":false}"#
        )
    );
}

mod a {
    #[tool_runtime::tool_input]
    #[derive(serde::Serialize)]
    pub(crate) struct Item {
        pub(crate) x: u8,
    }
}

mod b {
    #[tool_runtime::tool_input]
    #[derive(serde::Serialize)]
    pub(crate) struct Item {
        pub(crate) y: String,
    }
}

#[tool_input]
#[derive(Serialize)]
struct Paged<T> {
    items: Vec<T>,
}

#[tool_input]
#[derive(Serialize)]
#[schemars(rename = "Odd/name~<T> ü")]
struct Odd {
    z: u8,
}

/// Types of one name.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Names {
    l: a::Item,
    r: b::Item,
    p: Paged<a::Item>,
    q: Paged<Option<b::Item>>,
    o: Odd,
}

echo!(Names);

fn references<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(entries) => {
            found.extend(entries.get("$ref").and_then(Value::as_str));
            entries.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn definitions_have_distinct_names_of_plain_characters_and_every_reference_resolves() {
    let schema = input_schema::<Names>();
    let definitions = schema["$defs"].as_object().unwrap();
    assert_eq!(definitions.len(), 5, "{:?}", definitions.keys());
    for name in definitions.keys() {
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c)), "{name}");
    }
    let mut found = Vec::new();
    references(&schema, &mut found);
    for reference in found {
        let name = reference.strip_prefix("#/$defs/").unwrap();
        assert!(definitions.contains_key(name), "{reference}");
    }
    assert_eq!(schema, input_schema::<Names>());
}

#[tokio::test]
async fn a_reference_means_the_type_that_stands_there() {
    let taken = json!({"l": {"x": 1}, "r": {"y": "s"}, "p": {"items": [{"x": 2}]}, "q": {"items": [null, {"y": "t"}]}, "o": {"z": 3}});
    assert_eq!(told::<Names>(&taken.to_string()).await, taken.to_string());
    let swapped = json!({"l": {"y": "s"}, "r": {"x": 1}, "p": {"items": [{"y": "t"}]}, "q": {"items": [{"x": 2}]}, "o": {"z": 3}});
    let faults = faults::<Names>(&swapped.to_string()).await;
    for place in ["/l/x", "/r/y", "/p/items/0", "/q/items/0"] {
        assert!(faults.iter().any(|fault| fault.contains(place)), "{place}: {faults:?}");
    }
}

#[tool_input]
#[derive(Serialize)]
enum Condition {
    Leaf { field: String, at_least: f64 },
    Every { of: Vec<Condition> },
    Not { c: Box<Condition> },
}

/// Find by a condition.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Find {
    text: String,
    condition: Option<Condition>,
}

echo!(Find);

#[tokio::test]
async fn recursion_publishes_a_resolvable_reference_and_validates_at_depth() {
    let schema = input_schema::<Find>();
    let mut found = Vec::new();
    references(&schema, &mut found);
    assert!(found.iter().all(|reference| *reference == "#/$defs/Condition"), "{found:?}");
    assert_eq!(found.len(), 3);
    let condition = |depth: usize, field: Value| {
        (1..depth).fold(json!({"Leaf": {"field": field, "at_least": 1.5}}), |inner, _| json!({"Not": {"c": inner}}))
    };
    for depth in [1, 5, 60] {
        let arguments = json!({"text": "t", "condition": condition(depth, json!("f"))}).to_string();
        assert_eq!(told::<Find>(&arguments).await, arguments, "{depth}");
        let wrong = faults::<Find>(&json!({"text": "t", "condition": condition(depth, json!(5))}).to_string()).await;
        assert!(wrong.iter().any(|fault| fault.contains("must be a string, got 5")), "{depth}: {wrong:?}");
    }
    // Two levels each, which is beyond the depth that is parsed.
    let deep = json!({"text": "t", "condition": condition(70, json!("f"))}).to_string();
    assert_eq!(code(&tests::call::<Find>(&deep).await), "INVALID_ARGS");
}

#[tool_output]
#[derive(Clone)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

#[tokio::test]
async fn a_recursive_root_does_not_refer_to_the_document_and_so_can_be_embedded() {
    let schema = output_schema::<Tree>().unwrap();
    let mut found = Vec::new();
    references(&schema, &mut found);
    assert!(!found.is_empty() && found.iter().all(|reference| *reference == "#/$defs/Tree"), "{schema}");
    let leaf = Tree { name: "leaf".into(), children: vec![] };
    let tree = Tree { name: "root".into(), children: vec![leaf.clone(), leaf] };
    let text = r#"{"name":"root","children":[{"name":"leaf","children":[]},{"name":"leaf","children":[]}]}"#;
    assert_eq!(tests::given(move || tree.clone()).await.success().unwrap().value().as_str(), text);
    let closed = json!({"name": "r", "children": [{"name": "l", "children": [], "x": 1}]});
    let result = tests::put_back(|| Tree { name: String::new(), children: vec![] }, closed).await;
    assert!(result.content().to_text().contains("/children/0/x"), "{}", result.content().to_text());
}

/// Formats that are published.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Formats {
    #[schemars(email)]
    to: Option<String>,
    #[schemars(url)]
    url: Option<String>,
    ip: Option<IpAddr>,
    #[schemars(extend("format" = "phone"))]
    phone: Option<String>,
}

echo!(Formats);

#[tokio::test]
async fn formats_that_are_published_are_enforced_and_others_are_dropped() {
    let schema = input_schema::<Formats>();
    assert_eq!(schema["properties"]["to"]["format"], "email");
    assert_eq!(schema["properties"]["url"]["format"], "uri");
    assert_eq!(schema["properties"]["phone"].get("format"), None);
    assert!(!schema.to_string().contains(r#""ip","#) && !schema.to_string().contains(r#""format":"ip""#), "{schema}");
    let good = r#"{"to":"a@b.org","url":"https://a.org/","ip":"::1","phone":"nope"}"#;
    assert_eq!(told::<Formats>(good).await, good);
    let found = faults::<Formats>(r#"{"to":"nope","url":"not a url","ip":"1.2.3"}"#).await;
    for place in ["\"/to\"", "\"/url\"", "\"/ip\""] {
        assert!(found.iter().any(|fault| fault.contains(place)), "{place}: {found:?}");
    }
}

/// A 128-bit integer behind an alias, which the macro cannot see.
type Wide = u128;

#[tool_output]
struct TooWide {
    nested: Vec<Option<Wide>>,
}

#[test]
fn a_wide_integer_that_only_types_show_is_refused_at_registration_with_its_place() {
    let error = output_schema::<TooWide>().unwrap_err();
    let problem = &error.problems()[0];
    assert_eq!(problem.code(), &Code::UNSUPPORTED_SCHEMA);
    let (side, pointer) = problem.place().unwrap();
    assert_eq!((side, pointer.as_str()), ("output", "/properties/nested/items"));
    assert!(problem.message().contains("128-bit"), "{problem}");
}

/// What only types can tell is no object.
#[derive(Deserialize, Serialize, JsonSchema)]
struct JustText(String);

/// A newtype variant over a text.
#[derive(Tool, Serialize)]
#[serde(untagged)]
#[tool(output = String, render = display)]
enum Hidden {
    Text(JustText),
    Fine { a: u8 },
}

/// A flattened text.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, manual)]
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
struct HiddenManual {
    inner: JustText,
}

echo!(Hidden, HiddenManual);

#[test]
fn an_input_that_only_types_show_to_be_no_object_is_refused_at_registration() {
    for error in [
        Registry::new().tool::<Hidden>().map(|_| ()).unwrap_err(),
        Registry::new().tool::<HiddenManual>().map(|_| ()).unwrap_err(),
    ] {
        assert_eq!(error.problems()[0].code(), &Code::UNSUPPORTED_SCHEMA);
        assert_eq!(error.problems()[0].place().unwrap().0, "input");
        assert!(error.to_string().contains("object"), "{error}");
    }
}
