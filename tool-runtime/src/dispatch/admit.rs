//! Admit: find the tool, or fail before anything runs.

use std::sync::Arc;

use super::{CallOptions, Dispatcher};
use crate::definition::Definition;
use crate::error::{Code, Effects, Retry, ToolError};
use crate::registry::{Registry, Scope, listed};
use crate::tool::Call;

/// So many names are listed where none is near.
const LISTED: usize = 8;

impl Dispatcher {
    /// The tool of this name, for a call that may be made.
    pub(super) fn admitted(
        &self,
        name: &str,
        options: &CallOptions,
        parent: Option<&Call>,
    ) -> Result<Arc<Definition>, ToolError> {
        self.allowed(options, parent)?;
        found(self.registered(), name)
    }

    /// Whether a call may be made at all, whatever it calls.
    pub(super) fn allowed(&self, options: &CallOptions, parent: Option<&Call>) -> Result<(), ToolError> {
        if options.cancellation.is_cancelled() {
            return Err(aborted_before_dispatch());
        }
        let most = self.0.limits.nested_calls;
        match parent {
            Some(parent) if parent.depth() >= most => Err(too_deep(most)),
            _ => Ok(()),
        }
    }
}

fn found(tools: &Scope, name: &str) -> Result<Arc<Definition>, ToolError> {
    tools.definition(name).ok_or_else(|| unknown(name, Some(hint(name, &tools.visible()))))
}

fn too_deep(most: usize) -> ToolError {
    let message = format!("tools may call one another {most} deep, and this call would be deeper");
    ToolError::new(Code::NESTED_TOO_DEEP, message).effects(Effects::None).retry(Retry::Never)
}

/// The failure of a call that was cancelled before its body was entered.
pub(super) fn aborted_before_dispatch() -> ToolError {
    ToolError::new(Code::ABORTED_BEFORE_DISPATCH, "tool call aborted before dispatch")
        .effects(Effects::None)
        .retry(Retry::Safe)
}

/// What to call instead: the tool that was most likely meant, or else what there is.
fn hint(name: &str, visible: &Registry) -> String {
    match crate::schema::nearest(name, visible.names()) {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None if visible.is_empty() => "there are no tools".to_owned(),
        None => format!("the tools are: {}", listed(visible.names(), LISTED)),
    }
}

/// The failure of a call whose tool is not visible, with what to call instead.
pub(super) fn unknown(name: &str, hint: Option<String>) -> ToolError {
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    ToolError::new(Code::UNKNOWN_TOOL, format!("unknown tool {name:?}{hint}"))
        .effects(Effects::None)
        .retry(Retry::Corrected)
}
