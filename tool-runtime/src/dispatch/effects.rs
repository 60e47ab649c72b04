//! What a call may have changed once its body was entered: for hosts as [`Effects`], and for the model in words.

use crate::definition::Definition;
use crate::error::{Code, Effects, ToolError};

/// What the model reads then, and what it should do next. A sentence that is cut keeps it.
pub(super) const MAY_HAVE_CHANGED: &str =
    "; the tool has run and may have changed something: check before you call it again";

/// What a body may have changed that was entered, and not brought to an end of its own.
pub(super) fn possible(definition: &Definition) -> Effects {
    if definition.spec.behaviour.is_read_only() == Some(true) { Effects::None } else { Effects::Possible }
}

/// A failure of ours, not of the author's, after the body was entered.
pub(super) fn after_start(code: Code, message: String, effects: Effects) -> ToolError {
    ToolError::new(code, told_of(message, effects)).effects(effects)
}

/// The sentence of such a failure, with what the model is to know of effects.
pub(super) fn told_of(mut message: String, effects: Effects) -> String {
    if effects != Effects::None {
        message.push_str(MAY_HAVE_CHANGED);
    }
    message
}
