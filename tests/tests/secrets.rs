//! A canary in each secret place of a call, and nowhere in what is shown of it.

mod secrets {
    pub(crate) mod channels;
    pub(crate) mod hosts;
    pub(crate) mod tools;
}
#[path = "spans/collector.rs"]
#[allow(dead_code, reason = "made for the tests of spans")]
mod collector;

use collector::Collector;
use secrets::channels::{assert_clean, assert_shows_nothing};
use secrets::hosts::{After, Before, Keeps, Person};
use secrets::tools::{CANARY, LogIn, Mode, Session, TOKEN, arguments, dispatcher};
use serde_json::{Value, json};
use tests::{code, quiet_panics};
use tool_runtime::dialect::{self, Dialect, GeminiForm};
use tool_runtime::prelude::*;
use tool_runtime::{CallOptions, Recorded, Repairs, Repeats, progress_channel};

const MODES: [(Mode, &str); 5] = [
    (Mode::Succeed, "OK"),
    (Mode::Fail, "LOGIN_FAILED"),
    (Mode::FailWithSource, "LOGIN_FAILED"),
    (Mode::Panic, "PANICKED"),
    (Mode::CallAnother, "LOGIN_FAILED"),
];

fn log_in(arguments: &Value) -> ToolCall<'static> {
    ToolCall::new("call-1", "log_in", arguments.to_string())
}

/// A call with everything recorded and reported, and all of that searched.
async fn searched(what: &str, dispatcher: Dispatcher, call: ToolCall<'_>) -> ToolResult {
    quiet_panics();
    let collector = Collector::new();
    let _collecting = collector.collecting();
    let keeps = Keeps::default();
    let dispatcher =
        dispatcher.observer(keeps.clone()).record(Recorded::nothing().arguments().results().at_most(100_000));
    let (progress, mut reports) = progress_channel(64);
    let options = CallOptions { progress: Some(progress), ..CallOptions::default() };
    let result = dispatcher.call_with(call, options).await;
    drop(dispatcher);
    assert_shows_nothing(what, &result);
    assert_clean(&format!("{what}: the spans"), &collector.all());
    while let Some(report) = reports.next().await {
        assert_clean(&format!("{what}: progress"), &format!("{report:?}"));
    }
    assert_clean(&format!("{what}: the observers"), &keeps.told());
    result
}

#[tokio::test]
async fn whatever_a_body_does_with_a_secret_nobody_is_shown_it() {
    for (mode, expected) in MODES {
        let result = searched(expected, dispatcher(), log_in(&arguments(mode))).await;
        assert_eq!(code(&result), expected);
    }
}

#[tokio::test]
async fn a_program_is_told_the_truth() {
    let result = searched("a success", dispatcher(), log_in(&arguments(Mode::Succeed))).await;
    let success = result.success().unwrap();
    assert_eq!(success.value_as::<Session>().unwrap().token, TOKEN);
    assert!(success.value().as_str().contains(TOKEN));
    let called = LogIn {
        mode: Mode::Succeed,
        user: "ann".into(),
        password: CANARY.into(),
        pin: None,
        older: Vec::new(),
        more: secrets::tools::More::default(),
    };
    assert_eq!(dispatcher().invoke(called).await.unwrap().forgotten[0], CANARY);
}

