//! Admit: find the tool, or fail before anything runs.

use std::sync::Arc;

use super::Dispatch;
use crate::definition::Definition;
use crate::error::{Code, Effects, Retry, ToolError};
use crate::registry::Registry;

pub(super) fn admit(registry: &Registry, dispatch: &mut Dispatch) -> Result<Arc<Definition>, ToolError> {
    if dispatch.options.cancellation.is_cancelled() {
        return Err(ToolError::new(Code::ABORTED_BEFORE_DISPATCH, "tool call aborted before dispatch")
            .effects(Effects::None)
            .retry(Retry::Safe));
    }
    let name = &dispatch.call.tool_name;
    let Some(definition) = registry.definition(name) else {
        let nearest = crate::schema::nearest(name, registry.names());
        let hint = nearest.map(|nearest| format!("; did you mean {nearest:?}?")).unwrap_or_default();
        let message = format!("unknown tool {name:?}{hint}");
        return Err(ToolError::new(Code::UNKNOWN_TOOL, message).effects(Effects::None).retry(Retry::Corrected));
    };
    dispatch.definition = Some(Arc::clone(definition));
    Ok(Arc::clone(definition))
}
