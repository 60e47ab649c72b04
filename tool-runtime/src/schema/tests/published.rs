//! Goldens of published schemas.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroI16;

use schemars::{JsonSchema, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::{Side, Validator, input_schema, mark_never_null, mark_open, output_schema};
use super::{input, output};

#[derive(JsonSchema, Serialize, Deserialize)]
struct Unit;

#[derive(JsonSchema, Serialize, Deserialize)]
struct Empty {}

#[test]
fn tools_without_parameters_have_explicit_empty_properties() {
    let closed = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
    let open = r#"{"type":"object","properties":{}}"#;
    assert_eq!(input_schema::<Unit>(false).unwrap().as_str(), closed);
    assert_eq!(input_schema::<Empty>(false).unwrap().as_str(), closed);
    assert_eq!(input_schema::<Unit>(true).unwrap().as_str(), open);
    assert_eq!(input_schema::<Empty>(true).unwrap().as_str(), open);
}

#[test]
fn numbers_have_their_real_bounds_and_no_format() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Numbers {
        a: u8,
        b: i16,
        c: u32,
        d: i64,
        e: u64,
        f: usize,
        g: isize,
        h: f32,
        i: f64,
        j: NonZeroI16,
        #[schemars(range(min = 1, max = 10))]
        k: u64,
        #[schemars(email)]
        l: String,
        m: Option<u8>,
        n: char,
    }
    let properties = input::<Numbers>()["properties"].to_string();
    let expected = concat!(
        r#"{"a":{"type":"integer","minimum":0,"maximum":255},"#,
        r#""b":{"type":"integer","minimum":-32768,"maximum":32767},"#,
        r#""c":{"type":"integer","minimum":0,"maximum":4294967295},"#,
        r#""d":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"#,
        r#""e":{"type":"integer","minimum":0,"maximum":18446744073709551615},"#,
        r#""f":{"type":"integer","minimum":0,"maximum":18446744073709551615},"#,
        r#""g":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"#,
        r#""h":{"type":"number","minimum":-3.4028235e+38,"maximum":3.4028235e+38},"#,
        r#""i":{"type":"number"},"#,
        r#""j":{"type":"integer","minimum":-32768,"maximum":32767,"not":{"const":0}},"#,
        r#""k":{"type":"integer","minimum":1,"maximum":10},"#,
        r#""l":{"type":"string","format":"email"},"#,
        r#""m":{"type":["integer","null"],"minimum":0,"maximum":255},"#,
        r#""n":{"type":"string","minLength":1,"maxLength":1}}"#,
    );
    assert_eq!(properties, expected);
}

#[test]
fn the_extremes_of_every_number_are_valid() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Extremes {
        least: (i8, i64, isize, f32, f64),
        most: (u8, u64, usize, f32, f64),
    }
    let schema = output_schema::<Extremes>().unwrap();
    let validator = Validator::derived(&schema, Side::Output).unwrap();
    let extremes = Extremes {
        least: (i8::MIN, i64::MIN, isize::MIN, f32::MIN, f64::MIN),
        most: (u8::MAX, u64::MAX, usize::MAX, f32::MAX, f64::MAX),
    };
    validator.accept(&extremes).unwrap();
}

#[test]
fn two_types_of_one_name_stay_apart() {
    mod a {
        #[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
        pub(super) struct Item {
            pub(super) x: u8,
        }
    }
    mod b {
        #[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
        #[schemars(rename = "Item/~ä")]
        pub(super) struct Item {
            pub(super) y: String,
        }
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Page<T> {
        items: Vec<T>,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct In {
        l: a::Item,
        r: b::Item,
        p: Page<a::Item>,
        q: Page<Option<b::Item>>,
    }
    let schema = input_schema::<In>(false).unwrap();
    assert_eq!(schema, input_schema::<In>(false).unwrap());
    let tree = schema.to_value();
    let definitions = tree["$defs"].as_object().unwrap();
    assert_eq!(definitions.keys().collect::<Vec<_>>(), ["Item", "Item___", "Page", "Page2"]);
    Validator::derived(&schema, Side::Input).unwrap();
}

#[test]
fn a_recursive_root_stands_in_its_definitions() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Tree {
        name: String,
        children: Vec<Tree>,
    }
    let tree = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
        "required": ["name", "children"],
        "additionalProperties": false,
    });
    let mut expected = tree.clone();
    expected["$defs"] = json!({"Tree": tree});
    assert_eq!(input::<Tree>().to_string(), expected.to_string());
    assert_eq!(output::<Tree>().to_string(), expected.to_string());
    let open = input_schema::<Tree>(true).unwrap().to_string();
    assert!(!open.contains("additionalProperties"), "{open}");
}

