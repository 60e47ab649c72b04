//! Foreign schemas, well meant and not.

use serde_json::{Map, Value, json};

use super::super::{Side, Validator};
use super::told;

fn refusal(raw: &Value) -> String {
    refusal_of(raw, Side::Input)
}

fn refusal_of(raw: &Value, side: Side) -> String {
    Validator::foreign(raw, side).map(|_| ()).expect_err("the schema is refused").to_string()
}

fn with(name: &str, schema: Value) -> Value {
    let mut properties = Map::new();
    properties.insert(name.to_owned(), schema);
    json!({"type": "object", "properties": properties})
}

fn accepted(raw: &Value) -> Validator {
    let (schema, validator) = Validator::foreign(raw, Side::Input).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(schema.to_value(), *raw, "a foreign schema is published as it is");
    validator
}

#[test]
fn invalid_keywords_are_told_with_place_and_reason() {
    let kinds = "must be one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\" and \"string\", or a \
                 list of them";
    let cases = [
        (json!({"type": ""}), format!("\"/properties/p/type\" {kinds}, got \"\"")),
        (json!({"type": "int"}), format!("\"/properties/p/type\" {kinds}, got \"int\"")),
        (json!({"type": "any"}), format!("\"/properties/p/type\" {kinds}, got \"any\"")),
        (
            json!({"type": "number", "exclusiveMaximum": true, "maximum": 9}),
            "\"/properties/p/exclusiveMaximum\" must be a number, got true; only draft-04 has booleans here, write the bound \
             itself"
                .to_owned(),
        ),
        (
            json!({"type": "string", "required": true}),
            "\"/properties/p/required\" must be an array, got true; list the name in the \"required\" of the object around \
             it"
            .to_owned(),
        ),
        (json!({"enum": []}), "\"/properties/p/enum\" must not be empty: no value could match".to_owned()),
        (
            json!({"pattern": "("}),
            "\"/properties/p/pattern\" must be a regular expression that runs in linear time and bounded space (no look-around, no \
             back-references), got \"(\""
                .to_owned(),
        ),
        (
            json!({"pattern": "(?=a)b"}),
            "\"/properties/p/pattern\" must be a regular expression that runs in linear time and bounded space (no look-around, no \
             back-references), got \"(?=a)b\""
                .to_owned(),
        ),
        (json!(5), "\"/properties/p\" must be a boolean or an object, got 5".to_owned()),
        (json!({"properties": []}), "\"/properties/p/properties\" must be an object, got []".to_owned()),
        (json!({"minLength": -1}), "\"/properties/p/minLength\" must be at least 0, got -1".to_owned()),
        (
            json!({"$id": "https://example.com/nested"}),
            "\"/properties/p/$id\" makes a document of its own inside of the schema, which is not supported".to_owned(),
        ),
    ];
    for (schema, expected) in cases {
        assert_eq!(refusal(&with("p", schema.clone())), expected, "{schema}");
    }
    accepted(&with("c", json!({"description": "no type"})));
}

#[test]
fn everything_is_told_at_once() {
    let raw = json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "properties": {
            "a": {"type": "int"},
            "b": {"$ref": "file:///etc/passwd"},
            "c": {"enum": []},
            "d": {"patternProperties": {"(": true}},
            "e": {"$ref": "#/$defs/nowhere"}
        }
    });
    let told = refusal_of(&raw, Side::Output);
    assert_eq!(told.lines().count(), 6, "{told}");
    assert!(told.lines().next().unwrap().contains("draft/2020-12"), "{told}");
}

