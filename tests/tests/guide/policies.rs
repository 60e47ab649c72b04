//! Policies: what each decision does to a result.

use tool_runtime::prelude::*;

use super::contract::{Note, ShowNote, dispatcher, show};

// ANCHOR: block
/// Withholds every result that holds a key.
struct NoKeys;

impl PostPolicy for NoKeys {
    fn name(&self) -> &'static str {
        "no-keys"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
        if success.value().as_str().contains("sk-") {
            return Ok(PostDecision::block("the result holds a key, and was withheld"));
        }
        Ok(PostDecision::accept())
    }
}
// ANCHOR_END: block

// ANCHOR: judge
/// Withholds notes that are private.
struct Private;

impl PostPolicy for Private {
    fn name(&self) -> &'static str {
        "private"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        let title = call.arguments().and_then(|arguments| arguments["title"].as_str());
        if call.tool_name() == "show_note" && title.is_some_and(|title| title.starts_with("Private")) {
            return Ok(PostDecision::block(format!("{} asked for a private note; choose another", call.call_id())));
        }
        Ok(PostDecision::accept())
    }
}
// ANCHOR_END: judge

#[tokio::test]
async fn a_policy_judges_by_the_call() {
    let dispatcher = dispatcher().policy(Private);
    assert!(show(&dispatcher).await.is_success());
    let private = dispatcher.call(ToolCall::new("call-2", "show_note", r#"{"title": "Private: keys"}"#)).await;
    super::assert_shown("policy_judge.txt", &super::sides(&private));
}

// ANCHOR: on_failure
/// Helps a model that misspells, and hides every other failure.
struct Advise;

impl PostPolicy for Advise {
    fn name(&self) -> &'static str {
        "advise"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::accept())
    }

    async fn on_failure(&self, _: &PolicyCall<'_>, failure: &Failure) -> Result<FailureDecision, ToolError> {
        if failure.code() == &Code::INVALID_ARGS {
            return Ok(FailureDecision::accept().with_context("The names of arguments are in the tool's schema."));
        }
        Ok(FailureDecision::replace_content("the tool is out of order; go on without it"))
    }
}
// ANCHOR_END: on_failure

#[tokio::test]
async fn a_policy_judges_failures_too() {
    let dispatcher = dispatcher().policy(Advise);
    let result = dispatcher.call(ToolCall::new("call-1", "show_note", r#"{"titel": "Tea"}"#)).await;
    super::assert_shown("policy_on_failure.txt", &super::sides(&result));
}

// ANCHOR: content
/// The model reads less.
struct Briefly;

impl PostPolicy for Briefly {
    fn name(&self) -> &'static str {
        "briefly"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::replace_content("a note"))
    }
}
// ANCHOR_END: content

// ANCHOR: typed
/// Takes the keys out of notes.
struct HideKeys;

impl TypedPolicy<ShowNote> for HideKeys {
    fn name(&self) -> &'static str {
        "hide-keys"
    }

    async fn on_success(&self, _: &ShowNote, note: &Note, _: &Success) -> Result<PostDecision<Note>, ToolError> {
        let lines = note.lines.iter().filter(|line| !line.contains("sk-")).cloned().collect();
        Ok(PostDecision::replace_value(Note { title: note.title.clone(), lines }))
    }
}
// ANCHOR_END: typed

// ANCHOR: order
fn guarded() -> Dispatcher {
    dispatcher().policy(Briefly).policy_for::<ShowNote>(HideKeys).policy(NoKeys)
}
// ANCHOR_END: order

#[tokio::test]
async fn blocking_withholds_everything() {
    super::assert_shown("policy_block.txt", &super::sides(&show(&dispatcher().policy(NoKeys)).await));
}

#[tokio::test]
async fn replaced_content_hides_nothing_from_programs() {
    super::assert_shown("policy_content.txt", &super::sides(&show(&dispatcher().policy(Briefly)).await));
}

#[tokio::test]
async fn a_replaced_value_is_projected_anew() {
    let dispatcher = dispatcher().policy_for::<ShowNote>(HideKeys);
    super::assert_shown("policy_value.txt", &super::sides(&show(&dispatcher).await));
}

#[tokio::test]
async fn policies_fold_in_order() {
    super::assert_shown("policy_order.txt", &super::sides(&show(&guarded()).await));
}

// ANCHOR: failed
/// Asks a service that is down.
struct AskService;

impl PostPolicy for AskService {
    fn name(&self) -> &'static str {
        "ask-service"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Err(std::io::Error::other("connection refused"))?
    }
}
// ANCHOR_END: failed

#[tokio::test]
async fn a_policy_that_fails_withholds_the_result() {
    super::assert_shown("policy_failed.txt", &super::sides(&show(&dispatcher().policy(AskService)).await));
}
