//! Errors: codes of one's own, `?`, and what the model reads.

use std::time::Duration;

use tool_runtime::TextProfile;
use tool_runtime::prelude::*;
use tool_runtime::serde_json::json;

// ANCHOR: own
const QUOTA_EXCEEDED: Code = Code::new("QUOTA_EXCEEDED");

/// Send a message.
#[derive(Tool)]
#[tool(output = u64, render = display)]
struct Send {
    /// To whom: a number.
    to: String,
    text: String,
}

impl Execute for Send {
    async fn execute(&self, _: &Context) -> Result<u64, ToolError> {
        let to: u64 = self.to.parse()?; // any error, with the code EXECUTION_ERROR
        if self.text.len() > 20 {
            return Err(ToolError::new(QUOTA_EXCEEDED, "the quota is used up; try again in a minute")
                .retry(Retry::After(Duration::from_mins(1)))
                .effects(Effects::None)
                .details(json!({ "quota": 20 })));
        }
        Ok(to)
    }
}
// ANCHOR_END: own

async fn send(dispatcher: &Dispatcher, arguments: &str) -> String {
    dispatcher.call(ToolCall::new("call", "send", arguments)).await.content().to_text()
}

// ANCHOR: profile
fn plain(registry: Registry) -> Dispatcher {
    Dispatcher::new(registry).text_profile(TextProfile::Plain)
}
// ANCHOR_END: profile

#[tokio::test]
async fn what_the_model_reads() {
    let registry = toolset! { () => [Send] }.unwrap();
    let (coded, plain) = (Dispatcher::new(registry.clone()), plain(registry));
    let parse = r#"{"to": "me", "text": "hi"}"#;
    let quota = r#"{"to": "1", "text": "much more than the quota"}"#;
    let shown = [send(&coded, parse).await, send(&coded, quota).await, send(&plain, quota).await];
    super::assert_shown("errors.txt", &shown.join("\n"));
}

// ANCHOR: host
fn next_step(failure: &Failure) -> &'static str {
    match failure.error().retry_advice() {
        Retry::Safe | Retry::After(_) => "call again later",
        Retry::Corrected => "let the model correct the call",
        _ if failure.error().known_effects() == Effects::Possible => "look at what it did first",
        _ => "tell the model",
    }
}
// ANCHOR_END: host

#[tokio::test]
async fn a_host_acts_on_advice() {
    let dispatcher = Dispatcher::new(toolset! { () => [Send] }.unwrap());
    let result = dispatcher.call(ToolCall::new("call", "send", "{}")).await;
    assert_eq!(next_step(result.failure().unwrap()), "let the model correct the call");
}
