//! What a value's violations say.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{Side, Validator, output_schema};
use super::{checker, told};

#[derive(JsonSchema, Serialize, Deserialize)]
struct Search {
    q: String,
    #[schemars(range(min = 1, max = 10))]
    max_results: Option<u32>,
}

#[test]
fn each_fault_names_its_place() {
    let validator = checker::<Search>();
    assert_eq!(told(&validator, &json!({})), "missing required property \"/q\"");
    assert_eq!(told(&validator, &json!({"q": 5})), "\"/q\" must be a string, got 5");
    assert_eq!(
        told(&validator, &json!({"q": "a", "maxResults": 5})),
        "\"/maxResults\" is not a declared property (additionalProperties: false); did you mean \"max_results\"?"
    );
    assert_eq!(
        told(&validator, &json!({"q": "a", "max_results.value": 5, "_meta": {}})),
        "\"/max_results.value\" is not a declared property (additionalProperties: false); did you mean \"max_results\"?\n\
         \"/_meta\" is not a declared property (additionalProperties: false)"
    );
    assert_eq!(
        told(&validator, &json!({"q": "a", "max_results": "5"})),
        "\"/max_results\" must be an integer or null, got \"5\""
    );
    assert_eq!(told(&validator, &json!({"q": "a", "max_results": 11})), "\"/max_results\" must be at most 10, got 11");
    assert_eq!(told(&validator, &json!([1, 2])), "arguments must be an object, got [1,2]");
}

#[test]
fn the_root_of_a_value_has_its_own_name() {
    let validator = Validator::derived(&output_schema::<Vec<u8>>().unwrap(), Side::Output).unwrap();
    assert_eq!(told(&validator, &json!("x")), "value must be an array, got \"x\"");
    assert_eq!(told(&validator, &json!([1, 256])), "\"/1\" must be at most 255, got 256");
    assert!(validator.accept(&vec![1_u8]).is_ok());
    assert!(validator.accept("x").is_err());
}

#[test]
fn the_order_is_missing_then_properties_then_undeclared() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct In {
        first: u8,
        second: Inner,
        third: String,
        fourth: bool,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Inner {
        a: u8,
        b: u8,
    }
    let value = json!({"zz": 1, "third": 3, "second": {"c": 1, "b": -1}, "aa": 2});
    assert_eq!(
        told(&checker::<In>(), &value),
        "missing required property \"/first\"\n\
         missing required property \"/fourth\"\n\
         missing required property \"/second/a\"\n\
         \"/second/b\" must be at least 0, got -1\n\
         \"/second/c\" is not a declared property (additionalProperties: false)\n\
         \"/third\" must be a string, got 3\n\
         \"/zz\" is not a declared property (additionalProperties: false)\n\
         \"/aa\" is not a declared property (additionalProperties: false)"
    );
}

