//! A log holds no secret of a call, wherever the call stands in it.

use tool_runtime::prelude::*;
use tool_runtime::session::{AssistantMessage, Event, Message, RequestedCall, replay};

use crate::scene::{finish, in_a_step, journaled, read};

const CANARY: &str = "c4nary-0f-the-vault";

/// Open the vault.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Open {
    door: String,
    #[tool(secret)]
    word: String,
}

impl Execute for Open {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("{} opens by {}", self.door, self.word))
    }
}

fn calls() -> Vec<ToolCall<'static>> {
    let sent = [
        ("open", format!(r#"{{"door": "north", "word": "{CANARY}"}}"#)),
        ("open", format!(r#"{{"door": "north", "wrod": "{CANARY}"}}"#)),
        ("open", format!(r#"{{"door": "north", "word": "{CANARY}"#)),
        ("opne", format!(r#"{{"word": "{CANARY}"}}"#)),
        ("open", String::new()),
    ];
    let numbered = sent.into_iter().enumerate();
    numbered.map(|(nth, (name, arguments))| ToolCall::new(format!("call-{nth}"), name, arguments)).collect()
}

#[tokio::test]
async fn no_byte_of_a_log_tells_a_secret_of_a_call_that_a_model_asked_for() {
    let dispatcher = Dispatcher::new(toolset! { () => [Open] }.unwrap());
    let (store, session) = in_a_step().await;
    let asked = calls().iter().map(|call| RequestedCall::of(call, &dispatcher)).collect();
    let live = AssistantMessage::new(Content::text("I'll open it."), asked);
    session.assistant(live.clone()).await.unwrap();
    let _ = dispatcher.batch(calls(), journaled(&session)).all().await;
    finish(&session).await;

    let bytes = store.bytes();
    let text = std::str::from_utf8(&bytes).unwrap();
    assert!(!text.contains(CANARY), "{text}");
    let log = read(&bytes);
    let replayed = replay(&log).unwrap();
    let Some(Message::Assistant(said)) = replayed.messages().get(1) else { panic!("{replayed:?}") };
    assert_eq!((&said.content, &said.calls), (&live.content, &live.calls));
    // What the model asked for reads as what the dispatcher recorded.
    let recorded: Vec<&str> = log
        .entries()
        .iter()
        .filter_map(|entry| match entry.event() {
            Event::ToolCall(call) => Some(&*call.arguments),
            _ => None,
        })
        .collect();
    let asked: Vec<&str> = said.calls.iter().map(|call| &*call.arguments).collect();
    assert_eq!(asked, recorded);
    let masked = r#"{"door":"north","word":"[secret]"}"#;
    assert_eq!(asked, [masked, r#"{"door":"north","wrod":"[secret]"}"#, r#""[secret]""#, r#""[secret]""#, ""]);
}