#[tokio::test]
async fn what_is_shown_of_a_value_is_itself_but_for_the_secrets() {
    let result = dispatcher().call(log_in(&arguments(Mode::Succeed))).await;
    let shown = result.success().unwrap().shown_value().to_value();
    assert_eq!(shown["user"], "ann");
    assert_eq!(
        (&shown["token"], &shown["digits"], &shown["forgotten"][0]),
        (&json!("[secret]"), &json!("[secret]"), &json!("[secret]"))
    );
    assert!(
        shown.to_string().starts_with(r#"{"user":"ann","token":"[secret]","digits":"[secret]","forgotten":["#),
        "{shown}"
    );
    // The ready projection shows the same, a number of two digits included.
    assert!(result.content().to_text().contains(r#""digits":"[secret]""#), "{}", result.content().to_text());
}

#[tokio::test]
async fn arguments_that_are_refused_are_not_quoted_where_a_secret_may_be() {
    let whole = arguments(Mode::Succeed);
    let with = |pointer: &str, value: Value| {
        let mut arguments = whole.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        arguments.pointer_mut(parent).unwrap()[key] = value;
        arguments
    };
    let bad = [
        with("/pasword", CANARY.into()),
        with("/note", json!({"password": CANARY})),
        with("/note", json!([CANARY])),
        with("/mode", json!([CANARY])),
        with("/password", json!([CANARY])),
        with("/password", json!({CANARY: CANARY})),
        with("/pin", CANARY.into()),
        with("/pin", json!(-7_319_240_518_i64)),
        with("/older", CANARY.into()),
        with("/older", format!("[{{\"kind\":\"key\",\"privateKey\":{}}}]", json!(CANARY)).into()),
        with("/older", json!([{"kind": "key", "private_key": CANARY}])),
        with("/older", json!([{"kind": "kye", "privateKey": CANARY}])),
        with("/older", json!([{"kind": "words", "words": CANARY}])),
        with("/older", json!([CANARY])),
        with("/user", json!(1)),
        json!([CANARY]),
        json!(CANARY),
        json!({"log_in": whole}),
    ];
    for arguments in bad {
        for repairs in [Repairs::none(), Repairs::all()] {
            let what = arguments.to_string();
            let result = searched(&what, dispatcher().repairs(repairs), log_in(&arguments)).await;
            assert!(["INVALID_ARGS", "OK"].contains(&code(&result)), "{what}: {result:?}");
        }
    }
    let secret = json!(CANARY);
    for text in [
        format!("{{\"password\": {secret}"),
        format!("{{\"password\": {secret},}}"),
        format!("{{\"password\": {secret}, \"password\": {secret}}}"),
        format!("{{\"password\": c4nary{secret}}}"),
        format!("{{\"pin\": 0{}}}", secrets::tools::PIN),
        format!("```json\n{{\"password\": {secret}}}\n```"),
        format!("password={CANARY}"),
    ] {
        let result = searched(&text, dispatcher(), ToolCall::new("call-1", "log_in", text.as_str())).await;
        assert_eq!(code(&result), "INVALID_ARGS");
    }
}

/// Where a map is sent as pairs, and whatever else a dialect makes of a schema.
#[tokio::test]
async fn a_dialect_that_cannot_read_arguments_quotes_no_secret() {
    let pair = json!({"key": "token", "value": [CANARY]});
    let sent = [
        json!({"headers": [pair, pair], "kind": []}),
        json!({"headers": [{"key": CANARY, "value": CANARY}], "kind": []}),
        json!({"headers": [pair], "kind": [{"key": "a", "value": CANARY}]}),
        json!({"headers": [pair], "kind": [], "more": CANARY}),
        json!({"headers": {"token": [CANARY]}, "kind": CANARY}),
        json!({"headers": [pair], "kind": [{"key": "a", "value": "succeed"}]}),
        json!([CANARY]),
    ];
    for spoken in [
        Dialect::OpenAiChat(dialect::Mode::Strict),
        Dialect::Anthropic(dialect::Mode::Strict),
        Dialect::Gemini(GeminiForm::OpenApi),
        Dialect::Ollama,
    ] {
        let tools = spoken.lower_all(&dispatcher().registry());
        assert_clean("what a provider is sent", &tools.definitions().to_string());
        for sent in &sent {
            let what = format!("{spoken:?} {sent}");
            let tools = spoken.lower_all(&dispatcher().registry());
            let call = ToolCall::new("call-1", "send", sent.to_string());
            let _ = searched(&what, dispatcher().dialect(tools), call).await;
        }
    }
}

#[tokio::test]
async fn a_misspelt_key_is_named_and_its_value_is_not() {
    let sent = r#"{"mode": "succeed", "user": "ann", "pasword": "hunter2"}"#;
    let told = dispatcher().call(ToolCall::new("call-1", "log_in", sent)).await.content().to_text();
    assert!(told.contains(r#""/pasword" is not a declared property"#) && !told.contains("hunter2"), "{told}");
}

#[tokio::test]
async fn what_hosts_say_of_a_secret_nobody_is_shown_either() {
    for (mode, _) in MODES {
        for before in Before::ALL {
            let what = format!("{mode:?} after {before:?}");
            let result =
                searched(&what, dispatcher().pre_policy(before).approver(Person), log_in(&arguments(mode))).await;
            assert_eq!(code(&result) == "OK", mode == Mode::Succeed && before.lets_run(), "{what}: {result:?}");
        }
        for after in After::ALL {
            let what = format!("{mode:?} before {after:?}");
            let _ = searched(&what, dispatcher().policy(after), log_in(&arguments(mode))).await;
        }
        let what = format!("{mode:?} with a guard");
        let result = searched(&what, dispatcher().guard(Before::Deny), log_in(&arguments(mode))).await;
        assert_eq!(code(&result), "DENIED");
    }
}

#[tokio::test]
async fn a_note_of_a_repeated_call_quotes_no_secret() {
    let dispatcher = dispatcher().repeats(Repeats::new().thresholds([2, 3]).unwrap().stop_at(5).unwrap());
    for sent in [arguments(Mode::Succeed).to_string(), format!("{{\"password\": \"{}", "c4nary".repeat(200))] {
        for _ in 0..5 {
            let result =
                searched("a repeat", dispatcher.clone(), ToolCall::new("call-1", "log_in", sent.as_str())).await;
            let noted = result.contexts().iter().any(|note| note.to_text().contains("arguments: "));
            assert!(!noted || result.contexts().iter().any(|note| note.to_text().contains("[secret]")));
        }
    }
}

#[tokio::test]
async fn a_call_of_an_unknown_tool_beside_one_with_secrets_is_not_recorded() {
    let call = ToolCall::new("call-1", "log_on", arguments(Mode::Succeed).to_string());
    let repeats = Repeats::new().thresholds([2, 3]).unwrap();
    let dispatcher = dispatcher().repeats(repeats);
    for _ in 0..3 {
        assert_eq!(code(&searched("unknown", dispatcher.clone(), call.clone()).await), "UNKNOWN_TOOL");
    }
}

#[tokio::test]
async fn a_nested_call_of_a_tool_without_secrets_tells_none_of_its_caller_s() {
    let result = searched("nested", dispatcher(), log_in(&arguments(Mode::CallAnother))).await;
    let told = result.content().to_text();
    assert!(told.contains("refused: \"[secret]\"") && told.ends_with("with [secret]"), "{told}");
}

#[test]
fn what_is_published_tells_no_default_of_a_secret() {
    let registry = dispatcher().registry();
    assert_clean("the list of tools", &registry.specs_json());
    let schema = registry.spec("log_in").unwrap().input_schema.to_value();
    assert_eq!(schema["properties"]["password"]["writeOnly"], true);
    assert!(!registry.specs_json().contains("x-tool"), "{}", registry.specs_json());
    let output = registry.spec("log_in").unwrap().output_schema.as_str().to_owned();
    assert!(!output.contains("writeOnly"), "{output}");
}

#[tokio::test]
async fn a_dynamic_tool_has_the_secrets_that_its_schema_says() {
    let tool =
        DynamicTool::new("shout", "Say it.", |arguments, _| async move { Ok(json!({"said": arguments["word"]})) })
            .input_schema(json!({
                "type": "object",
                "properties": {"word": {"type": "string", "writeOnly": true}, "mood": {"type": "string"}},
                "required": ["word"],
                "additionalProperties": false,
            }))
            .output_schema(json!({"type": "object"}));
    let mut registry = Registry::new();
    registry.dynamic(tool).unwrap();
    let dispatcher = Dispatcher::new(registry);
    for arguments in [json!({"word": CANARY}), json!({"word": CANARY, "mood": [CANARY]}), json!({"wrd": CANARY})] {
        let call = ToolCall::new("call-1", "shout", arguments.to_string());
        let result = searched("a dynamic tool", dispatcher.clone(), call).await;
        if let Some(success) = result.success() {
            assert_eq!(success.canonical().to_json(), json!({"said": CANARY}));
            assert_eq!(success.shown_value().as_str(), r#"{"said":"[secret]"}"#);
        }
    }
}

#[test]
fn logged_arguments_keep_all_but_the_secrets_and_are_logged_the_same_again() {
    let dispatcher = dispatcher();
    let logged = |sent: &str| dispatcher.logged_arguments("log_in", sent).into_owned();
    let sent = arguments(Mode::Succeed).to_string();
    let kept = logged(&sent);
    assert_clean("the log", &kept);
    assert_eq!(
        kept,
        r#"{"mode":"succeed","user":"ann","password":"[secret]","pin":"[secret]","older":[{"kind":"key","privateKey":"[secret]"},{"kind":"words","words":"[secret]"},{"kind":"wrapped","of":"[secret]"}],"otp":"[secret]","note":"a note"}"#
    );
    for sent in [kept.as_str(), r#"{"pw":"x"}"#, r#"{"password":"x""#, "[1]", "\"x\"", "7", r#"{"a":1,"a":2}"#] {
        let once = logged(sent);
        assert_eq!(logged(&once), once, "{sent}");
        assert!(once.contains("[secret]") && !once.contains('x'), "{once}");
    }
    for nothing in ["", "  ", "null", "{}", r#"{ "user" : "ann" }"#] {
        assert_eq!(logged(nothing), nothing);
    }
    assert_eq!(dispatcher.logged_arguments("fetch", "{\"header\": 1"), "{\"header\": 1", "it has no secrets");
    assert_eq!(dispatcher.logged_arguments("fetsh", "{}x"), "\"[secret]\"", "it may be meant for a tool that has");
}
