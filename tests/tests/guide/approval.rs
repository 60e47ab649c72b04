//! Before execution: policies that judge a call, a person who is asked, and guards.

use tool_runtime::prelude::*;
use tool_runtime::serde_json;

// ANCHOR: tool
/// Send a message to somebody.
#[derive(Tool)]
#[tool(output = String, render = display, destructive, open_world)]
struct SendMessage {
    /// Who gets it.
    to: String,
    /// What it says.
    text: String,
}

impl Execute for SendMessage {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("sent {} characters to {}", self.text.len(), self.to))
    }
}
// ANCHOR_END: tool

// ANCHOR: policy
/// Lets what only reads run, and has a person asked about the rest.
struct AskBeforeChanges;

impl PrePolicy for AskBeforeChanges {
    fn name(&self) -> &'static str {
        "ask-before-changes"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        Ok(match call.behaviour().is_read_only() {
            Some(true) => PreDecision::allow(),
            _ => PreDecision::ask("it may change something that stays changed"),
        })
    }
}
// ANCHOR_END: policy

// ANCHOR: rewrite
/// Sends to the team what is meant for everybody.
struct NotEverybody;

impl PrePolicy for NotEverybody {
    fn name(&self) -> &'static str {
        "not-everybody"
    }

    async fn before(&self, call: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        match call.arguments_as::<SendMessage>() {
            Some(message) if message.to == "everybody" => {
                Ok(PreDecision::rewrite(serde_json::json!({"to": "team", "text": message.text})))
            }
            _ => Ok(PreDecision::allow()),
        }
    }
}
// ANCHOR_END: rewrite

// ANCHOR: approver
/// Asks on a terminal; here the answer is known.
struct Terminal {
    answer: &'static str,
}

impl Approver for Terminal {
    fn name(&self) -> &'static str {
        "terminal"
    }

    async fn approve(&self, request: &ApprovalRequest<'_>) -> Result<Approval, ToolError> {
        // A person would be shown `request.arguments()` and `request.reasons()`.
        assert!(request.arguments()["to"].is_string());
        Ok(match self.answer {
            "yes" => Approval::Granted,
            "no" => Approval::Rejected { reason: Some("write to the team first".to_owned()) },
            _ => Approval::Cancelled,
        })
    }
}
// ANCHOR_END: approver

// ANCHOR: guard
/// Keeps messages inside of the house.
struct Inside;

impl Guard for Inside {
    fn name(&self) -> &'static str {
        "inside"
    }

    fn denies(&self, call: &PolicyCall<'_>) -> Option<String> {
        let message = call.arguments_as::<SendMessage>()?;
        message.to.contains('@').then(|| format!("{} is not of this house; name a colleague", message.to))
    }
}
// ANCHOR_END: guard

// ANCHOR: dispatcher
fn dispatcher(answer: &'static str) -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<SendMessage>().expect("the tool is sound");
    Dispatcher::new(registry)
        .pre_policy(NotEverybody)
        .pre_policy(AskBeforeChanges)
        .approver(Terminal { answer })
        .guard(Inside)
}
// ANCHOR_END: dispatcher

async fn send(answer: &'static str, to: &str) -> String {
    let arguments = serde_json::json!({"to": to, "text": "hello"}).to_string();
    let result = dispatcher(answer).call(ToolCall::new("call-1", "send_message", arguments)).await;
    let decisions = result.trace().decisions().iter();
    let decisions: Vec<String> =
        decisions.map(|decision| format!("{} {}", decision.policy(), decision.verdict())).collect();
    format!("{}\ntrace: {}\n\n", result.content().to_text(), decisions.join(", "))
}

#[tokio::test]
async fn a_person_is_asked_about_what_is_going_to_run() {
    let shown =
        [send("yes", "everybody").await, send("no", "Ann").await, send("yes", "ann@example.com").await].concat();
    super::assert_shown("approval.txt", &shown);
}
