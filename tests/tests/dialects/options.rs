//! What may be left out, and what may be null.

use serde::Serialize;
use serde_json::json;
use tests::echo;
use tool_runtime::dialect::{Dialect, Mode};
use tool_runtime::prelude::*;
use tool_runtime::tool_input;

use crate::{ANTHROPIC, GEMINI, OPENAI, lowered, sent, told};

/// List rows.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Find {
    q: String,
    list: Option<Vec<Row>>,
    #[serde(default = "ten")]
    limit: u32,
}

#[tool_input]
#[derive(Serialize)]
struct Row {
    keep: String,
    omit: Option<String>,
}

fn ten() -> u32 {
    10
}

/// Keep what is null.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Nulls {
    cells: Vec<Option<u8>>,
    any: tool_runtime::JsonValue,
    either: Either,
    #[serde(default = "some")]
    level: Option<u8>,
}

#[tool_input]
#[derive(Serialize)]
#[serde(tag = "kind")]
enum Either {
    One {
        #[serde(default = "ten")]
        n: u32,
    },
    Two {
        n: Option<u32>,
    },
}

#[expect(clippy::unnecessary_wraps, reason = "it is the default of an option")]
fn some() -> Option<u8> {
    Some(3)
}

echo!(Find, Nulls);

#[tokio::test]
async fn optional_becomes_required_and_nullable_at_each_depth_and_back() {
    let schema = sent::<Find>(OPENAI);
    assert_eq!(schema["required"], json!(["q", "list", "limit"]));
    assert_eq!(schema["properties"]["limit"]["type"], json!(["integer", "null"]));
    let row = &schema["properties"]["list"]["anyOf"][0]["items"];
    assert_eq!(row["required"], json!(["keep", "omit"]), "{schema}");
    let reply = r#"{"q":"a","list":[{"keep":"k","omit":null}],"limit":null}"#;
    assert_eq!(told::<Find>(OPENAI, reply).await, r#"{"q":"a","list":[{"keep":"k","omit":null}],"limit":10}"#);
}

#[tokio::test]
async fn elsewhere_optional_is_what_may_be_left_out() {
    for dialect in [ANTHROPIC, GEMINI, Dialect::Xai, Dialect::Anthropic(Mode::Lenient)] {
        assert_eq!(sent::<Find>(dialect)["required"], json!(["q"]), "{dialect:?}");
        assert_eq!(told::<Find>(dialect, r#"{"q":"a"}"#).await, r#"{"q":"a","list":null,"limit":10}"#);
    }
    assert_eq!(sent::<Find>(ANTHROPIC)["properties"]["list"]["type"], "array", "null costs a union of the budget");
    assert_eq!(sent::<Find>(GEMINI)["properties"]["list"]["nullable"], true);
}

#[tokio::test]
async fn null_stays_where_the_type_means_null() {
    let reply = r#"{"cells":[1,null],"any":"[null,{\"a\":null}]","either":{"kind":"One","n":null},"level":null}"#;
    let read = r#"{"cells":[1,null],"any":[null,{"a":null}],"either":{"kind":"One","n":10},"level":null}"#;
    assert_eq!(told::<Nulls>(OPENAI, reply).await, read);
    let reply = r#"{"cells":[],"any":"null","either":{"kind":"Two","n":null},"level":4}"#;
    let read = r#"{"cells":[],"any":null,"either":{"kind":"Two","n":null},"level":4}"#;
    assert_eq!(told::<Nulls>(OPENAI, reply).await, read);
}

#[test]
fn a_default_that_null_hides_is_a_loss() {
    let lowered = lowered::<Nulls>(OPENAI);
    let lost: Vec<String> = lowered.losses().iter().map(ToString::to_string).collect();
    let expected = "/properties/level: leaving it out becomes null, which is said of its own; it can't be sent";
    assert!(lost.iter().any(|loss| loss == expected), "{lost:#?}");
}

#[test]
fn values_are_written_as_a_model_would_send_them() {
    let decoder = lowered::<Find>(OPENAI).decoder().clone();
    let own = json!({"q": "a", "list": [{"keep": "k"}]});
    assert_eq!(decoder.encode(&own), json!({"q": "a", "list": [{"keep": "k", "omit": null}], "limit": null}));
    assert_eq!(
        decoder.decode(&decoder.encode(&own)).unwrap(),
        json!({"q": "a", "list": [{"keep": "k", "omit": null}]})
    );
}
