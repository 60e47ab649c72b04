//! The walk that explains and the engine that judges agree on every value.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::dialect::Dialect;
use super::super::engine::{self, Engine};
use super::super::{Side, Validator, meta};

fn keys() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "type"]).prop_map(str::to_owned)
}

fn scalars() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..4).prop_map(Value::from),
        prop::sample::select(vec![0.5, 1.0, -2.0, 0.07, 1e20]).prop_map(Value::from),
        prop::sample::select(vec!["", "a", "bb", "a@b.cd", "ä"]).prop_map(Value::from),
    ]
}

pub(in crate::schema) fn values() -> impl Strategy<Value = Value> {
    scalars().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// One keyword with its value; `inner` are the schemas that it may hold.
fn keyword(inner: BoxedStrategy<Value>) -> impl Strategy<Value = (String, Value)> {
    let kinds = prop::sample::select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]);
    let list = prop::collection::vec(inner.clone(), 1..3).prop_map(Value::from).boxed();
    let map = prop::collection::vec((keys(), inner.clone()), 0..3)
        .prop_map(|entries| Value::Object(entries.into_iter().collect()))
        .boxed();
    let required = prop::collection::hash_set(keys(), 0..3).prop_map(|names| json!(names));
    let count = (0_u64..3).prop_map(Value::from);
    let number = prop_oneof![(-2_i64..3).prop_map(Value::from), Just(json!(0.5))];
    let several = prop::collection::hash_set(kinds.clone(), 1..4).prop_map(|kinds| json!(kinds));
    let needs = prop::collection::vec((keys(), prop::collection::hash_set(keys(), 0..3)), 0..3)
        .prop_map(|entries| Value::Object(entries.into_iter().map(|(key, names)| (key, json!(names))).collect()))
        .boxed();
    let one_of = |names: &[&'static str]| prop::sample::select(names.to_vec()).prop_map(str::to_owned);
    prop_oneof![
        3 => (Just("type".to_owned()), kinds.prop_map(Value::from)),
        1 => (Just("type".to_owned()), several),
        1 => (Just("enum".to_owned()), prop::collection::vec(scalars(), 1..4).prop_map(Value::from)),
        1 => (Just("const".to_owned()), values()),
        1 => (one_of(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]), number),
        1 => (Just("multipleOf".to_owned()), prop::sample::select(vec![json!(2), json!(0.5), json!(3), json!(0.01)])),
        1 => (one_of(&["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"]), count),
        1 => (Just("pattern".to_owned()), prop::sample::select(vec!["^a", "b$", "."]).prop_map(Value::from)),
        1 => (Just("uniqueItems".to_owned()), Just(json!(true))),
        3 => (one_of(&["properties", "patternProperties", "dependentSchemas"]), map.clone()),
        2 => (Just("required".to_owned()), required),
        1 => (Just("dependentRequired".to_owned()), needs.clone()),
        2 => (one_of(&["additionalProperties", "items", "contains", "not", "if", "then", "else", "unevaluatedProperties", "propertyNames"]), inner.clone()),
        2 => (one_of(&["allOf", "anyOf", "oneOf", "prefixItems"]), list.clone()),
        1 => (Just("dependencies".to_owned()), prop_oneof![needs, map]),
        1 => prop_oneof![(Just("items".to_owned()), list), (Just("additionalItems".to_owned()), inner)],
        1 => (Just("$ref".to_owned()), prop::sample::select(vec!["#/$defs/A", "#/$defs/B"]).prop_map(Value::from)),
    ]
}

pub(in crate::schema) fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(true)), Just(json!(false)), Just(json!({})), Just(json!({"type": "integer"}))];
    leaf.prop_recursive(3, 24, 3, |inner| {
        prop::collection::vec(keyword(inner.boxed()), 0..4)
            .prop_map(|keywords| Value::Object(keywords.into_iter().collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_refused_is_explained(root in schemas(), a in schemas(), value in values()) {
        let mut root = match root { Value::Object(root) => root, other => Map::from_iter([("allOf".to_owned(), json!([other]))]) };
        let recursive = json!({"properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}}, "type": ["object", "array"]});
        root.insert("$defs".to_owned(), json!({"A": a, "B": recursive}));
        // Schemas that are refused for their shape are not this law's.
        let Ok((_, validator)) = Validator::foreign(&Value::Object(root), Side::Output) else { return Ok(()) };
        prop_assert_eq!(validator.explained(&value).is_empty(), validator.is_valid(&value));
    }

    #[test]
    fn the_oracle_gives_the_same_verdict(root in schemas(), a in schemas(), values in prop::collection::vec(values(), 1..6)) {
        let Some((document, validator)) = accepted(root, &a) else { return Ok(()) };
        let oracle = Engine::compile(&document, Dialect::Draft202012, false);
        let oracle = oracle.unwrap_or_else(|violation| panic!("{violation}: {document}"));
        for value in values {
            prop_assert_eq!(validator.is_valid(&value), oracle.is_valid(&value), "{} on {}", document, value);
        }
    }

    #[test]
    fn the_oracle_finds_the_same_keywords_wrong(mut schema in schemas(), keyword in keyword_of_any_value(), draft_07 in any::<bool>()) {
        let dialect = if draft_07 { Dialect::Draft07 } else { Dialect::Draft202012 };
        if let Value::Object(node) = &mut schema {
            node.insert(keyword.0, keyword.1);
        }
        let schema = json!({"properties": {"a": schema}});
        prop_assert_eq!(
            meta::violations(&schema, dialect, None).is_empty(), engine::is_valid_schema(&schema, dialect), "{}", schema
        );
    }
}

/// The schema with `a` and a recursive one as definitions, and its validator; `None` if it is refused for its shape.
fn accepted(root: Value, a: &Value) -> Option<(Value, Validator)> {
    let mut root = match root {
        Value::Object(root) => root,
        other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
    };
    let recursive = json!({
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}}, "type": ["object", "array"]
    });
    root.insert("$defs".to_owned(), json!({"A": a, "B": recursive}));
    let document = Value::Object(root);
    let (_, validator) = Validator::foreign(&document, Side::Output).ok()?;
    Some((document, validator))
}

fn keyword_of_any_value() -> impl Strategy<Value = (String, Value)> {
    let names = vec![
        "type",
        "enum",
        "minimum",
        "multipleOf",
        "minLength",
        "maxItems",
        "minContains",
        "pattern",
        "uniqueItems",
        "required",
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
        "items",
        "prefixItems",
        "contains",
        "allOf",
        "oneOf",
        "not",
        "if",
        "$defs",
        "definitions",
        "$ref",
        "$anchor",
        "$id",
        "$comment",
        "title",
        "description",
        "deprecated",
        "readOnly",
        "examples",
        "default",
        "exclusiveMaximum",
        "format",
        "contentEncoding",
        "x-note",
    ];
    let kinds = prop::collection::vec(prop::sample::select(vec!["null", "integer", "string", "int"]), 0..3);
    let lists = prop::collection::vec(prop::sample::select(vec!["a", "b", "c"]), 0..3);
    let arguments = prop_oneof![
        values(),
        kinds.prop_map(|kinds| json!(kinds)),
        lists.prop_map(|names| json!(names)),
        schemas(),
        schemas().prop_map(|schema| json!({"a": schema})),
        schemas().prop_map(|schema| json!([schema]))
    ];
    (prop::sample::select(names).prop_map(str::to_owned), arguments)
}