#[test]
fn declared_constraints_and_formats_are_enforced() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct In {
        #[schemars(range(min = 1, max = 10))]
        n: u32,
        #[schemars(length(min = 1))]
        tags: Vec<String>,
        #[schemars(email)]
        to: String,
        #[schemars(extend("format" = "date-time"))]
        at: String,
        #[schemars(regex(pattern = r"^[a-z]+$"))]
        name: String,
        #[schemars(length(equal = 2))]
        code: String,
        #[schemars(extend("multipleOf" = 5))]
        step: u8,
    }
    let value = json!({"n": 11, "tags": [], "to": "nope", "at": "yesterday", "name": "A", "code": "abc", "step": 7});
    assert_eq!(
        told(&checker::<In>(), &value),
        "\"/n\" must be at most 10, got 11\n\
         \"/tags\" must have at least 1 item, has 0\n\
         \"/to\" must be in the format \"email\", got \"nope\"\n\
         \"/at\" must be in the format \"date-time\", got \"yesterday\"\n\
         \"/name\" must match the pattern \"^[a-z]+$\", got \"A\"\n\
         \"/code\" must have at most 2 characters, has 3\n\
         \"/step\" must be a multiple of 5, got 7"
    );
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum UntaggedAb {
    A { a: u8, b: String },
    B { k: String },
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum TaggedEnum {
    One { x: u8 },
    Two,
    Three(Search),
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum External {
    Stop,
    Go { fast: bool },
    Turn(u8),
}

#[derive(JsonSchema, Serialize, Deserialize)]
enum Documented {
    /// Quick.
    Fast,
    /// Slow and exact.
    Exact,
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Unions {
    opt: Option<UntaggedAb>,
    kind: Option<TaggedEnum>,
    external: Option<External>,
    mode: Option<Documented>,
    #[serde(default)]
    list: Vec<TaggedEnum>,
    either: Option<Either>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text { text: String },
}

#[test]
fn unions_tell_the_nearest_branch_or_the_allowed_tags() {
    let validator = checker::<Unions>();
    let cases = [
        (json!({"opt": {"k": 1}}), "\"/opt/k\" must be a string, got 1"),
        (json!({"kind": {"type": "Four"}}), "\"/kind/type\" must be one of [\"One\",\"Two\",\"Three\"], got \"Four\""),
        (
            json!({"kind": {"type": "two"}}),
            "\"/kind/type\" must be one of [\"One\",\"Two\",\"Three\"], got \"two\"; did you mean \"Two\"?",
        ),
        (
            json!({"kind": {}}),
            "missing required property \"/kind/type\", which must be one of [\"One\",\"Two\",\"Three\"]",
        ),
        (json!({"kind": {"type": "One"}}), "missing required property \"/kind/x\""),
        (
            json!({"kind": {"type": "Three", "q": 1, "max": 2}}),
            "\"/kind/q\" must be a string, got 1\n\"/kind/max\" is not a declared property (additionalProperties: false)",
        ),
        (json!({"list": [{"type": "Two"}, {"type": "One", "x": 300}]}), "\"/list/1/x\" must be at most 255, got 300"),
        (json!({"external": {"Go": {"fast": 1}}}), "\"/external/Go/fast\" must be a boolean, got 1"),
        (
            json!({"external": {"Gos": {}}}),
            "\"/external\" must have exactly one of the properties [\"Go\",\"Turn\"]; did you mean \"Go\"?",
        ),
        (
            json!({"external": "stop"}),
            "\"/external\" must be \"Stop\" or an object or null, got \"stop\"; did you mean \"Stop\"?",
        ),
        (
            json!({"mode": "fast"}),
            "\"/mode\" must be one of [\"Fast\",\"Exact\"] or null, got \"fast\"; did you mean \"Fast\"?",
        ),
        (json!({"either": "x"}), "\"/either\" must be an integer or an object or null, got \"x\""),
        (json!({"either": 1.5}), "\"/either\" must be an integer or an object or null, got 1.5"),
    ];
    for (value, expected) in cases {
        assert_eq!(told(&validator, &value), expected, "{value}");
    }
}

#[test]
fn one_of_with_several_matches_says_how_many() {
    let raw = json!({"type": "object", "properties": {"x": {"oneOf": [{"type": "integer"}, {"type": "number"}]}}});
    let (_, validator) = Validator::foreign(&raw, Side::Input).unwrap();
    assert_eq!(told(&validator, &json!({"x": 1})), "\"/x\" must match exactly one oneOf branch (matched 2)");
    validator.check(&json!({"x": 1.5})).unwrap();
}

#[test]
fn flattened_unions_know_all_their_properties() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Flat {
        name: String,
        #[serde(flatten)]
        kind: TaggedEnum,
    }
    let validator = checker::<Flat>();
    assert_eq!(
        told(&validator, &json!({"nam": "n", "name": "n", "type": "Three", "q": "q", "maxResults": 1})),
        "\"/nam\" is not a declared property (unevaluatedProperties: false)\n\
         \"/maxResults\" is not a declared property (unevaluatedProperties: false); did you mean \"max_results\"?"
    );
}

#[test]
fn integers_are_the_ones_that_decode() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct In {
        n: u32,
    }
    let validator = checker::<In>();
    for fine in ["12", "12.0", "12e0", "-0.0", "-0"] {
        let value = crate::json::parse(&format!("{{\"n\":{fine}}}"), &crate::json::ParseLimits::default()).unwrap();
        validator.check(&value).unwrap_or_else(|found| panic!("{fine}: {found:?}"));
    }
    assert_eq!(told(&validator, &json!({"n": 12.5})), "\"/n\" must be an integer, got 12.5");
    assert_eq!(told(&validator, &json!({"n": 4_294_967_296.0})), "\"/n\" must be at most 4294967295, got 4294967296.0");
    assert_eq!(told(&validator, &json!({"n": -1})), "\"/n\" must be at least 0, got -1");
}

#[test]
fn answers_are_bounded_in_number_and_length() {
    let validator = Validator::derived(&output_schema::<Vec<u8>>().unwrap(), Side::Output).unwrap();
    let value = Value::from(vec!["ä".repeat(10_000); 100]);
    let violations = validator.check(&value).unwrap_err();
    assert_eq!(violations.len(), 33);
    assert_eq!(violations[32].message(), "and 68 more");
    let bytes: usize = violations.iter().map(|violation| violation.message().len()).sum();
    assert!(bytes < 33 * 300, "{bytes}");
    let long = BTreeMap::from([("k".repeat(100_000), 1)]);
    let object = json!({"q": "a"}).as_object().unwrap().clone().into_iter();
    let value: Value = object.chain(long.into_iter().map(|(key, value)| (key, value.into()))).collect();
    let text = told(&checker::<Search>(), &value);
    assert!(text.len() < 1000, "{}", text.len());
}

#[test]
fn secrets_are_not_quoted() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Login {
        #[schemars(extend("format" = "password", "pattern" = "^[a-z]{8,}$"))]
        password: String,
    }
    let validator = checker::<Login>();
    assert_eq!(
        told(&validator, &json!({"password": "Hunter2"})),
        "\"/password\" must match the pattern \"^[a-z]{8,}$\""
    );
    assert_eq!(told(&validator, &json!({"password": 12345})), "\"/password\" must be a string");
}

#[test]
fn lossy_values_are_violations() {
    let validator = Validator::derived(&output_schema::<Vec<f64>>().unwrap(), Side::Output).unwrap();
    let violations = validator.accept(&vec![1.0, f64::NAN]).unwrap_err();
    assert_eq!(violations[0].pointer().as_str(), "/1");
    assert_eq!(validator.accept(&vec![-0.0, 1.5e300]).unwrap().as_str(), "[-0.0,1.5e+300]");
}
