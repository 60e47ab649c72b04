//! Each kind of nearly right arguments: refused with what is wrong, or repaired where that was asked for, and never guessed.

use serde::Serialize;
use serde_json::{Value, json};
use tests::{code, dispatcher_of, echo};
use tool_runtime::prelude::*;
use tool_runtime::{Repair, Repairs};

/// Search.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Search {
    glob: String,
    #[serde(default)]
    deep: bool,
}

/// Run.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Run {
    tags: Vec<String>,
    opts: Opts,
    note: String,
}

#[tool_input]
#[derive(Serialize)]
struct Opts {
    deep: bool,
    #[serde(default)]
    steps: Vec<Step>,
}

#[tool_input]
#[derive(Serialize)]
struct Step {
    secs: u64,
}

/// Wait.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Wait {
    secs: u64,
    dry: bool,
    mode: Mode,
    #[serde(default)]
    nested: Vec<Step>,
}

#[tool_input]
#[derive(Serialize)]
enum Mode {
    Fast,
    Exact,
}

echo!(Search, Run, Wait);

async fn call<T: Execute>(repairs: Repairs, arguments: &str) -> ToolResult {
    dispatcher_of::<T>().repairs(repairs).call(ToolCall::new("call-1", T::NAME, arguments)).await
}

/// What was read, and what was repaired.
async fn repaired<T: Execute>(repairs: Repairs, arguments: &str) -> (String, Vec<(Repair, String)>) {
    let result = call::<T>(repairs, arguments).await;
    assert!(result.is_success(), "{arguments}: {}", result.content().to_text());
    let made = result.trace().repairs().iter().map(|made| (made.repair(), made.pointer().to_string())).collect();
    (result.content().to_text(), made)
}

