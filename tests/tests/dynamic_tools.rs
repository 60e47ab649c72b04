//! Tools whose shape is known only at run time: the same pipeline and the same checks, over foreign schemas.

use serde_json::{Value, json};
use tests::{Decided, Seen, code, quiet_panics};
use tool_runtime::prelude::*;

/// A tool that gives back what it gets under `value`.
fn echo() -> DynamicTool {
    DynamicTool::new("echo", "Give back.", |arguments, _| async move { Ok(arguments["value"].clone()) })
        .input_schema(json!({"type": "object"}))
        .output_schema(json!({}))
}

fn dispatcher(tool: DynamicTool) -> Dispatcher {
    let mut registry = Registry::new();
    registry.dynamic(tool).unwrap_or_else(|error| panic!("{error}"));
    Dispatcher::new(registry)
}

async fn call(dispatcher: &Dispatcher, arguments: &Value) -> ToolResult {
    dispatcher.call(ToolCall::new("call-1", "echo", arguments.to_string())).await
}

fn refused(tool: DynamicTool) -> RegistrationError {
    Registry::new().dynamic(tool).map(|_| ()).unwrap_err()
}

#[tokio::test]
async fn a_dynamic_tool_goes_round_with_its_projections() {
    let tool = echo()
        .title("Echo")
        .output_schema(json!({"type": "object", "properties": {"n": {"type": "integer"}}}))
        .render(|arguments, value| Content::text(format!("{} of {arguments}", value["n"])))
        .meta(|_, value| json!({"doubled": value["n"].as_u64().unwrap_or_default() * 2}));
    let dispatcher = dispatcher(tool);
    let result = call(&dispatcher, &json!({"value": {"n": 4}})).await;
    let success = result.success().unwrap();
    assert_eq!(success.value().as_str(), r#"{"n":4}"#);
    assert_eq!(success.value_as::<Value>(), Some(&json!({"n": 4})));
    assert_eq!(success.content().to_text(), r#"4 of {"value":{"n":4}}"#);
    assert_eq!(success.meta(), Some(&json!({"doubled": 8})));
    let registry = dispatcher.registry();
    let spec = registry.spec("echo").unwrap();
    assert_eq!((spec.title.as_deref(), spec.description.as_str()), (Some("Echo"), "Give back."));
    assert_eq!(spec.input_schema.as_str(), r#"{"type":"object"}"#, "a foreign schema is published as it is");
}

#[tokio::test]
async fn without_more_it_takes_no_arguments_and_reads_as_its_json() {
    let plain = DynamicTool::new("echo", "Plain.", |_, _| async { Ok(json!({"b": 1, "a": [null]})) })
        .output_schema(json!(true));
    let dispatcher = dispatcher(plain);
    let result = call(&dispatcher, &json!({})).await;
    assert_eq!(result.content().to_text(), r#"{"a":[null],"b":1}"#);
    assert_eq!(result.meta(), None);
    assert_eq!(code(&call(&dispatcher, &json!({"x": 1})).await), "INVALID_ARGS");
    assert_eq!(code(&dispatcher.call(ToolCall::without_arguments("c", "echo")).await), "OK");
}

#[tokio::test]
async fn arguments_and_value_are_held_to_the_schemas() {
    let dispatcher = dispatcher(
        echo()
            .input_schema(
                json!({"type": "object", "properties": {"value": {"type": ["string", "null"]}}, "required": ["value"]}),
            )
            .output_schema(json!({"type": "string", "maxLength": 3})),
    );
    assert_eq!(code(&call(&dispatcher, &json!({"value": "abc"})).await), "OK");
    let missing = call(&dispatcher, &json!({})).await;
    assert!(missing.content().to_text().contains("missing required property \"/value\""));
    assert_eq!(code(&call(&dispatcher, &json!({"value": 1})).await), "INVALID_ARGS");
    assert_eq!(code(&call(&dispatcher, &json!([])).await), "INVALID_ARGS");
    let null = call(&dispatcher, &json!({"value": null})).await;
    assert_eq!(code(&null), "INVALID_TOOL_OUTPUT");
    assert_eq!(code(&call(&dispatcher, &json!({"value": "abcd"})).await), "INVALID_TOOL_OUTPUT");
}

#[tokio::test]
async fn the_dialect_is_told_by_the_schema() {
    // In draft-07 `items` may be a list, and what stands beside a reference is ignored.
    let draft_07 = dispatcher(echo().input_schema(json!({
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "properties": {
            "pair": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false},
            "named": {"$ref": "#/definitions/name", "maxLength": 1}
        },
        "dependencies": {"pair": ["named"]},
        "definitions": {"name": {"type": "string"}}
    })));
    assert_eq!(code(&call(&draft_07, &json!({"pair": ["a", 1], "named": "long"})).await), "OK");
    for bad in
        [json!({"pair": ["a", "b"], "named": "n"}), json!({"pair": ["a", 1, 2], "named": "n"}), json!({"pair": []})]
    {
        assert_eq!(code(&call(&draft_07, &bad).await), "INVALID_ARGS", "{bad}");
    }
    let draft_2020 = dispatcher(echo().input_schema(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "properties": {
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false},
            "named": {"$ref": "#/$defs/name", "maxLength": 1}
        },
        "unevaluatedProperties": false,
        "$defs": {"name": {"type": "string"}}
    })));
    assert_eq!(code(&call(&draft_2020, &json!({"pair": ["a", 1], "named": "n"})).await), "OK");
    for bad in [json!({"pair": ["a", 1, 2]}), json!({"named": "long"}), json!({"x": 1})] {
        assert_eq!(code(&call(&draft_2020, &bad).await), "INVALID_ARGS", "{bad}");
    }
}

