//! A plain schema is one that every step lets through, with the bytes that the steps give it.

use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::dialect::Dialect;
use super::super::generate::{Contract, finished, judged_input, judged_output};
use super::super::program::Program;
use super::super::{foreign, plain};

/// Data of all kinds, some of it out of place.
fn data() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(2),
        json!(0.5),
        json!("a"),
        json!("null"),
        json!("object"),
        json!([]),
        json!(["a"]),
        json!(["a", "b"]),
        json!(["b", "b"]),
        json!(["string", "null"]),
        json!([null]),
        json!({"a": {"b": []}}),
    ])
}

/// Keywords without schemas, mostly with what they can have.
fn scalar() -> impl Strategy<Value = (String, Value)> {
    let some = prop::sample::select(vec![
        ("type", json!("object")),
        ("type", json!("string")),
        ("type", json!("integer")),
        ("type", json!("null")),
        ("type", json!(["string", "null"])),
        ("required", json!(["a"])),
        ("required", json!(["a", "b"])),
        ("required", json!(["b", "a", "b"])),
        ("enum", json!(["a", "b"])),
        ("enum", json!(["a", null])),
        ("enum", json!([null])),
        ("enum", json!([])),
        ("const", json!("a")),
        ("format", json!("uint8")),
        ("format", json!("int128")),
        ("format", json!("ip")),
        ("format", json!("regex")),
        ("format", json!("float")),
        ("pattern", json!("a(")),
        ("title", json!("T")),
        ("description", json!("d")),
        ("default", json!(null)),
        ("additionalProperties", json!(false)),
        ("$ref", json!("#")),
        ("$ref", json!("#/$defs/A")),
        ("$ref", json!("#/$defs/B")),
        ("$ref", json!("#/$defs/C%20")),
        ("$ref", json!("#/properties/a")),
        ("x-tool-never-null", json!(true)),
        ("x-tool-strict", json!(true)),
        ("x-tool-open", json!(true)),
        ("x-tool-type", json!("Option<Option<uint8>>")),
        ("x-tool-type", json!("Map<(uint8), a::B>")),
        ("x-tool-type", json!("[a::B]")),
        ("x-tool-no-object", json!("a list")),
    ]);
    let any = prop::sample::select(vec![
        "type",
        "required",
        "enum",
        "minimum",
        "maxLength",
        "default",
        "uniqueItems",
        "multipleOf",
        "deprecated",
        "$id",
        "$anchor",
        "contains",
        "x-note",
    ]);
    prop_oneof![
        6 => some.prop_map(|(keyword, value)| (keyword.to_owned(), value)),
        1 => (any, data()).prop_map(|(keyword, value)| (keyword.to_owned(), value)),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let object = |entries: Vec<(String, Value)>| Value::Object(entries.into_iter().collect());
    let leaf = prop_oneof![1 => any::<bool>().prop_map(Value::from), 9 => prop::collection::vec(scalar(), 0..3).prop_map(object)];
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let several = prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array);
        let named = prop::collection::vec((prop::sample::select(vec!["a", "b", "required"]), inner.clone()), 0..3)
            .prop_map(|entries| {
                Value::Object(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            });
        let holder = prop_oneof![
            4 => named.prop_map(|value| ("properties".to_owned(), value)),
            2 => several.clone().prop_map(|value| ("anyOf".to_owned(), value)),
            2 => several.clone().prop_map(|value| ("oneOf".to_owned(), value)),
            1 => several.prop_map(|value| ("prefixItems".to_owned(), value)),
            2 => inner.clone().prop_map(|value| ("items".to_owned(), value)),
            1 => inner.prop_map(|value| ("additionalProperties".to_owned(), value)),
        ];
        (prop::collection::vec(scalar(), 0..3), holder)
            .prop_map(|(scalars, holder)| Value::Object(scalars.into_iter().chain([holder]).collect()))
    })
}

/// A document that may be what a type generates, or nearly so.
fn document() -> impl Strategy<Value = Value> {
    let definitions = prop::collection::vec((prop::sample::select(vec!["A", "B", "C "]), schema()), 0..3);
    let kind = prop::option::weighted(0.7, Just(json!("object")));
    (schema(), kind, definitions).prop_map(|(root, kind, definitions)| {
        let Value::Object(mut root) = root else { return root };
        root.extend(kind.map(|kind| ("type".to_owned(), kind)));
        let definitions: Map<String, Value> =
            definitions.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
        if !definitions.is_empty() {
            root.insert("$defs".to_owned(), Value::Object(definitions));
        }
        Value::Object(root)
    })
}

/// What reads a value may ask for less.
fn asking_less(written: &Value) -> Value {
    let mut read = written.clone();
    super::super::keywords::change_all(&mut read, &mut |node| {
        if let Some(Value::Array(names)) = node.get_mut("required") {
            names.pop();
        }
    });
    read
}

fn compiles(schema: &Value) -> bool {
    let survey = foreign::judge_generated(schema);
    survey.is_ok_and(|survey| Program::compile(schema, &survey.names, Dialect::Draft202012, true).is_ok())
}

fn generated(schema: &Value) -> (Cow<'static, str>, Value) {
    (Cow::Borrowed("A"), schema.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plain_schemas_pass_every_step(written in document()) {
        if plain::reads(&written) {
            let judged = judged_input(generated(&written), false);
            prop_assert!(judged.is_ok(), "{} of {}", judged.unwrap_err(), written);
            let finished = finished(generated(&written), Contract::Reads);
            prop_assert_eq!(judged.unwrap().to_string(), finished.to_string());
            prop_assert!(compiles(&finished), "{}", finished);
        }
        for read in [written.clone(), asking_less(&written)] {
            if !plain::writes(&written) || !plain::is_read(&written, &read) {
                continue;
            }
            let judged = judged_output(generated(&written), generated(&read));
            prop_assert!(judged.is_ok(), "{} of {}", judged.unwrap_err(), written);
            let finished = finished(generated(&written), Contract::Writes);
            prop_assert_eq!(judged.unwrap().to_string(), finished.to_string());
            prop_assert!(compiles(&finished), "{}", finished);
        }
    }
}

#[test]
fn most_schemas_are_plain() {
    let line = json!({
        "type": "object", "title": "Line", "required": ["number", "text"],
        "properties": {
            "number": {"type": "integer", "format": "uint32", "minimum": 0},
            "text": {"anyOf": [{"$ref": "#/$defs/Text"}, {"type": "null"}], "x-tool-type": "Option<a::Text>"},
        },
        "$defs": {"Text": {"oneOf": [{"type": "string", "const": "a"}, {"type": "object", "properties": {"b": {"$ref": "#"}}}]}},
    });
    assert!(plain::reads(&line));
    assert!(plain::writes(&line) && plain::is_read(&line, &asking_less(&line)));
    assert!(!plain::is_read(&asking_less(&line), &line), "what is written may be missing");
}
