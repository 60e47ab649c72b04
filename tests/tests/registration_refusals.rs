//! What only types can tell is refused when a tool is registered, in the words of the compiler's refusals.

// Most fields are there for their types only.
#![allow(dead_code)]

use tool_runtime::prelude::*;

#[tool_input]
struct Words(Vec<String>);

#[tool_input]
struct Name(String);

#[tool_input]
struct Place {
    row: u8,
}

#[tool_input]
struct OnlyAName(Place);

macro_rules! body {
    ($($tool:ident)*) => {$(
        impl Execute for $tool {
            async fn execute(&self, _: &Context) -> Result<bool, ToolError> {
                Ok(true)
            }
        }
    )*};
}

/// Flattens a list.
#[derive(Tool)]
#[tool(output = bool, render = json)]
struct FlatList {
    #[serde(flatten)]
    words: Words,
}

/// Flattens a text, if there is one.
#[derive(Tool)]
#[tool(output = bool, render = json)]
struct FlatText {
    #[serde(flatten)]
    name: Option<Name>,
}

/// A variant that is a list.
#[derive(Tool)]
#[tool(output = bool, render = json)]
#[serde(tag = "by")]
enum TaggedList {
    Words(Words),
    Place(Place),
}

/// Flattens an object, once by another name.
#[derive(Tool)]
#[tool(output = bool, render = json)]
struct FlatObjects {
    #[serde(flatten)]
    place: OnlyAName,
    #[serde(flatten)]
    rest: std::collections::BTreeMap<String, bool>,
}

/// Variants that are objects.
#[derive(Tool)]
#[tool(output = bool, render = json)]
#[serde(tag = "by")]
enum TaggedObjects {
    Place(OnlyAName),
    Nothing {},
}

body!(FlatList FlatText TaggedList FlatObjects TaggedObjects);

fn refused<T: Execute>() -> String {
    let mut registry = Registry::new();
    let error = registry.tool::<T>().map(|_| ()).unwrap_err();
    assert!(error.problems().iter().all(|problem| problem.code() == &Code::UNSUPPORTED_SCHEMA));
    error.to_string()
}

#[test]
fn a_flattened_field_must_be_an_object() {
    assert_eq!(
        refused::<FlatList>(),
        "tool \"flat_list\" [UNSUPPORTED_SCHEMA]: input schema: the schema: only an object can be joined into an object, \
         but a flattened field is an array; name its fields, or give it a name of its own as a field"
    );
    assert!(refused::<FlatText>().contains("a flattened field is a string"));
}

#[test]
fn a_tagged_variant_must_hold_an_object() {
    assert!(refused::<TaggedList>().contains("what stands beside the tag is an array"), "{}", refused::<TaggedList>());
}

#[tokio::test]
async fn what_is_an_object_by_another_name_is_one() {
    let registry: Registry = toolset! { () => [FlatObjects, TaggedObjects] }.unwrap();
    for spec in registry.specs() {
        assert!(!spec.input_schema.as_str().contains("x-tool"), "{}", spec.input_schema);
    }
    let dispatcher = Dispatcher::new(registry);
    for (tool, arguments) in [
        ("flat_objects", r#"{"row": 1, "more": true}"#),
        ("tagged_objects", r#"{"by": "Place", "row": 1}"#),
        ("tagged_objects", r#"{"by": "Nothing"}"#),
    ] {
        let result = dispatcher.call(ToolCall::new("call", tool, arguments)).await;
        assert!(result.is_success(), "{arguments}: {}", result.content().to_text());
    }
}

/// An output that flattens a list.
#[tool_output]
struct FlatOutput {
    ok: bool,
    #[serde(flatten)]
    words: Listed,
}

#[tool_output]
struct Listed(Vec<u8>);

/// Returns what can't be written.
#[derive(Tool)]
#[tool(output = FlatOutput, render = json)]
struct Unwritable {}

impl Execute for Unwritable {
    async fn execute(&self, _: &Context) -> Result<FlatOutput, ToolError> {
        Ok(FlatOutput { ok: true, words: Listed(vec![1]) })
    }
}

#[test]
fn outputs_are_held_to_the_same() {
    assert!(refused::<Unwritable>().contains("output schema: the schema: only an object can be joined"));
}

// The attribute of schemars says what the field is; nobody asks its type then.
/// Flattens by hand.
#[derive(Tool)]
#[tool(output = bool, render = json)]
struct ByHand {
    #[serde(flatten)]
    #[schemars(with = "Place")]
    place: Place,
}

body!(ByHand);

#[test]
fn an_author_who_says_what_it_is_is_believed() {
    assert!(Registry::new().tool::<ByHand>().is_ok());
}

/// A text that is written as one thing and read as another, under a name that the macros take for the standard library's.
mod disguised {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct String(pub(super) u8);

    impl JsonSchema for String {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "String".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let writes = generator.contract().is_serialize();
            json_schema!({"type": if writes { "integer" } else { "string" }})
        }
    }

    /// Holds one, and is plain itself.
    #[tool_runtime::tool_output]
    pub(super) struct Page {
        pub(super) lines: Vec<Line>,
    }

    #[tool_runtime::tool_output]
    pub(super) struct Line {
        pub(super) number: u32,
        pub(super) text: String,
    }
}

/// Returns what isn't read as it is written.
#[derive(Tool)]
#[tool(output = disguised::Page, render = json)]
struct Disguised {}

impl Execute for Disguised {
    async fn execute(&self, _: &Context) -> Result<disguised::Page, ToolError> {
        let text = disguised::String(1);
        Ok(disguised::Page { lines: vec![disguised::Line { number: 1, text }] })
    }
}

#[test]
fn what_is_written_and_read_is_compared_where_the_macros_are_misled() {
    let told = refused::<Disguised>();
    assert!(
        told.contains("\"/$defs/Line/properties/text\" may be written as integer, but is read as string"),
        "{told}"
    );
}
