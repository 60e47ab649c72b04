//! Names of properties: any text is one, and no two fields share one.

#![allow(dead_code, reason = "fields that are there for their names")]
#![allow(unreachable_patterns, reason = "rustc sees in serde's code that a second field of one name is never read")]

use serde::Serialize;
use serde_json::json;
use tests::{echo, faults, given, input_schema, output_schema, put_back, told};
use tool_runtime::prelude::*;

macro_rules! odd {
    ($($name:literal as $field:ident,)*) => {
        /// Names that mean something elsewhere, or look as if they did.
        #[derive(Tool, Serialize)]
        #[tool(output = String, render = display)]
        struct OddArguments {
            $(
                #[serde(rename = $name)]
                $field: u8,
            )*
            nested: Odd,
        }

        #[tool_output]
        #[derive(Clone, PartialEq, Debug)]
        struct Odd {
            $(
                #[serde(rename = $name)]
                $field: u8,
            )*
        }

        const NAMES: &[&str] = &[$($name),*];

        fn odd() -> Odd {
            Odd { $($field: 1,)* }
        }
    };
}

odd! {
    "__proto__" as proto,
    "constructor" as constructor,
    "toString" as to_string,
    "$ref" as reference,
    "$defs" as definitions,
    "$schema" as schema,
    "$id" as id,
    "type" as kind,
    "properties" as properties,
    "required" as required,
    "enum" as choices,
    "additionalProperties" as additional,
    "default" as default,
    "title" as title,
    "format" as format,
    "x-tool-open" as open,
    "x-tool-aliases" as aliases,
    "x-tool-no-object" as no_object,
    "x-tool-no-text-key" as no_text_key,
    "$serde_json::private::Number" as number,
    "" as empty,
    " " as space,
    "a/b" as slash,
    "a~b" as tilde,
    "a.b" as dot,
    "0" as zero,
    "\"q\"" as quoted,
    "日本" as japan,
    "é" as accent,
    "\n" as line_feed,
}

echo!(OddArguments);

#[tokio::test]
async fn any_text_is_the_name_of_a_property_of_arguments() {
    let schema = input_schema::<OddArguments>();
    for name in NAMES {
        assert_eq!(schema["properties"][name], json!({"type": "integer", "minimum": 0, "maximum": 255}), "{name}");
    }
    let mut arguments: serde_json::Map<_, _> = NAMES.iter().map(|name| ((*name).to_owned(), json!(1))).collect();
    arguments.insert("nested".into(), arguments.clone().into());
    let whole = json!(arguments);
    assert_eq!(told::<OddArguments>(&whole.to_string()).await, whole.to_string());
    for name in NAMES {
        let pointer = format!("/nested/{}", name.replace('~', "~0").replace('/', "~1"));
        let mut wrong = whole.clone();
        wrong["nested"][name] = json!(256);
        let found = faults::<OddArguments>(&wrong.to_string()).await;
        assert!(found.len() == 1 && found[0].ends_with("must be at most 255, got 256"), "{name}: {found:?}");
        let mut missing = whole.clone();
        missing["nested"].as_object_mut().unwrap().shift_remove(*name);
        let found = faults::<OddArguments>(&missing.to_string()).await;
        assert!(found.len() == 1 && found[0].starts_with("missing required property"), "{name}: {found:?}");
        assert!(found[0].contains(&pointer) || name.contains(['\n', '"']), "{name}: {found:?}");
    }
}

#[tokio::test]
async fn any_text_is_the_name_of_a_property_of_a_value() {
    let result = given(odd).await;
    let value = result.success().unwrap().value().to_value();
    assert_eq!(value.as_object().unwrap().keys().collect::<Vec<_>>(), NAMES);
    assert_eq!(put_back(odd, value).await.success().unwrap().value_as(), Some(&odd()));
}

/// What only a schema shows: the macro does not see these fields.
mod by_hand {
    use serde::{Deserialize, Serialize};
    use tool_runtime::ToolOutput;

    macro_rules! output {
        ($($(#[$attribute:meta])* $name:ident { $($body:tt)* })*) => {$(
            #[derive(Serialize, Deserialize, schemars::JsonSchema)]
            $(#[$attribute])*
            pub(super) struct $name { $($body)* }

            impl ToolOutput for $name {}
        )*};
    }

    output! {
        SameName {
            #[serde(rename = "b")]
            a: u8,
            b: u8,
        }
        #[serde(rename_all = "camelCase")]
        SameByRule {
            long_name: u8,
            #[serde(rename = "longName")]
            other: u8,
        }
        SameAndOptional {
            #[serde(rename = "b", default)]
            a: Option<u8>,
            #[serde(default)]
            b: Option<u8>,
        }
    }
}

#[test]
fn two_fields_of_one_name_are_refused_before_the_first_call() {
    for error in [
        output_schema::<by_hand::SameName>().unwrap_err(),
        output_schema::<by_hand::SameByRule>().unwrap_err(),
        output_schema::<by_hand::SameAndOptional>().unwrap_err(),
    ] {
        let [problem] = error.problems() else { panic!("{error}") };
        assert!(["/properties/b", "/properties/longName"].contains(&problem.place().unwrap().1.as_str()), "{error}");
        assert!(problem.message().contains("is there twice, by two fields"), "{error}");
    }
}