#[test]
fn recursive_arguments_of_any_depth_are_checked() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    enum Cond {
        Leaf { field: String, at_least: f64 },
        Every { of: Vec<Cond> },
        Not { c: Box<Cond> },
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Find {
        text: String,
        cond: Option<Cond>,
    }
    let validator = super::checker::<Find>();
    for depth in [1, 5, 60] {
        let mut cond = json!({"Leaf": {"field": "f", "at_least": 0.5}});
        for _ in 1..depth {
            cond = json!({"Not": {"c": cond}});
        }
        validator.check(&json!({"text": "t", "cond": cond})).unwrap();
    }
}

#[test]
fn input_unions_say_that_they_are_objects() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct OpenArgs {
        path: String,
    }
    /// What to do.
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(tag = "action")]
    enum Cmd {
        Open(OpenArgs),
        Close { id: u32 },
        List,
    }
    let expected = json!({
        "type": "object",
        "oneOf": [
            {
                "type": "object",
                "properties": {"action": {"type": "string", "const": "Open"}, "path": {"type": "string"}},
                "required": ["action", "path"],
                "additionalProperties": false,
            },
            {
                "type": "object",
                "properties": {
                    "action": {"type": "string", "const": "Close"},
                    "id": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
                },
                "required": ["action", "id"],
                "additionalProperties": false,
            },
            {
                "type": "object",
                "properties": {"action": {"type": "string", "const": "List"}},
                "required": ["action"],
                "additionalProperties": false,
            },
        ],
    });
    assert_eq!(input::<Cmd>().to_string(), expected.to_string());
}

#[test]
fn flattened_enums_are_closed_through_their_branches() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Shape {
        Dot,
        Circle { radius: f64 },
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Drawn {
        name: String,
        #[serde(flatten)]
        shape: Shape,
    }
    let expected = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "oneOf": [
            {"type": "object", "properties": {"kind": {"type": "string", "const": "Dot"}}, "required": ["kind"]},
            {
                "type": "object",
                "properties": {"kind": {"type": "string", "const": "Circle"}, "radius": {"type": "number"}},
                "required": ["kind", "radius"],
            },
        ],
        "unevaluatedProperties": false,
    });
    assert_eq!(input::<Drawn>().to_string(), expected.to_string());
}

#[test]
fn maps_stay_open() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Vars {
        variables: HashMap<String, Value>,
        numbers: BTreeMap<String, u8>,
        #[serde(flatten)]
        rest: BTreeMap<String, bool>,
    }
    let expected = json!({
        "type": "object",
        "properties": {
            "variables": {"type": "object", "additionalProperties": true},
            "numbers": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0, "maximum": 255}},
        },
        "required": ["variables", "numbers"],
        "additionalProperties": {"type": "boolean"},
    });
    assert_eq!(input::<Vars>().to_string(), expected.to_string());
}

#[test]
fn a_newtype_of_an_object_takes_its_shape() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Inner {
        x: bool,
    }
    /// Outer text.
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Outer(Inner);
    let expected = json!({
        "type": "object",
        "properties": {"x": {"type": "boolean"}},
        "required": ["x"],
        "additionalProperties": false,
    });
    assert_eq!(input::<Outer>().to_string(), expected.to_string());
}

