//! A tool that is a newtype: its arguments are those of the type in it, if that is an object.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use tests::{call, code, echo, faults, input_schema, told};
use tool_runtime::prelude::*;

#[tool_input]
#[derive(Serialize)]
struct Window {
    /// Where it begins.
    #[schemars(range(min = 1))]
    offset: u32,
    #[serde(default)]
    limit: Option<u32>,
}

/// Show a window.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Show(Window);

/// Show a window that is held elsewhere.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Boxed(Box<Window>);

/// Set variables.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Vars(BTreeMap<String, Value>);

#[tool_input]
#[derive(Serialize)]
#[serde(tag = "by")]
enum Order {
    Name,
    Size { least: u64 },
}

/// Sort.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Sort(Order);

echo!(Show, Boxed, Vars, Sort);

#[test]
fn a_newtype_publishes_what_the_type_in_it_publishes() {
    let expected = json!({
        "type": "object",
        "properties": {
            "offset": {"description": "Where it begins.", "type": "integer", "minimum": 1, "maximum": u32::MAX},
            "limit": {"type": ["integer", "null"], "default": null, "minimum": 0, "maximum": u32::MAX},
        },
        "required": ["offset"],
        "additionalProperties": false,
    });
    assert_eq!(input_schema::<Show>(), expected);
    assert_eq!(input_schema::<Boxed>(), expected);
    assert_eq!(input_schema::<Sort>()["type"], "object");
    assert_eq!(input_schema::<Vars>(), json!({"type": "object", "properties": {}, "additionalProperties": true}));
}

#[tokio::test]
async fn a_newtype_takes_what_the_type_in_it_takes() {
    assert_eq!(told::<Show>(r#"{"offset":2.0}"#).await, r#"{"offset":2,"limit":null}"#);
    assert_eq!(told::<Boxed>(r#"{"offset":2,"limit":3}"#).await, r#"{"offset":2,"limit":3}"#);
    assert_eq!(told::<Vars>(r#"{"b":[1.0],"a":null}"#).await, r#"{"a":null,"b":[1.0]}"#);
    assert_eq!(told::<Sort>(r#"{"by":"Size","least":1}"#).await, r#"{"by":"Size","least":1}"#);
    assert_eq!(faults::<Show>(r#"{"offset":0}"#).await, [r#""/offset" must be at least 1, got 0"#]);
    assert_eq!(faults::<Show>("").await, [r#"missing required property "/offset""#]);
    let misspelt = faults::<Show>(r#"{"offset":1,"limt":1}"#).await;
    assert!(misspelt[0].contains(r#"did you mean "limit"?"#), "{misspelt:?}");
    for bad in ["[1]", r#"{"by":"Size"}"#, r#"{"by":"Name","least":1}"#] {
        assert_eq!(code(&call::<Sort>(bad).await), "INVALID_ARGS", "{bad}");
    }
}

/// What only its own type knows to be no object.
#[tool_input]
#[derive(Serialize)]
struct Words(Vec<String>);

type AnyJson = Value;

macro_rules! no_objects {
    ($($name:ident($held:ty);)*) => {
        $(
            /// Holds no object.
            #[derive(Tool, Serialize)]
            #[tool(output = String, render = display)]
            struct $name($held);
        )*
        echo!($($name),*);

        #[test]
        fn a_newtype_of_what_only_types_show_to_be_no_object_is_refused_at_registration() {
            for error in [$(Registry::new().tool::<$name>().map(|_| ()).unwrap_err()),*] {
                let [problem] = error.problems() else { panic!("{error}") };
                assert_eq!(problem.code(), &Code::UNSUPPORTED_SCHEMA);
                let told = "the arguments of a tool are an object, but this type reads";
                assert!(problem.message().contains(told) && problem.message().contains("name the fields"), "{problem}");
            }
        }
    };
}

no_objects! {
    OfWords(Words);
    OfAnyJson(AnyJson);
}