#[test]
fn a_tool_without_an_output_schema_is_refused_with_what_else_is_wrong() {
    let tool = DynamicTool::new("a b", "Bad.", |_, _| async { Ok(json!(null)) }).input_schema(json!({"type": "any"}));
    let error = refused(tool);
    let codes: Vec<_> = error.problems().iter().map(|problem| problem.code().as_str()).collect();
    assert_eq!(codes[..2], ["INVALID_NAME", "MISSING_OUTPUT"]);
    assert!(codes[2..].iter().all(|code| *code == "UNSUPPORTED_SCHEMA") && codes.len() > 2, "{error}");
}

#[test]
fn a_bad_schema_is_refused_with_its_place() {
    for (property, place) in [
        (json!({"type": "int"}), "/properties/p/type"),
        (json!({"type": ""}), "/properties/p/type"),
        (json!({"type": "string", "required": true}), "/properties/p/required"),
        (json!({"enum": []}), "/properties/p/enum"),
        (json!({"type": "string", "pattern": "("}), "/properties/p/pattern"),
        (json!({"type": "string", "pattern": "(?=a)"}), "/properties/p/pattern"),
        (json!({"type": "string", "pattern": "(a)\\1"}), "/properties/p/pattern"),
        (json!({"type": "number", "exclusiveMaximum": true, "maximum": 9}), "/properties/p/exclusiveMaximum"),
        (json!({"$ref": "#/$defs/none"}), "/properties/p"),
        (json!({"$ref": "https://example.com/schema.json"}), "/properties/p"),
        (json!({"$ref": "file:///etc/passwd"}), "/properties/p"),
        (json!({"$ref": "#/properties/p"}), "/properties/p"),
    ] {
        let error = refused(echo().input_schema(json!({"type": "object", "properties": {"p": property.clone()}})));
        let (side, pointer) = error.problems()[0].place().unwrap();
        assert_eq!(side, "input");
        assert!(pointer.as_str().starts_with(place), "{property}: {error}");
        let error = refused(echo().output_schema(json!({"properties": {"p": property.clone()}})));
        assert_eq!(error.problems()[0].place().unwrap().0, "output", "{property}: {error}");
    }
    for root in
        [json!(null), json!(true), json!([]), json!({}), json!({"type": "string"}), json!({"type": ["object", "null"]})]
    {
        let error = refused(echo().input_schema(root.clone()));
        assert_eq!(error.problems()[0].code(), &Code::UNSUPPORTED_SCHEMA, "{root}");
    }
    for unknown in ["http://json-schema.org/draft-04/schema#", "https://example.com/own"] {
        let error = refused(echo().input_schema(json!({"$schema": unknown, "type": "object"})));
        assert_eq!(error.problems()[0].place().unwrap().1.as_str(), "/$schema", "{error}");
    }
}

#[test]
fn every_violation_of_both_schemas_is_told_at_once() {
    let bad = json!({"type": "object", "properties": {"a": {"type": "int"}, "b": {"enum": []}, "c": {"$ref": "#/x"}}});
    let error = refused(echo().input_schema(bad.clone()).output_schema(bad));
    for side in ["input", "output"] {
        for place in ["/properties/a", "/properties/b", "/properties/c"] {
            let told = error.problems().iter().filter_map(|problem| problem.place());
            assert!(
                told.clone().any(|(on, at)| on == side && at.as_str().starts_with(place)),
                "{side} {place}: {error}"
            );
        }
    }
}

