//! Why arguments are refused.

use crate::error::{Code, Effects, Retry, ToolError};

/// All that is wrong with arguments, in one error.
pub(super) fn invalid_arguments(violations: impl IntoIterator<Item = String>) -> ToolError {
    let violations: Vec<String> = violations.into_iter().collect();
    ToolError::new(Code::INVALID_ARGS, format!("invalid arguments: {}", violations.join("; ")))
        .effects(Effects::None)
        .retry(Retry::Corrected)
        .details(serde_json::json!({ "violations": violations }))
}

/// The failure of a call whose arguments could not be read, since code of the tool or of its dialect panicked.
pub(super) fn panicked(name: &str, panic: &str) -> ToolError {
    ToolError::new(Code::PANICKED, format!("tool {name:?} panicked while it read its arguments: {panic}"))
        .effects(Effects::None)
        .retry(Retry::Never)
}
