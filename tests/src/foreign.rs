//! Schemas as servers in the wild publish them.

use tool_runtime::serde_json::{Value, json};

/// What imitates a server's schema, what it accepts, and one value that it accepts.
#[must_use]
#[expect(clippy::too_many_lines, reason = "it is a list")]
pub fn schemas() -> Vec<(&'static str, Value, Value)> {
    let many: Vec<String> = (0..1200).map(|index| format!("value_{index}")).collect();
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    vec![
        ("bare object", json!({"type": "object"}), json!({"anything": [1]})),
        ("no closing", object(json!({"a": {"type": "string"}})), json!({"a": "x"})),
        (
            "chain of references",
            json!({
                "type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"],
                "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/C"}, "C": {"type": "integer", "minimum": 1}},
            }),
            json!({"a": 2}),
        ),
        ("boolean schemas", object(json!({"any": true, "never": false})), json!({"any": {"a": null}})),
        (
            "root union",
            json!({"type": "object", "oneOf": [
                {"properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": false},
                {"properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": false},
            ]}),
            json!({"name": "a"}),
        ),
        (
            "one of two required",
            json!({
                "type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                "additionalProperties": false, "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
            }),
            json!({"b": "x"}),
        ),
        (
            "draft-07 tuple",
            json!({
                "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
                "properties": {"point": {
                    "type": "array", "items": [{"type": "number"}, {"type": "number"}], "minItems": 2,
                    "additionalItems": false,
                }},
                "definitions": {"Unused": {"type": "string"}},
            }),
            json!({"point": [1.5, 2.5]}),
        ),
        (
            "missing types",
            json!({"type": "object", "properties": {"a": {"properties": {"b": {"description": "no type"}}}, "c": {"enum": ["x", 1, null]}}}),
            json!({"a": {"b": 3}, "c": 1}),
        ),
        ("huge enum", object(json!({"word": {"type": "string", "enum": many}})), json!({"word": "value_7"})),
        (
            "nullable by a list and by a union",
            json!({
                "type": "object",
                "properties": {
                    "a": {"type": ["string", "null"]},
                    "b": {"anyOf": [{"type": "object", "properties": {"c": {"type": "string"}}}, {"type": "null"}]},
                },
                "required": ["a"],
            }),
            json!({"a": null, "b": {"c": "x"}}),
        ),
        ("list without items", object(json!({"list": {"type": "array"}})), json!({"list": [1, "a"]})),
        (
            "mixed types",
            object(json!({"id": {"type": ["string", "integer"], "minLength": 1, "minimum": 0}})),
            json!({"id": 5}),
        ),
        (
            "names that some refuse",
            object(json!({"$meta": {"type": "string"}, "a.b": {"type": "string"}, "ä": {"type": "boolean"}})),
            json!({"$meta": "x", "a.b": "y", "ä": true}),
        ),
        (
            "formats and annotations",
            object(json!({"n": {"type": "integer", "format": "uint32", "x-order": 1, "examples": [1], "default": 5}})),
            json!({"n": 7}),
        ),
        (
            "all of two objects",
            json!({
                "type": "object",
                "allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]}, {"$ref": "#/$defs/More"}],
                "$defs": {"More": {"type": "object", "properties": {"b": {"type": "integer"}}}},
            }),
            json!({"a": "x", "b": 1}),
        ),
        (
            "conditions",
            json!({
                "type": "object", "properties": {"kind": {"type": "string"}, "n": {"type": "integer"}},
                "if": {"properties": {"kind": {"const": "n"}}, "required": ["kind"]}, "then": {"required": ["n"]},
                "not": {"required": ["never"]}, "dependentRequired": {"n": ["kind"]},
            }),
            json!({"kind": "n", "n": 1}),
        ),
        (
            "recursion by an anchor",
            json!({
                "type": "object", "$anchor": "top", "additionalProperties": false,
                "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#top"}}},
            }),
            json!({"name": "a", "children": [{"name": "b"}]}),
        ),
        (
            "a list or a map",
            object(json!({"of": {"anyOf": [
                {"type": "array", "items": {"type": "string"}}, {"type": "object", "additionalProperties": {"type": "string"}},
            ]}})),
            json!({"of": {"a": "b"}}),
        ),
        (
            "words with other words beside a reference",
            json!({
                "type": "object", "properties": {"a": {"$ref": "#/$defs/A", "description": "this one", "default": "x"}},
                "$defs": {"A": {"type": "string", "description": "any"}},
            }),
            json!({"a": "y"}),
        ),
        (
            "tuple whose end may be left out",
            object(json!({"of": {
                "type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 1,
                "items": {"type": "boolean"},
            }})),
            json!({"of": ["a"]}),
        ),
        (
            "tuple with more after it",
            object(json!({"of": {
                "type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 1,
                "items": {"type": "boolean"},
            }})),
            json!({"of": ["a", 1, true, false]}),
        ),
        (
            "fields and a map",
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "integer"}}),
            json!({"a": "x", "b": 1, "c": 2}),
        ),
        (
            "a branch that nothing fits",
            object(json!({"n": {"anyOf": [{"not": {}}, {"type": "number"}]}})),
            json!({"n": 1.5}),
        ),
    ]
}