#[test]
fn markers_open_types_and_never_reach_the_public() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[schemars(transform = mark_open)]
    struct Loose {
        x: u8,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(tag = "t")]
    enum Either {
        Loose(Loose),
        Tight { y: u8 },
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Out {
        loose: Loose,
        either: Either,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(transform = mark_never_null)]
        left_out: Option<Loose>,
    }
    let schema = output_schema::<Out>().unwrap();
    assert!(!schema.as_str().contains("x-tool"), "{schema}");
    let validator = Validator::derived(&schema, Side::Output).unwrap();
    let loose = json!({"x": 1, "more": 2});
    validator.check(&json!({"loose": loose, "either": {"t": "Loose", "x": 1, "more": 2}, "left_out": loose})).unwrap();
    validator.check(&json!({"loose": loose, "either": {"t": "Tight", "y": 1}})).unwrap();
    validator.check(&json!({"loose": loose, "either": {"t": "Tight", "y": 1, "more": 2}})).unwrap_err();
    validator.check(&json!({"loose": loose, "either": {"t": "Tight", "y": 1}, "left_out": null})).unwrap_err();
    validator.check(&json!({"loose": loose, "either": {"t": "Tight", "y": 1}, "more": 2})).unwrap_err();
}

#[test]
fn unset_fields_are_null_or_left_out_as_they_are_written() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Out {
        a: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<u64>,
        list: Vec<u8>,
    }
    let schema = output_schema::<Out>().unwrap();
    assert_eq!(schema.to_value()["required"], json!(["a", "list"]));
    let validator = Validator::derived(&schema, Side::Output).unwrap();
    let text = validator.accept(&Out { a: None, b: None, list: Vec::new() }).unwrap();
    assert_eq!(text.as_str(), r#"{"a":null,"list":[]}"#);
}

#[test]
fn any_root_is_an_output() {
    assert_eq!(output::<bool>().to_string(), r#"{"type":"boolean"}"#);
    assert_eq!(output::<Value>().to_string(), "{}");
    assert_eq!(output::<Vec<String>>().to_string(), r#"{"type":"array","items":{"type":"string"}}"#);
    assert_eq!(output::<Unit>().to_string(), r#"{"type":"null"}"#);
}

#[test]
fn open_is_about_the_arguments_and_not_what_they_hold() {
    #[derive(JsonSchema, Serialize, Deserialize)]
    struct Inner {
        x: u8,
    }
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(tag = "t")]
    enum Args {
        One { inner: Inner },
        Two(Inner),
    }
    let schema = input_schema::<Args>(true).unwrap();
    let validator = Validator::derived(&schema, Side::Input).unwrap();
    validator.check(&json!({"t": "One", "inner": {"x": 1}, "more": 1})).unwrap();
    validator.check(&json!({"t": "Two", "x": 1, "more": 1})).unwrap();
    validator.check(&json!({"t": "One", "inner": {"x": 1, "more": 1}})).unwrap_err();
}

#[test]
fn hand_written_objects_are_closed_only_if_that_leaves_a_value() {
    struct Either;
    impl JsonSchema for Either {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Either".into()
        }
        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            json_schema!({
                "type": "object",
                "properties": {
                    "a": {"type": "object", "required": ["undeclared"]},
                    "b": {"type": "object", "properties": {"x": true}, "required": ["x", "undeclared"]},
                    "c": {"type": "object", "minProperties": 1},
                    "d": {"allOf": [
                        {"type": "object", "properties": {"x": true}, "required": ["x"]},
                        {"type": "object", "properties": {"y": true}, "required": ["y"]}
                    ]},
                    "e": {"if": {"properties": {"x": {"const": 1}}}, "then": {"properties": {"y": true}, "required": ["y"]}}
                }
            })
        }
    }
    let validator = super::checker::<Either>();
    let value = json!({
        "a": {"undeclared": 1}, "b": {"x": 1, "undeclared": 1}, "c": {"any": 1}, "d": {"x": 1, "y": 1}, "e": {"x": 1, "y": 1}
    });
    validator.check(&value).unwrap();
    validator.check(&json!({"d": {"x": 1, "y": 1, "z": 1}})).unwrap_err();
}
