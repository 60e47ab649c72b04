//! Admit: find the tool, or fail before anything runs.

use std::sync::Arc;

use super::CallOptions;
use crate::definition::Definition;
use crate::error::{Code, Effects, Retry, ToolError};
use crate::registry::Registry;

pub(super) fn admit(registry: &Registry, name: &str, options: &CallOptions) -> Result<Arc<Definition>, ToolError> {
    if options.cancellation.is_cancelled() {
        return Err(aborted_before_dispatch());
    }
    registry.definition(name).cloned().ok_or_else(|| unknown(name, crate::schema::nearest(name, registry.names())))
}

/// The failure of a call that was cancelled before its body was entered.
pub(super) fn aborted_before_dispatch() -> ToolError {
    ToolError::new(Code::ABORTED_BEFORE_DISPATCH, "tool call aborted before dispatch")
        .effects(Effects::None)
        .retry(Retry::Safe)
}

/// The failure of a call whose tool is not registered, with the name that it was most likely meant for.
pub(super) fn unknown(name: &str, nearest: Option<&str>) -> ToolError {
    let hint = nearest.map(|nearest| format!("; did you mean {nearest:?}?")).unwrap_or_default();
    ToolError::new(Code::UNKNOWN_TOOL, format!("unknown tool {name:?}{hint}"))
        .effects(Effects::None)
        .retry(Retry::Corrected)
}
