//! Which fields a mark reaches, whatever serde makes of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tests::{dispatcher_of, echo, given};
use tool_runtime::prelude::*;
use tool_runtime::{JsonValue, Parameter, schemars};

/// Put something.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, open)]
struct Put<T: Parameter + Serialize> {
    #[tool(secret)]
    generic: Option<T>,
    #[tool(secret)]
    #[serde(rename = "other-name", alias = "another")]
    renamed: Option<String>,
    #[tool(secret)]
    #[serde(default, with = "hex")]
    #[schemars(with = "String")]
    converted: u8,
    #[tool(secret)]
    own: Option<Own>,
    #[tool(secret)]
    any: Option<JsonValue>,
    pair: Option<(String, Marked)>,
    by_name: Option<BTreeMap<String, Transparent>>,
    either: Option<Either>,
    #[tool(secret)]
    whole: Option<Whole>,
}

impl<T: Parameter + Serialize> Execute for Put<T> {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("{} {:?}", json!(self), self.renamed))
    }
}

mod hex {
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(crate) fn serialize<S: Serializer>(byte: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{byte:02x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        let text = String::deserialize(deserializer)?;
        u8::from_str_radix(&text, 16).map_err(|_| de::Error::custom(format!("{text:?} is no byte")))
    }
}

/// A type that reads itself, and quotes what it can't read.
#[derive(Serialize)]
struct Own(String);

impl<'de> Deserialize<'de> for Own {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.starts_with('k') { Ok(Self(text)) } else { Err(serde::de::Error::custom(format!("bad key {text}"))) }
    }
}

impl schemars::JsonSchema for Own {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Own".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string"})
    }
}

#[tool_input]
#[derive(Serialize)]
struct Marked(#[tool(secret)] String);

#[tool_input]
#[derive(Serialize)]
#[serde(transparent)]
struct Transparent {
    #[tool(secret)]
    word: String,
}

#[tool_input]
#[derive(Serialize)]
#[serde(untagged)]
enum Either {
    Code {
        #[tool(secret)]
        code: u16,
    },
    Name {
        name: String,
    },
}

#[tool_input]
#[derive(Serialize)]
struct Whole {
    user: String,
    words: Vec<String>,
}

fn logged(sent: &Value) -> Value {
    let dispatcher = dispatcher_of::<Put<String>>();
    let logged = dispatcher.logged_arguments("put", &sent.to_string()).into_owned();
    assert_eq!(dispatcher.logged_arguments("put", &logged), logged);
    tool_runtime::serde_json::from_str(&logged).unwrap()
}

#[test]
fn a_mark_reaches_its_place_through_whatever_serde_does() {
    for (sent, kept) in [
        (json!({"generic": "abcd"}), json!({"generic": "[secret]"})),
        (json!({"other-name": "abcd"}), json!({"other-name": "[secret]"})),
        (json!({"another": "abcd"}), json!({"another": "[secret]"})),
        (json!({"converted": "0f"}), json!({"converted": "[secret]"})),
        (json!({"own": "key"}), json!({"own": "[secret]"})),
        (json!({"any": {"a": [1, true]}}), json!({"any": "[secret]"})),
        (json!({"pair": ["a", "b"]}), json!({"pair": ["a", "[secret]"]})),
        (json!({"by_name": {"a": "b"}}), json!({"by_name": {"a": "[secret]"}})),
        (json!({"either": {"code": 7}}), json!({"either": {"code": "[secret]"}})),
        (json!({"either": {"name": "n"}}), json!({"either": {"name": "n"}})),
        (json!({"whole": {"user": "u", "words": ["w"]}}), json!({"whole": "[secret]"})),
        (json!({"undeclared": {"a": 1}}), json!({"undeclared": "[secret]"})),
    ] {
        assert_eq!(logged(&sent), kept);
    }
}

#[tokio::test]
async fn what_a_type_s_own_decoder_says_of_a_secret_is_not_told() {
    for sent in [json!({"own": "zz9"}), json!({"own": "wrong-word"}), json!({"converted": "qq"})] {
        let call = ToolCall::new("call-1", "put", sent.to_string());
        let result = dispatcher_of::<Put<String>>().call(call).await;
        let told = format!("{} {result:?}", result.content().to_text());
        assert!(told.contains("can't be read, and is not shown, since it is a secret"), "{told}");
        assert!(!told.contains("zz9") && !told.contains("wrong-word") && !told.contains("qq"), "{told}");
    }
}

#[tokio::test]
async fn keys_that_the_schema_publishes_are_no_secrets_and_others_are() {
    let sent =
        json!({"whole": {"user": "u", "words": ["battery"]}, "any": {"user": 1, "stap-le": 2}, "other-name": "x"});
    let result = dispatcher_of::<Put<String>>().call(ToolCall::new("call-1", "put", sent.to_string())).await;
    let told = result.content().to_text();
    assert!(told.contains("\"user\"") && told.contains("\"words\""), "{told}");
    assert!(!told.contains("battery") && !told.contains("stap-le"), "{told}");
}

/// What an output of each representation shows.
#[tool_output]
#[derive(Clone)]
struct Shown {
    list: Vec<Secret>,
    tagged: Tagged,
    maybe: Option<Secret>,
    #[tool_output(secret)]
    #[serde(rename = "n")]
    number: u8,
    #[serde(flatten)]
    flat: Flat,
}

#[tool_output]
#[derive(Clone)]
struct Secret(#[tool_output(secret)] String);

#[tool_output]
#[derive(Clone)]
struct Flat {
    #[tool_output(secret)]
    flag: bool,
    name: String,
}

#[tool_output]
#[derive(Clone)]
#[serde(tag = "kind")]
enum Tagged {
    A {
        #[tool_output(secret)]
        word: String,
    },
}

#[tokio::test]
async fn an_output_is_shown_without_what_is_marked_in_it() {
    let secret = || Secret("§".into());
    let value = Shown {
        list: vec![secret()],
        tagged: Tagged::A { word: "y".into() },
        maybe: Some(secret()),
        number: 7,
        flat: Flat { flag: true, name: "n".into() },
    };
    let result = given(move || value.clone()).await;
    // A flattened field makes a map of the object, whose keys are sorted.
    let shown = r#"{"flag":"[secret]","list":["[secret]"],"maybe":"[secret]","n":"[secret]","name":"n","tagged":{"kind":"A","word":"[secret]"}}"#;
    assert_eq!(result.success().unwrap().shown_value().as_str(), shown);
    assert_eq!(result.content().to_text(), shown, "short ones too, by the ready projection");
    assert!(!format!("{result:?}").contains('§'), "{result:?}");
}

/// Say it.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Say {
    word: String,
}

echo!(Say);

#[tokio::test]
async fn a_tool_without_secrets_is_shown_as_it_is() {
    let sent = r#"{ "word" : "hunter2" }"#;
    let dispatcher = dispatcher_of::<Say>();
    assert_eq!(dispatcher.logged_arguments("say", sent), sent);
    assert_eq!(dispatcher.logged_arguments("say", "{"), "{");
    let result = dispatcher.call(ToolCall::new("call-1", "say", sent)).await;
    let success = result.success().unwrap();
    assert!(std::ptr::eq(success.value(), success.shown_value()), "not even a copy is made");
}
