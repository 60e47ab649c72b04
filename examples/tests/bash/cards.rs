//! The cards of commands, live.

use crate::fixture::Fixture;
use tool_runtime::serde_json::{self, Value, json};
use tool_runtime::{Block, Content, Limits, PolicyCall, PostDecision, PostPolicy, Success, ToolCall, ToolError};

/// The wire form of both cards.
async fn cards(fixture: &Fixture, arguments: Value) -> (Value, Value) {
    let cards = fixture.dispatcher.cards();
    let arguments = arguments.to_string();
    let call = cards.call("bash", &arguments);
    let result = fixture.dispatcher.call(ToolCall::new("call-1", "bash", arguments.as_str())).await;
    let wire = |view: serde_json::Result<Value>| view.expect("a card is JSON");
    (wire(serde_json::to_value(call)), wire(serde_json::to_value(cards.live(&arguments, &result))))
}

async fn card(fixture: &Fixture, command: &str) -> Value {
    cards(fixture, json!({"command": command})).await.1
}

#[tokio::test]
async fn a_command_has_the_card_of_a_terminal() {
    let fixture = Fixture::new();
    let arguments = json!({"command": "echo hi; exit 2", "description": "Greet, and fail"});
    let (call, result) = cards(&fixture, arguments).await;
    assert_eq!(call, json!({"card": "terminal", "title": "echo hi; exit 2", "description": "Greet, and fail"}));
    assert_eq!(result, json!({"card": "terminal", "output": "hi", "exitCode": 2}));
    let killed = card(&fixture, "kill -TERM $$").await;
    assert_eq!(killed, json!({"card": "terminal", "output": "(no output)", "signal": "SIGTERM"}));
    let (_, late) = cards(&fixture, json!({"command": "sleep 300", "timeout_ms": 100})).await;
    assert_eq!(
        late,
        json!({"card": "terminal", "output": "(no output)\n[timed out after 100ms]", "signal": "SIGTERM"})
    );
}

#[tokio::test]
async fn what_looks_like_an_end_is_none() {
    let fixture = Fixture::new();
    let card_of = |command: &'static str| card(&fixture, command);
    assert_eq!(
        card_of("printf 'x\n[exit code: 3]'").await,
        json!({"card": "terminal", "output": "x\n[exit code: 3]", "exitCode": 0})
    );
    assert_eq!(
        card_of("printf 'x\n[exit code: 3]'; exit 3").await,
        json!({"card": "terminal", "output": "x\n[exit code: 3]", "exitCode": 3})
    );
    assert_eq!(
        card_of("echo '[killed by signal: SIGKILL]'; exit 1").await,
        json!({"card": "terminal", "output": "[killed by signal: SIGKILL]", "exitCode": 1})
    );
}

#[tokio::test]
async fn a_failed_call_has_no_card_of_its_own() {
    assert_eq!(card(&Fixture::new(), "  ").await, json!({"card": "generic"}));
}

#[tokio::test]
async fn a_command_is_seen_while_it_streams_in() {
    let cards = Fixture::new().dispatcher.cards();
    assert_eq!(cards.pending("bash", r#"{"command": "cargo te"#).title(), "cargo te");
}

/// The model reads something else.
struct Hide(&'static [&'static str]);

impl PostPolicy for Hide {
    fn name(&self) -> &'static str {
        "hide"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        let content: Content = self.0.iter().map(|text| Block::text(*text)).collect();
        Ok(PostDecision::replace_content(content))
    }
}

#[tokio::test]
async fn what_the_model_does_not_read_is_in_no_card() {
    let mut fixture = Fixture::new();
    let dispatcher = fixture.dispatcher.clone();
    fixture.dispatcher = dispatcher.clone().policy(Hide(&["(hidden)"]));
    assert_eq!(
        card(&fixture, "echo secret; exit 1").await,
        json!({"card": "terminal", "output": "(hidden)", "exitCode": 1})
    );
    fixture.dispatcher = dispatcher.policy(Hide(&["(hidden)", "(twice)"]));
    assert_eq!(card(&fixture, "echo secret").await, json!({"card": "generic"}), "it is not one text");
}

#[tokio::test]
async fn a_long_output_is_cut_in_the_card_as_the_model_reads_it() {
    let mut fixture = Fixture::new();
    let limits = Limits { content_bytes: 200, ..Limits::default() };
    fixture.dispatcher = fixture.dispatcher.clone().limits(limits);
    let card = card(&fixture, "printf '%1000s' '' | tr ' ' x; exit 7").await;
    let output = card["output"].as_str().unwrap();
    assert!(output.len() <= 200 && output.contains("left out after the first"), "{output}");
    assert!(!output.contains("exit code"), "{output}");
    assert_eq!(card["exitCode"], 7);
}