#[test]
fn inputs_need_an_object_root() {
    let remedy = "the schema must say \"type\": \"object\" at its root: the arguments of a tool are an object";
    for raw in [json!({}), json!({"type": "array"}), json!({"anyOf": [{"type": "object"}, {"type": "string"}]})] {
        assert_eq!(refusal(&raw), remedy, "{raw}");
        Validator::foreign(&raw, Side::Output).unwrap();
    }
    assert_eq!(refusal(&json!(true)), "the schema must be an object, got true");
    Validator::foreign(&json!(true), Side::Output).unwrap();
    assert_eq!(refusal(&json!("schema")), "the schema must be an object, got \"schema\"");
    accepted(&json!({"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}]}));
}

#[test]
fn boolean_schemas_and_typed_maps() {
    let validator = accepted(&json!({"type": "object", "properties": {
        "any": true,
        "never": false,
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
        "c": {"type": "object", "additionalProperties": {}}
    }}));
    validator.check(&json!({"any": 5})).unwrap();
    validator.check(&json!({"any": "x", "m": {"k": "v"}, "c": {"k": [1]}})).unwrap();
    assert_eq!(told(&validator, &json!({"never": 1})), "\"/never\" must be left out: nothing is allowed here");
    assert_eq!(told(&validator, &json!({"m": {"k": 1}})), "\"/m/k\" must be a string, got 1");
}

#[test]
fn references_and_unions_survive() {
    let validator = accepted(&json!({
        "type": "object",
        "properties": {
            "job": {"$ref": "#/$defs/Req"},
            "who": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            "id": {"type": "string"},
            "odd": {"$ref": "#/definitions/a~1b"}
        },
        "oneOf": [{"required": ["job"]}, {"required": ["id"]}],
        "$defs": {"Req": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}},
        "definitions": {"a/b": {"$ref": "#/$defs/Req"}}
    }));
    validator.check(&json!({"job": {"q": "x"}, "who": ["a"]})).unwrap();
    assert_eq!(told(&validator, &json!({"job": {}})), "missing required property \"/job/q\"");
    assert_eq!(told(&validator, &json!({"id": "1", "odd": {"q": 1}})), "\"/odd/q\" must be a string, got 1");
    assert_eq!(told(&validator, &json!({"id": "1", "who": [1]})), "\"/who/0\" must be a string, got 1");
    assert_eq!(
        told(&validator, &json!({"id": "1", "job": {"q": "x"}})),
        "arguments must match exactly one oneOf branch (matched 2)"
    );
    assert_eq!(told(&validator, &json!({})), "missing required property \"/job\"");
}

#[test]
fn draft_07_is_read_as_such() {
    let validator = accepted(&json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "pair": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false},
            "ref": {"$ref": "#/definitions/S", "minLength": 5},
            "when": {"type": "string", "format": "date-time"}
        },
        "dependencies": {"pair": ["ref"]},
        "definitions": {"S": {"type": "string"}}
    }));
    validator.check(&json!({"pair": ["a", 1], "ref": "b", "when": "formats are annotations here"})).unwrap();
    assert_eq!(
        told(&validator, &json!({"pair": [1, 2, 3]})),
        "\"/pair/0\" must be a string, got 1\n\"/pair\" must have at most 2 items, has 3\nmissing required property \"/ref\""
    );
}

#[test]
fn draft_07_ignores_what_came_later_in_what_it_says_too() {
    let validator = accepted(&json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "list": {
                "prefixItems": [{"type": "string"}], "contains": {"type": "integer"}, "minContains": 2, "maxContains": 0
            },
            "map": {
                "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": false}, "unevaluatedProperties": false
            }
        }
    }));
    let value = json!({"list": [1], "map": {"a": 1}});
    validator.check(&value).unwrap();
    assert_eq!(validator.explained(&value), []);
}

#[test]
fn chains_loops_and_depth_are_refused_before_anything_is_compiled() {
    let mut definitions = Map::new();
    for i in 0..5000 {
        definitions.insert(format!("d{i}"), json!({"$ref": format!("#/$defs/d{}", i + 1)}));
    }
    definitions.insert("d5000".to_owned(), json!({"type": "string"}));
    let chain = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    assert!(refusal(&chain).contains("starts a chain of 5002 references"), "{}", refusal(&chain));

    let self_loop = with("x", json!({"$ref": "#/properties/x"}));
    assert!(refusal(&self_loop).contains("refers back to itself"), "{}", refusal(&self_loop));
    let pair = json!({"type": "object", "allOf": [{"$ref": "#/$defs/a"}], "$defs": {
        "a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}
    }});
    assert!(refusal(&pair).contains("refers back to itself"), "{}", refusal(&pair));

    let mut deep = json!({"type": "string"});
    for _ in 0..10_000 {
        deep = Value::Object(Map::from_iter([("not".to_owned(), deep)]));
    }
    let raw = Value::Object(Map::from_iter([("type".to_owned(), "object".into()), ("not".to_owned(), deep)]));
    assert!(refusal(&raw).contains("nested deeper than 128 levels"), "{}", refusal(&raw));
    std::mem::forget(raw); // a tree of this depth is dropped recursively
}

#[test]
fn the_deepest_that_is_accepted_is_checked_without_overflow() {
    // The longest chain of references on every level of the deepest value.
    let mut definitions = Map::new();
    for i in 0..28 {
        definitions.insert(format!("d{i}"), json!({"$ref": format!("#/$defs/d{}", i + 1)}));
    }
    definitions.insert("d28".to_owned(), json!({"type": ["array", "string"], "items": {"$ref": "#/$defs/d0"}}));
    let validator =
        accepted(&json!({"type": "object", "additionalProperties": {"$ref": "#/$defs/d0"}, "$defs": definitions}));
    let nested = |leaf: Value, depth: usize| (0..depth).fold(leaf, |inner, _| Value::Array(vec![inner]));
    validator.check(&json!({"x": nested(json!("leaf"), 127)})).unwrap();
    let told_deep = told(&validator, &json!({"x": nested(json!(1), 127)}));
    assert!(told_deep.ends_with("must be an array or a string, got 1"), "{told_deep}");
    let told_deeper = told(&validator, &json!({"x": nested(json!(1), 128)}));
    assert_eq!(told_deeper, "arguments is nested deeper than 128 levels");

    let mut schema = json!({"type": "string"});
    for _ in 0..60 {
        schema = json!({"type": "object", "properties": {"p": schema}});
    }
    accepted(&schema);
}

