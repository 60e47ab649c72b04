//! Each sentence about a value, to the byte, and the order in which they come.

use serde_json::{Value, json};
use tests::given;
use tool_runtime::prelude::*;

fn tool(property: &Value) -> Dispatcher {
    let tool = DynamicTool::new("check", "Check.", |_, _| async { Ok(Value::Null) })
        .input_schema(json!({"type": "object", "properties": {"a": property}, "required": ["a"]}))
        .output_schema(json!({}));
    let mut registry = Registry::new();
    registry.dynamic(tool).unwrap_or_else(|error| panic!("{error}"));
    Dispatcher::new(registry)
}

async fn sentence(property: Value, value: &Value) -> String {
    let call = ToolCall::new("call-1", "check", json!({"a": value}).to_string());
    let result = tool(&property).call(call).await;
    let Some(failure) = result.failure() else { panic!("{value} was taken by {property}") };
    failure.error().message().strip_prefix("invalid arguments: ").unwrap().to_owned()
}

#[tokio::test]
async fn each_sentence_about_one_value() {
    for (property, value, expected) in [
        (json!({"type": "string"}), json!(5), r#""/a" must be a string, got 5"#),
        (json!({"type": "number"}), json!("5"), r#""/a" must be a number, got "5""#),
        (json!({"type": "integer"}), json!(1.5), r#""/a" must be an integer, got 1.5"#),
        (json!({"type": "boolean"}), json!(0), r#""/a" must be a boolean, got 0"#),
        (json!({"type": "null"}), json!(false), r#""/a" must be null, got false"#),
        (json!({"type": "object"}), json!([]), r#""/a" must be an object, got []"#),
        (json!({"type": "array"}), json!({}), r#""/a" must be an array, got {}"#),
        (json!({"type": ["string", "null"]}), json!(1), r#""/a" must be a string or null, got 1"#),
        (json!({"enum": ["x", 1]}), json!("y"), r#""/a" must be one of ["x",1], got "y""#),
        (json!({"const": {"k": [1]}}), json!(2), r#""/a" must be {"k":[1]}, got 2"#),
        (json!({"enum": ["x", 1], "const": "x"}), json!("y"), r#""/a" must be one of ["x",1], got "y""#),
        (json!({"enum": ["x", 1], "const": "x"}), json!(1), r#""/a" must be "x", got 1"#),
        (json!({"minimum": 2}), json!(1), r#""/a" must be at least 2, got 1"#),
        (json!({"maximum": 2}), json!(3), r#""/a" must be at most 2, got 3"#),
        (json!({"exclusiveMinimum": 2}), json!(2), r#""/a" must be greater than 2, got 2"#),
        (json!({"exclusiveMaximum": 2}), json!(2), r#""/a" must be less than 2, got 2"#),
        (json!({"multipleOf": 2}), json!(3), r#""/a" must be a multiple of 2, got 3"#),
        (json!({"minLength": 2}), json!("é"), r#""/a" must have at least 2 characters, has 1"#),
        (json!({"maxLength": 1}), json!("éé"), r#""/a" must have at most 1 character, has 2"#),
        (json!({"pattern": "^b"}), json!("a"), r#""/a" must match the pattern "^b", got "a""#),
        (json!({"minItems": 1}), json!([]), r#""/a" must have at least 1 item, has 0"#),
        (json!({"maxItems": 1}), json!([1, 2]), r#""/a" must have at most 1 item, has 2"#),
        (json!({"required": ["b"]}), json!({}), r#"missing required property "/a/b""#),
        (
            json!({"additionalProperties": false}),
            json!({"b": 1}),
            r#""/a/b" is not a declared property (additionalProperties: false)"#,
        ),
        (
            json!({"oneOf": [{"minimum": 1}, {"minimum": 2}]}),
            json!(3),
            r#""/a" must match exactly one oneOf branch (matched 2)"#,
        ),
    ] {
        assert_eq!(sentence(property.clone(), &value).await, expected, "{property}");
    }
}

#[tokio::test]
async fn numbers_are_equal_by_value_in_whatever_spelling() {
    for (property, equal, other) in [
        (json!({"enum": [1, 2.5, 100]}), ["1.0", "25e-1", "1e2"], "1.1"),
        (json!({"const": 1.0}), ["1", "1e0", "10e-1"], "2"),
        (
            json!({"const": {"k": [0, 1e2]}}),
            [r#"{"k":[0.0,100]}"#, r#"{"k":[-0,100.0]}"#, r#"{"k":[0e1,1e2]}"#],
            r#"{"k":[0,1]}"#,
        ),
        (json!({"enum": [9_007_199_254_740_993_u64]}), ["9007199254740993"; 3], "9007199254740992"),
    ] {
        let call = |value: &str| ToolCall::new("call-1", "check", format!("{{\"a\":{value}}}"));
        for value in equal {
            let result = tool(&property).call(call(value)).await;
            assert!(result.is_success(), "{property} {value}: {}", result.content().to_text());
        }
        assert!(!tool(&property).call(call(other)).await.is_success(), "{property} {other}");
    }
    let twice = json!({"uniqueItems": true});
    let call = ToolCall::new("call-1", "check", r#"{"a":[1,1.0]}"#);
    assert!(!tool(&twice).call(call).await.is_success());
}

#[tool_output]
struct Ranged {
    #[schemars(range(max = 5))]
    n: u8,
    #[schemars(length(max = 1))]
    tags: Vec<String>,
    deep: Vec<Deep>,
}

#[tool_output]
struct Deep {
    #[schemars(regex(pattern = "^[a-z]+$"))]
    id: String,
}

#[tokio::test]
async fn every_sentence_about_a_value_is_in_the_message_in_the_order_of_the_schema() {
    let result = given(|| Ranged {
        n: 9,
        tags: vec![String::new(), "x".into()],
        deep: ["a", "B", "c d"].map(|id| Deep { id: id.into() }).into(),
    })
    .await;
    assert_eq!(
        result.failure().unwrap().error().message(),
        concat!(
            r#"tool "give" returned invalid output: "/n" must be at most 5, got 9; "#,
            r#""/tags" must have at most 1 item, has 2; "#,
            r#""/deep/1/id" must match the pattern "^[a-z]+$", got "B"; "#,
            r#""/deep/2/id" must match the pattern "^[a-z]+$", got "c d""#,
        )
    );
}

/// Say where the output has nothing to show.
#[derive(Tool)]
#[tool(output = String, render = display, present)]
struct Presents {
    some: bool,
}

impl Execute for Presents {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

impl Present for Presents {
    type Meta = Option<u8>;

    fn meta(&self, _: &String) -> Option<u8> {
        self.some.then_some(1)
    }
}

#[tokio::test]
async fn a_meta_of_null_is_a_meta_and_no_presentation_is_none() {
    assert_eq!(tests::call::<Presents>(r#"{"some":true}"#).await.meta(), Some(&json!(1)));
    assert_eq!(tests::call::<Presents>(r#"{"some":false}"#).await.meta(), Some(&Value::Null));
    assert_eq!(given(String::new).await.meta(), None);
}