/// What the model reads of arguments that are refused, and of which nothing was repaired.
async fn refused<T: Execute>(repairs: Repairs, arguments: &str) -> String {
    let result = call::<T>(repairs, arguments).await;
    let told = result.content().to_text();
    assert_eq!(code(&result), "INVALID_ARGS", "{arguments}: {told}");
    assert!(result.trace().repairs().is_empty(), "{arguments}: {:?}", result.trace());
    told
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[tokio::test]
async fn arguments_in_a_string_are_refused_or_taken_out_of_it_once() {
    let once = quoted(r#"{"glob":"src/**"}"#);
    for refuse in [Repairs::none(), Repairs::none().with(Repair::ContainerInString).with(Repair::CodeFence)] {
        let told = refused::<Search>(refuse, &once).await;
        assert!(told.contains("arguments must be an object, got \"{"), "{told}");
        assert!(refused::<Search>(refuse, r#""hello""#).await.contains(r#"arguments must be an object, got "hello""#));
    }
    for ask in [Repairs::none().with(Repair::ObjectInString), Repairs::all()] {
        let (read, made) = repaired::<Search>(ask, &once).await;
        assert_eq!(read, r#"{"glob":"src/**","deep":false}"#);
        assert_eq!(made, [(Repair::ObjectInString, String::new())]);
        // A text is no object, an object within two strings stays one, and a list in a string is no object either.
        for not in [r#""hello""#.to_owned(), quoted(&once), quoted("[1]"), quoted(""), quoted("null")] {
            let told = refused::<Search>(ask, &not).await;
            assert!(told.contains("arguments must be an object"), "{not}: {told}");
        }
        // What came out is checked like any other arguments.
        let result = call::<Search>(ask, &quoted(r#"{"glob":5,"x":1}"#)).await;
        assert_eq!(code(&result), "INVALID_ARGS");
        let told = result.content().to_text();
        assert!(told.contains(r#""/glob" must be a string"#) && told.contains("\"/x\" is not"), "{told}");
    }
}

#[tokio::test]
async fn a_container_in_a_string_is_refused_or_taken_out_where_the_schema_wants_one() {
    let stringified = json!({"tags": r#"["a","b"]"#, "opts": r#"{"deep":true}"#, "note": "[1,2]"}).to_string();
    let told = refused::<Run>(Repairs::none(), &stringified).await;
    assert!(told.contains("\"/tags\" must be an array") && told.contains("\"/opts\" must be an object"), "{told}");
    let ask = Repairs::none().with(Repair::ContainerInString);
    let (read, made) = repaired::<Run>(ask, &stringified).await;
    assert_eq!(read, r#"{"tags":["a","b"],"opts":{"deep":true,"steps":[]},"note":"[1,2]"}"#);
    assert_eq!(
        made,
        [(Repair::ContainerInString, "/tags".to_owned()), (Repair::ContainerInString, "/opts".to_owned())]
    );

    for repairs in [Repairs::none(), ask, Repairs::all()] {
        let told = refused::<Run>(repairs, r#"{"tags":"a,b","opts":"","note":""}"#).await;
        assert!(told.contains("\"/tags\" must be an array, got \"a,b\""), "{told}");
        assert!(told.contains("\"/opts\" must be an object, got \"\""), "{told}");
    }
    // Text that was cut off, and a container of another kind or with other contents, give no reading.
    for not in [r#"["a""#, r#"{"a":1}"#, "[1]", "null", "5"] {
        refused::<Run>(ask, &json!({"tags": not, "opts": {"deep": true}, "note": ""}).to_string()).await;
    }
    // At depth, too: a list in an object in a list.
    let deep = json!({"tags": [], "opts": {"deep": true, "steps": r#"[{"secs":1}]"#}, "note": ""}).to_string();
    refused::<Run>(Repairs::none(), &deep).await;
    assert_eq!(repaired::<Run>(ask, &deep).await.1, [(Repair::ContainerInString, "/opts/steps".to_owned())]);
}

#[tokio::test]
async fn a_scalar_in_a_string_is_refused_or_read_in_its_one_spelling() {
    let canonical = r#"{"secs":"90","dry":"false","mode":"Fast","nested":[{"secs":"7"}]}"#;
    let told = refused::<Wait>(Repairs::none(), canonical).await;
    for place in ["\"/secs\" must be an integer", "\"/dry\" must be a boolean", "\"/nested/0/secs\" must be an integer"]
    {
        assert!(told.contains(place), "{place}: {told}");
    }
    let ask = Repairs::none().with(Repair::ScalarInString);
    let (read, made) = repaired::<Wait>(ask, canonical).await;
    assert_eq!(read, r#"{"secs":90,"dry":false,"mode":"Fast","nested":[{"secs":7}]}"#);
    assert_eq!(made.iter().map(|(_, place)| place.as_str()).collect::<Vec<_>>(), ["/secs", "/dry", "/nested/0/secs"]);

    // As without the quotes, a float that is whole is that integer.
    let whole = r#"{"secs":"5.0","dry":true,"mode":"Fast"}"#;
    assert!(repaired::<Wait>(ask, whole).await.0.starts_with(r#"{"secs":5,"#));

    for (key, spellings) in [
        ("secs", &["9e1", " 5 ", "05", "+5", "5.5", "-5", "0x5", "five", "true", ""][..]),
        ("dry", &["0", "1", "yes", "no", "True", "FALSE", " true", ""][..]),
    ] {
        for spelling in spellings {
            let mut arguments = json!({"secs": 1, "dry": true, "mode": "Fast"});
            arguments[key] = json!(spelling);
            for repairs in [ask, Repairs::all()] {
                let told = refused::<Wait>(repairs, &arguments.to_string()).await;
                assert!(told.contains(&format!("\"/{key}\" must be")), "{spelling}: {told}");
            }
        }
    }
}

#[tokio::test]
async fn the_case_of_a_name_is_never_guessed_and_the_allowed_ones_are_told() {
    for mode in ["fast", "FAST", "Fast ", "\"Fast\"", "0"] {
        let arguments = json!({"secs": 1, "dry": true, "mode": mode}).to_string();
        for repairs in [Repairs::none(), Repairs::all()] {
            let told = refused::<Wait>(repairs, &arguments).await;
            assert!(told.contains(r#""/mode" must be one of ["Fast","Exact"]"#), "{mode}: {told}");
        }
    }
}

/// Find.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
struct Find {
    q: String,
    since: Option<chrono::NaiveDate>,
    tag: Option<String>,
    n: Option<u32>,
}

echo!(Find);

#[tokio::test]
async fn empty_text_for_an_optional_is_absent_only_where_that_was_asked_for_and_no_text_is_allowed() {
    let ask = Repairs::none().with(Repair::AbsentInString);
    for empty in ["", "null"] {
        let arguments = json!({"q": "a", "tag": empty, "n": empty}).to_string();
        refused::<Find>(Repairs::none(), &arguments).await;
        let (read, made) = repaired::<Find>(ask, &arguments).await;
        assert_eq!(read, json!({"q": "a", "since": null, "tag": empty, "n": null}).to_string());
        assert_eq!(made, [(Repair::AbsentInString, "/n".to_owned())]);
    }
    // What is needed is never left out.
    refused::<Find>(ask, r#"{"q":"","n":"x"}"#).await;
    refused::<Wait>(ask, r#"{"secs":"","dry":true,"mode":"Fast"}"#).await;
}

#[tokio::test]
async fn a_fence_and_a_trailing_comma_are_taken_off_and_nothing_else_of_nearly_json_is() {
    let (read, made) = repaired::<Search>(Repairs::all(), "```json\n{\"glob\":\"*\",}\n```").await;
    assert_eq!(read, r#"{"glob":"*","deep":false}"#);
    let at_root = |repair| (repair, String::new());
    assert_eq!(made, [at_root(Repair::CodeFence), at_root(Repair::TrailingComma)]);
    for nearly in [
        "{\"glob\":\"a\nb\"}",
        r#"{"glob":"C:\dir"}"#,
        r#"{"glob":"\d+"}"#,
        "\u{feff}{\"glob\":\"a\"}",
        r#"{glob:"a"}"#,
        "{'glob':'a'}",
        r#"{"glob":"a"} // why"#,
        r#"{"glob":"a" "deep":true}"#,
        r#"{"glob":"a","deep":True}"#,
        r#"Here you are: {"glob":"a"}"#,
        r#"{"glob":"a"}{"glob":"b"}"#,
        r#"{"glob":"a","glob":"b"}"#,
        r#"{"glob":"a""#,
        r#"{"glob":"a"#,
        "```json\n{\"glob\":\"a\"\n```",
        "{,}",
        r#"{"glob":"a",,}"#,
    ] {
        let told = refused::<Search>(Repairs::all(), nearly).await;
        assert!(told.contains("invalid JSON"), "{nearly}: {told}");
        assert_eq!(told, refused::<Search>(Repairs::none(), nearly).await, "what is told is of what was sent");
    }
}