#[test]
fn long_chains_deep_schemas_and_endless_ones_are_refused_and_not_overflowed() {
    let mut definitions = serde_json::Map::new();
    for index in 0..5_000 {
        definitions.insert(format!("d{index}"), json!({"$ref": format!("#/$defs/d{}", index + 1)}));
    }
    definitions.insert("d5000".into(), json!({"type": "string"}));
    let chain = json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    assert_eq!(refused(echo().input_schema(chain)).problems()[0].code(), &Code::UNSUPPORTED_SCHEMA);
    let deep = (0..300).fold(json!({"type": "string"}), |inner, _| {
        let mut outer = json!({"type": "array"});
        outer["items"] = inner;
        outer
    });
    let error = refused(echo().input_schema(json!({"type": "object", "properties": {"p": deep}})));
    assert!(error.to_string().contains("nested deeper"), "{error}");
}

#[tokio::test]
async fn a_policy_may_replace_the_value_of_a_dynamic_tool() {
    let tool = || echo().output_schema(json!({"type": "integer"})).meta(|_, value| value.clone());
    let replaced = dispatcher(tool()).policy(Decided(PostDecision::replace_value(json!(7))));
    let result = call(&replaced, &json!({"value": 1})).await;
    assert_eq!(result.success().unwrap().value().as_str(), "7");
    assert_eq!((result.content().to_text().as_str(), result.meta()), ("7", Some(&json!(7))));
    let refused = dispatcher(tool()).policy(Decided(PostDecision::replace_value(json!("7"))));
    assert_eq!(code(&call(&refused, &json!({"value": 1})).await), "INVALID_TOOL_OUTPUT");
    let blocked = dispatcher(tool()).policy(Decided(PostDecision::block("no")));
    assert_eq!(code(&call(&blocked, &json!({"value": 1})).await), "BLOCKED");
}

#[tokio::test]
async fn panics_of_a_dynamic_tool_are_contained_like_any_other() {
    quiet_panics();
    let seen = Seen::default();
    let body = DynamicTool::new("echo", "Panics.", |_, _| async { panic!("on purpose") }).output_schema(json!({}));
    assert_eq!(code(&call(&dispatcher(body).observer(seen.clone()), &json!({})).await), "PANICKED");
    let before = DynamicTool::new("echo", "Panics.", |arguments, _| {
        assert!(arguments.is_null(), "on purpose");
        async { Ok(json!(1)) }
    })
    .output_schema(json!({}));
    assert_eq!(code(&call(&dispatcher(before).observer(seen.clone()), &json!({})).await), "PANICKED");
    let render = echo().render(|_, _| panic!("on purpose"));
    assert_eq!(
        code(&call(&dispatcher(render).observer(seen.clone()), &json!({"value": 1})).await),
        "INVALID_TOOL_OUTPUT"
    );
    let meta = echo().meta(|_, _| panic!("on purpose"));
    assert_eq!(
        code(&call(&dispatcher(meta).observer(seen.clone()), &json!({"value": 1})).await),
        "INVALID_TOOL_OUTPUT"
    );
    assert_eq!(seen.codes(), ["PANICKED", "PANICKED", "INVALID_TOOL_OUTPUT", "INVALID_TOOL_OUTPUT"]);
}

#[tokio::test]
async fn boolean_schemas_and_schemas_for_more_properties_mean_what_they_say() {
    let dispatcher = dispatcher(echo().input_schema(json!({"type": "object", "properties": {
        "any": true, "never": false,
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
        "c": {"type": "object", "additionalProperties": {}}
    }})));
    for good in
        [json!({"any": 5}), json!({"any": "x"}), json!({"m": {"k": "v"}}), json!({"c": {"k": [1]}}), json!({"x": 1})]
    {
        assert_eq!(code(&call(&dispatcher, &good).await), "OK", "{good}");
    }
    for bad in [json!({"never": 1}), json!({"m": {"k": 1}})] {
        assert_eq!(code(&call(&dispatcher, &bad).await), "INVALID_ARGS", "{bad}");
    }
}

#[tokio::test]
async fn every_legal_name_is_callable_and_every_other_is_refused() {
    for name in ["a", "_", "A-b_9", &"n".repeat(64)] {
        let mut registry = Registry::new();
        registry
            .dynamic(DynamicTool::new(name, "Named.", |_, _| async { Ok(json!(1)) }).output_schema(json!({})))
            .unwrap();
        assert_eq!(code(&Dispatcher::new(registry).call(ToolCall::new("c", name, "")).await), "OK");
    }
    for name in ["", "9", "-a", "a b", "日本", "a/b", "a.b", "run_code", &"n".repeat(65)] {
        let tool = DynamicTool::new(name, "Named.", |_, _| async { Ok(json!(1)) }).output_schema(json!({}));
        assert_eq!(refused(tool).problems()[0].code(), &Code::INVALID_NAME, "{name}");
    }
}
