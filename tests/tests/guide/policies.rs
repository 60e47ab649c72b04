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