#[test]
fn ambiguous_recursion_ends() {
    // Every level has two branches that go on into the same child.
    let node = json!({"anyOf": [
        {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}}, "required": ["next", "a"]},
        {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}}, "required": ["next", "b"]},
        {"type": "null"}
    ]});
    let validator =
        accepted(&json!({"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}}));
    let value = (0..100).fold(json!(1), |next, _| json!({"next": next, "a": 1, "b": 1}));
    let told = told(&validator, &json!({"n": value}));
    assert!(told.ends_with("must be an object or null, got 1"), "{told}");
}

#[test]
fn keywords_of_the_whole_vocabulary_are_told() {
    let cases = [
        (json!({"not": {"const": 0}}), json!(0), "\"/p\" must not be 0"),
        (json!({"not": {"enum": [1, 2]}}), json!(2), "\"/p\" must be none of [1,2]"),
        (json!({"const": {"a": 1}}), json!(1), "\"/p\" must be {\"a\":1}, got 1"),
        (json!({"uniqueItems": true}), json!([1, 2, 1.0]), "\"/p\" must not repeat an item: 2 is the same as 0"),
        (
            json!({"contains": {"type": "null"}}),
            json!([1]),
            "\"/p\" must hold at least 1 item that match \"contains\", has 0",
        ),
        (json!({"minProperties": 1}), json!({}), "\"/p\" must have at least 1 property, has 0"),
        (
            json!({"propertyNames": {"pattern": "^a"}}),
            json!({"b": 1}),
            "\"/p/b\" must have a name that matches \"propertyNames\"",
        ),
        (json!({"dependentRequired": {"a": ["b"]}}), json!({"a": 1}), "missing required property \"/p/b\""),
        (
            json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}),
            json!({"a": 1}),
            "missing required property \"/p/b\"",
        ),
        (json!({"exclusiveMinimum": 0}), json!(0), "\"/p\" must be greater than 0, got 0"),
        (json!({"prefixItems": [true], "items": false}), json!([1, 2]), "\"/p\" must have at most 1 item, has 2"),
        (json!({"prefixItems": [true, false, true]}), json!([1, 2]), "\"/p\" must have at most 1 item, has 2"),
        #[cfg(feature = "foreign-schemas")]
        (
            json!({"prefixItems": [true], "unevaluatedItems": false}),
            json!([1, 2]),
            "\"/p\" breaks the rule \"unevaluatedItems\" of the schema",
        ),
        (
            json!({"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": false}),
            json!({"x1": 1, "y": 1}),
            "\"/p/x1\" must be null, got 1\n\"/p/y\" is not a declared property (additionalProperties: false)",
        ),
    ];
    for (schema, value, expected) in cases {
        let validator = accepted(&with("p", schema.clone()));
        assert_eq!(told(&validator, &json!({"p": value})), expected, "{schema}");
    }
}

#[test]
fn definitions_that_share_one_another_are_checked_in_time() {
    // Two paths from each level to the next, so that there are 2^40 to the last.
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let mut definitions = Map::new();
        for level in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
            let branches = json!([{"properties": {"a": next}}, {"minProperties": 1, "properties": {"a": next}}]);
            definitions.insert(format!("d{level}"), json!({keyword: branches}));
        }
        definitions.insert("d40".to_owned(), json!({"type": "string"}));
        let mut raw = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
        let validator = accepted(&raw);
        let nested = |leaf: Value| json!({"x": (0..40).fold(leaf, |inner, _| json!({"a": inner}))});
        assert_eq!(validator.check(&nested(json!("leaf"))).is_ok(), keyword != "oneOf");
        validator.check(&nested(json!(1))).unwrap_err();
        raw["properties"]["y"] = json!({"unevaluatedItems": false});
        let refused = if cfg!(feature = "foreign-schemas") {
            "is not supported in a schema whose definitions"
        } else {
            "is a keyword that needs the general validator"
        };
        assert!(refusal(&raw).starts_with(&format!("\"/properties/y/unevaluatedItems\" {refused}")));
    }
}

#[test]
fn what_needs_the_general_validator_is_refused_without_it() {
    let unknown =
        "is a keyword that needs the general validator; turn on the feature \"foreign-schemas\" of tool-runtime";
    let cases = [
        (json!({"unevaluatedItems": false}), format!("\"/properties/p/unevaluatedItems\" {unknown}")),
        (json!({"$dynamicRef": "#"}), format!("\"/properties/p/$dynamicRef\" {unknown}")),
        (
            json!({"pattern": r"^\p{L}+$"}),
            "\"/properties/p/pattern\" must be a regular expression that runs in linear time and bounded space (no \
             look-around, no back-references), got \"^\\\\p{L}+$\"; classes such as \\p{L} need the feature \
             \"foreign-schemas\" of tool-runtime"
                .to_owned(),
        ),
    ];
    for (schema, expected) in cases {
        let raw = json!({"type": "object", "properties": {"p": schema}, "items": {"properties": {}}});
        if cfg!(feature = "foreign-schemas") {
            accepted(&raw);
        } else {
            assert_eq!(refusal(&raw), expected);
        }
    }
}
