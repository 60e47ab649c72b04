//! The canonical input of a call: stable, small, and nothing in it that nobody is to see.

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use tests::{dispatcher_of, echo};
use tool_runtime::CanonicalInput;
use tool_runtime::prelude::*;

/// Post something.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, canonical)]
#[serde(rename_all = "camelCase")]
struct Post {
    #[tool(canonical = "path")]
    #[serde(alias = "to")]
    target: String,
    #[tool(canonical)]
    first_line: Option<u32>,
    #[tool(canonical)]
    header: Option<Header>,
    #[tool(canonical = skip, secret)]
    password: Option<String>,
    #[tool(canonical = skip)]
    body: Option<String>,
    #[serde(skip)]
    #[allow(dead_code, reason = "what serde skips need not be decided on")]
    sent: bool,
}

#[tool_input]
#[derive(Serialize)]
struct Header {
    name: String,
    #[tool(secret)]
    value: Option<String>,
}

/// Do something with a file.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display, canonical)]
enum Change {
    Move {
        #[tool(canonical = "path")]
        from: String,
        #[tool(canonical)]
        to: String,
    },
    Fill {
        #[tool(canonical)]
        path: String,
        #[tool(canonical = skip)]
        text: String,
    },
}

/// Say something.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Say {
    path: String,
}

echo!(Post, Change, Say);

fn input<T: Execute>(arguments: &Value) -> Option<CanonicalInput> {
    dispatcher_of::<T>().registry().canonical_input(T::NAME, &arguments.to_string())
}

#[test]
fn what_was_chosen_stands_under_its_key_and_nothing_else_does() {
    let whole = json!({"target": "a", "firstLine": 3.0, "header": {"name": "n"}, "body": "b", "password": "hunter2"});
    assert_eq!(
        input::<Post>(&whole).unwrap().to_json().to_string(),
        r#"{"firstLine":3,"header":{"name":"n"},"path":"a"}"#
    );
    for absent in
        [json!({"target": "a"}), json!({"to": "a"}), json!({"target": "a", "firstLine": null, "header": null})]
    {
        assert_eq!(input::<Post>(&absent).unwrap().to_json(), json!({"path": "a"}));
    }
    assert_eq!(
        input::<Change>(&json!({"Move": {"from": "a", "to": "b"}})).unwrap().to_json(),
        json!({"path": "a", "to": "b"})
    );
    assert_eq!(input::<Change>(&json!({"Fill": {"path": "a", "text": "b"}})).unwrap().to_json(), json!({"path": "a"}));
}

#[test]
fn a_secret_is_not_in_it_and_neither_is_what_is_bulky() {
    let sent = json!({"target": "ftp://ann:hunter2@host", "password": "hunter2"});
    assert_eq!(input::<Post>(&sent).unwrap().to_json(), json!({"path": "ftp://ann:[secret]@host"}));
    let sent = json!({"target": "a", "header": {"name": "n", "value": "x"}});
    assert_eq!(input::<Post>(&sent).unwrap().to_json(), json!({"path": "a"}));
    let fits = "x".repeat(4094);
    assert_eq!(input::<Post>(&json!({"target": fits})).unwrap().get("path"), Some(&json!(fits)));
    assert_eq!(input::<Post>(&json!({"target": format!("{fits}x")})).unwrap().iter().count(), 0);
}

#[test]
fn there_is_none_of_an_unknown_tool_of_one_that_has_not_opted_in_and_of_arguments_that_are_refused() {
    let registry = dispatcher_of::<Post>().registry();
    assert_eq!(registry.canonical_input("pst", "{}"), None);
    for refused in ["{}", "", "{", "[]", r#"{"target": 1}"#, r#"{"target": "a", "other": 1}"#] {
        assert_eq!(registry.canonical_input("post", refused), None, "{refused}");
    }
    assert_eq!(input::<Say>(&json!({"path": "a"})), None);
    assert!(!registry.specs_json().contains("x-tool"), "{}", registry.specs_json());
}

/// Replaces the content by the canonical input.
struct Shows;

impl PostPolicy for Shows {
    fn name(&self) -> &'static str {
        "shows"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        let input = call.canonical_input().map(|input| input.to_json());
        Ok(PostDecision::replace_content(input.unwrap_or_default().to_string()))
    }
}

#[tokio::test]
async fn a_policy_has_it_of_what_runs() {
    let dispatcher = dispatcher_of::<Post>().policy(Shows);
    let sent = r#"{"to": "a", "firstLine": 2}"#;
    let shown = dispatcher.call(ToolCall::new("call-1", "post", sent)).await.content().to_text();
    assert_eq!(shown, r#"{"firstLine":2,"path":"a"}"#);
    assert_eq!(dispatcher.canonical_input("post", sent).unwrap().to_json().to_string(), shown);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_same_arguments_give_the_same_bytes_and_no_foreign_key_is_lost(
        target in "\\PC{0,12}",
        line in proptest::option::of(0_u32..9),
        body in proptest::option::of("[a-z]{6,12}"),
        password in proptest::option::of("[A-Z]{6,12}"),
        foreign in proptest::collection::btree_map("[a-z]{1,6}|path|firstLine", 0_u8..9, 0..4),
    ) {
        let mut arguments = json!({"target": target});
        for (key, value) in [("firstLine", json!(line)), ("body", json!(body)), ("password", json!(password))] {
            arguments[key] = value;
        }
        let found = input::<Post>(&arguments).unwrap();
        prop_assert_eq!(Some(found.clone()), input::<Post>(&arguments));
        let text = found.to_json().to_string();
        for hidden in [body, password].into_iter().flatten().filter(|hidden| !target.contains(hidden.as_str())) {
            prop_assert!(!text.contains(&hidden), "{text}");
        }
        prop_assert!(found.iter().all(|(key, value)| ["path", "firstLine"].contains(&key) && !value.is_null()));
        let mut meta = json!({"other": foreign, "host/tool": foreign});
        prop_assert!(found.merge_into(&mut meta, "host/tool"));
        prop_assert_eq!(&meta["other"], &json!(foreign));
        for (key, value) in &foreign {
            prop_assert_eq!(&meta["host/tool"][key], value);
        }
        for (key, value) in found.iter().filter(|(key, _)| !foreign.contains_key(*key)) {
            prop_assert_eq!(&meta["host/tool"][key], value);
        }
    }
}
