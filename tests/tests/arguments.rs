//! How the text of arguments is read: within bounds, without repair, without a silent change, and with every fault told.

use serde::Serialize;
use serde_json::{Value, json};
use tests::{call, code, dispatcher_of, echo, faults, input_schema, told};
use tool_runtime::Limits;
use tool_runtime::json::ParseLimits;
use tool_runtime::prelude::*;

/// Numbers of every kind.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Numbers {
    n: Option<u32>,
    i: Option<i64>,
    u: Option<u64>,
    small: Option<i8>,
    f: Option<f64>,
    single: Option<f32>,
    any: Option<Value>,
}

echo!(Numbers);

/// What `{"key": number}` is read as, or the faults.
async fn read(key: &str, number: &str) -> Result<String, String> {
    let result = call::<Numbers>(&format!("{{\"{key}\":{number}}}")).await;
    if let Some(failure) = result.failure() {
        return Err(failure.error().message().to_owned());
    }
    let text: Value = serde_json::from_str(&result.content().to_text()).unwrap();
    Ok(text[key].to_string())
}

async fn taken(key: &str, number: &str) -> String {
    read(key, number).await.unwrap_or_else(|fault| panic!("{number} for {key}: {fault}"))
}

async fn refused(key: &str, number: &str, because: &str) {
    let fault = read(key, number).await.expect_err(number);
    assert!(fault.contains(because), "{number} for {key}: {fault}");
}

#[tokio::test]
async fn a_whole_float_is_that_integer_and_no_other_float_is() {
    for (number, integer) in [("12.0", "12"), ("12e0", "12"), ("1.2e1", "12"), ("-0.0", "0"), ("-0", "0"), ("0.0", "0")]
    {
        assert_eq!(taken("n", number).await, integer, "{number}");
    }
    assert_eq!(taken("n", "4294967295.0").await, "4294967295");
    refused("n", "12.5", "/n").await;
    refused("n", "4294967296.0", "4294967295").await;
    refused("n", "-1.0", "/n").await;
    refused("n", "1e-1", "/n").await;
    assert_eq!(taken("i", "-9223372036854775808.0").await, "-9223372036854775808");
    refused("i", "9223372036854775808.0", "/i").await;
    refused("u", "18446744073709551616.0", "/u").await;
    refused("u", "1e300", "/u").await;
}

#[tokio::test]
async fn a_float_keeps_its_sign_and_every_bit() {
    assert_eq!(taken("f", "-0.0").await, "-0.0");
    assert_eq!(taken("f", "-0").await, "0.0");
    assert_eq!(taken("f", "1").await, "1.0");
    for number in ["0.1", "1.7976931348623157e308", "5e-324", "2.2250738585072014e-308", "123456.78901234568"] {
        let read: f64 = taken("f", number).await.parse().unwrap();
        assert_eq!(read.to_bits(), number.parse::<f64>().unwrap().to_bits(), "{number}");
    }
    for number in ["1e400", "-1e400", "1e-400"] {
        refused("f", number, "invalid JSON").await;
    }
}

#[tokio::test]
async fn a_single_float_is_the_nearest_one_and_never_infinity() {
    assert_eq!(taken("single", "0.1").await, "0.1");
    let greatest: f32 = taken("single", "3.4028235e38").await.parse().unwrap();
    assert_eq!(greatest.to_bits(), f32::MAX.to_bits());
    refused("single", "3.5e38", "/single").await;
    refused("single", "-1e39", "/single").await;
}

#[tokio::test]
async fn sixty_four_bits_keep_every_digit() {
    for (key, number) in [
        ("i", "9223372036854775807"),
        ("i", "-9223372036854775808"),
        ("u", "18446744073709551615"),
        ("i", "9007199254740993"),
        ("u", "9007199254740993"),
        ("any", "18446744073709551615"),
        ("any", "-9223372036854775808"),
    ] {
        assert_eq!(taken(key, number).await, number);
    }
    for (key, number) in [
        ("i", "9223372036854775808"),
        ("i", "-9223372036854775809"),
        ("u", "18446744073709551616"),
        ("u", "-1"),
        ("any", "18446744073709551616"),
        ("any", "-9223372036854775809"),
        ("small", "128"),
        ("small", "-129"),
        ("n", "4294967296"),
    ] {
        assert!(read(key, number).await.is_err(), "{number} for {key}");
    }
}

#[tokio::test]
async fn a_number_in_a_string_is_no_number() {
    for (key, text) in [("n", "\"12\""), ("f", "\"1.5\""), ("i", "\" 5 \""), ("n", "true"), ("n", "[12]"), ("f", "{}")]
    {
        refused(key, text, &format!("/{key}")).await;
    }
}

#[test]
fn integers_publish_the_bounds_that_are_enforced() {
    let schema = input_schema::<Numbers>();
    let bounds = |name: &str| {
        let property = &schema["properties"][name];
        assert_eq!(property.get("format"), None, "{property}");
        (property["minimum"].clone(), property["maximum"].clone())
    };
    assert_eq!(bounds("n"), (json!(0), json!(u32::MAX)));
    assert_eq!(bounds("i"), (json!(i64::MIN), json!(i64::MAX)));
    assert_eq!(bounds("u"), (json!(0), json!(u64::MAX)));
    assert_eq!(bounds("small"), (json!(-128), json!(127)));
    assert_eq!(bounds("f"), (Value::Null, Value::Null));
}

/// Takes a text.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Text {
    q: String,
    max_results: Option<u32>,
}

echo!(Text);

#[tokio::test]
async fn what_is_no_json_is_refused_with_its_place_and_never_repaired() {
    for (arguments, because) in [
        ("{\"q\":\"a\nb\"}", "line feed"),
        (r#"{"q":"C:\dir"}"#, "escape"),
        ("\u{feff}{\"q\":\"a\"}", "byte order mark"),
        ("```json\n{\"q\":\"a\"}\n```", "invalid JSON"),
        (r#"{"q":"a",}"#, "comma"),
        (r#"{q:"a"}"#, "invalid JSON"),
        ("{'q':'a'}", "invalid JSON"),
        (r#"{"q":"a"} {}"#, "invalid JSON"),
        (r#"{"q":"a"}}"#, "invalid JSON"),
        (r#"{"q":"a"} // why"#, "invalid JSON"),
        (r#"{"q":"a"#, "invalid JSON"),
        (r#"{"q":"a""#, "invalid JSON"),
        (r#"{"q":"#, "invalid JSON"),
        (r#"{"q""#, "invalid JSON"),
        (r#"{"q":"\ud800"}"#, "surrogate"),
        (r#"{"q":NaN}"#, "invalid JSON"),
        (r#"{"max_results":01,"q":"a"}"#, "invalid JSON"),
        (r#"{"max_results":+1,"q":"a"}"#, "invalid JSON"),
        (r#"{"q":"a","q":"b"}"#, "twice"),
        (r#"{"q":"a","\u0071":"b"}"#, "twice"),
    ] {
        let faults = faults::<Text>(arguments).await;
        assert_eq!(faults.len(), 1, "{arguments}: {faults:?}");
        assert!(faults[0].contains(because) && faults[0].starts_with("invalid JSON"), "{arguments}: {faults:?}");
    }
}

#[tokio::test]
async fn every_proper_beginning_of_a_call_is_refused() {
    let whole = r#"{"q":"é\n\u00e9","max_results":12}"#;
    for end in (1..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
        assert_eq!(code(&call::<Text>(&whole[..end]).await), "INVALID_ARGS", "{}", &whole[..end]);
    }
    assert_eq!(told::<Text>(whole).await, "{\"q\":\"é\\né\",\"max_results\":12}");
}

#[tokio::test]
async fn size_and_depth_are_bounded_to_the_byte_and_the_level() {
    let dispatcher = |max_bytes, max_depth| {
        let limits = Limits { arguments: ParseLimits { max_bytes, max_depth }, ..Limits::default() };
        dispatcher_of::<Text>().limits(limits)
    };
    let arguments = r#"{"q":"four"}"#;
    let call = |dispatcher: Dispatcher, arguments: String| async move {
        dispatcher.call(ToolCall::new("call-1", "text", arguments)).await
    };
    assert!(call(dispatcher(arguments.len(), 1), arguments.to_owned()).await.is_success());
    let large = call(dispatcher(arguments.len() - 1, 1), arguments.to_owned()).await;
    assert_eq!(
        large.failure().unwrap().error().message(),
        "invalid arguments: invalid JSON: the text has 12 bytes, and at most 11 are read; send less"
    );
    let deep = call(dispatcher(100, 1), r#"{"q":[]}"#.to_owned()).await;
    assert!(deep.content().to_text().contains("1 level"), "{}", deep.content().to_text());
    // The default limits hold a text that would overflow a stack.
    let deepest = format!("{{\"q\":{}", "[".repeat(500_000));
    assert_eq!(code(&call(dispatcher_of::<Text>(), deepest).await), "INVALID_ARGS");
    let largest = format!("{{\"q\":\"{}\"}}", "x".repeat(1 << 20));
    assert_eq!(code(&call(dispatcher_of::<Text>(), largest).await), "INVALID_ARGS");
}

#[tokio::test]
async fn an_unknown_key_is_refused_with_the_nearest_known_one() {
    assert_eq!(
        faults::<Text>(r#"{"q":"a","maxResults":5}"#).await,
        [r#""/maxResults" is not a declared property (additionalProperties: false); did you mean "max_results"?"#]
    );
    for key in ["max_results.value", "_meta", "", "a/b", "a~b", "日本", "q "] {
        let arguments = json!({"q": "a", key: 1}).to_string();
        let faults = faults::<Text>(&arguments).await;
        let pointer = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
        assert!(faults.len() == 1 && faults[0].starts_with(&format!("\"{pointer}\" is not")), "{key}: {faults:?}");
    }
    let far = faults::<Text>(r#"{"q":"a","zzzzzzzz":5}"#).await;
    assert!(!far[0].contains("did you mean"), "{far:?}");
}

/// Many things to get wrong.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Many {
    q: String,
    #[schemars(range(min = 1, max = 10))]
    n: u32,
    #[schemars(length(min = 1, max = 3))]
    tags: Vec<String>,
    #[schemars(length(min = 2), regex(pattern = "^[a-z]+$"))]
    id: String,
    kind: Kind,
    either: Either,
    rows: Vec<Row>,
}

#[tool_input]
#[derive(Serialize)]
#[serde(tag = "type")]
enum Kind {
    One { x: u8 },
    Two,
}

#[tool_input]
#[derive(Serialize)]
#[serde(untagged)]
enum Either {
    A { a: u8 },
    B { b: String },
}

#[tool_input]
#[derive(Serialize)]
struct Row {
    cell: u8,
}

echo!(Many);

#[tokio::test]
async fn every_fault_is_told_in_one_answer_with_its_pointer_and_in_stable_order() {
    let arguments = json!({
        "q": 5, "n": 11, "tags": [], "id": "A", "kind": {"type": "Four"}, "either": {"k": 1},
        "rows": [{"cell": 1}, {"cell": 300}, {"cel": 2}], "extra": true,
    });
    let found = faults::<Many>(&arguments.to_string()).await;
    let pointers = [
        "\"/q\"",
        "\"/n\"",
        "\"/tags\"",
        "\"/id\"",
        "/kind/type",
        "/either",
        "\"/rows/1/cell\"",
        "\"/rows/2/cel",
        "\"/extra\"",
    ];
    let mut from = 0;
    for pointer in pointers {
        let place = found[from..].iter().position(|fault| fault.contains(pointer));
        from += place.unwrap_or_else(|| panic!("{pointer} in its place: {found:#?}"));
    }
    assert!(found[0].contains("must be a string, got 5"), "{found:#?}");
    assert!(found.iter().any(|fault| fault.contains("at most 10")), "{found:#?}");
    assert!(found.iter().any(|fault| fault.contains("/kind/type") && fault.contains("One") && fault.contains("Two")));
    assert_eq!(found, faults::<Many>(&arguments.to_string()).await, "the same bytes each time");
    let message = call::<Many>(&arguments.to_string()).await.failure().unwrap().error().message().to_owned();
    assert_eq!(message, format!("invalid arguments: {}", found.join("; ")));
}

#[tokio::test]
async fn what_is_missing_is_told_beside_what_is_wrong() {
    let found = faults::<Many>(r#"{"n":"x"}"#).await;
    for name in ["q", "tags", "id", "kind", "either", "rows"] {
        assert!(found.contains(&format!("missing required property \"/{name}\"")), "{name}: {found:?}");
    }
    assert!(found.iter().any(|fault| fault.contains("\"/n\" must be an integer, got \"x\"")), "{found:?}");
}

#[tokio::test]
async fn an_array_for_a_struct_does_not_pass() {
    let arguments =
        json!({"q": "a", "n": 1, "tags": ["t"], "id": "ab", "kind": ["One", 1], "either": [1], "rows": [[1]]});
    let found = faults::<Many>(&arguments.to_string()).await;
    for pointer in ["/kind", "/either", "/rows/0"] {
        assert!(found.iter().any(|fault| fault.contains(pointer)), "{pointer}: {found:?}");
    }
}

#[tokio::test]
async fn faults_are_bounded_in_number_and_length() {
    let rows: Vec<_> = (0..5000).map(|_| json!({"cell": "x".repeat(100)})).collect();
    let long = "y".repeat(50_000);
    let arguments = json!({"q": {"a": long.as_str()}, "n": 1, "tags": ["t"], "id": "ab", "kind": {"type": "Two"},
        "either": {"a": 1}, "rows": rows, long.as_str(): 1});
    let found = faults::<Many>(&arguments.to_string()).await;
    assert!(found.len() <= 33, "{}", found.len());
    assert!(
        found.last().unwrap().starts_with("and ") && found.last().unwrap().ends_with(" more"),
        "{:?}",
        found.last()
    );
    for fault in &found {
        assert!(fault.len() <= 1000, "{} bytes: {}…", fault.len(), &fault[..200]);
    }
    let result = call::<Many>(&arguments.to_string()).await;
    assert!(result.failure().unwrap().error().message().len() <= Limits::default().error_bytes);
}

#[tokio::test]
async fn one_very_long_key_is_named_by_its_beginning() {
    let long = "y".repeat(50_000);
    let found = faults::<Text>(&json!({"q": "a", long.as_str(): 1}).to_string()).await;
    assert!(found.len() == 1 && found[0].len() <= 1000, "{}", found[0].len());
}

/// Variants that only their fields tell apart.
#[derive(Tool, Serialize)]
#[serde(untagged)]
#[tool(output = String, render = display)]
enum Told {
    Pair { n: u32, m: i64 },
    Either { either: Either, any: Value, f: f64 },
    Loose { z: Option<u8> },
}

echo!(Told);

#[tokio::test]
async fn a_whole_float_never_leads_to_another_variant_and_stays_a_float_where_any_number_is_taken() {
    assert_eq!(told::<Told>(r#"{"n":1.0,"m":-2.0}"#).await, r#"{"n":1,"m":-2}"#);
    assert_eq!(told::<Told>(r#"{"n":-0.0,"m":0}"#).await, r#"{"n":0,"m":0}"#);
    assert_eq!(
        told::<Told>(r#"{"either":{"a":3.0},"any":[4.0,-0.0,{"k":5.0}],"f":-0.0}"#).await,
        r#"{"either":{"a":3},"any":[4.0,-0.0,{"k":5.0}],"f":-0.0}"#
    );
    assert_eq!(told::<Told>(r#"{"z":6.0}"#).await, r#"{"z":6}"#);
}
