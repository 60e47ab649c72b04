//! Project: what the model reads and what a user interface draws, from an accepted value.

use super::execute::invalid_output;
use crate::content::Content;
use crate::definition::{Arguments, Definition};
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::panics::contain;
use crate::tool::CanonicalValue;

/// An accepted value with its projections.
pub(super) struct Projected {
    pub(super) value: CanonicalValue,
    pub(super) content: Content,
    pub(super) meta: Option<JsonValue>,
}

/// A projection that panics makes the value an invalid output; nothing of it is shown.
pub(super) fn project(
    definition: &Definition,
    arguments: &Arguments,
    value: CanonicalValue,
) -> Result<Projected, ToolError> {
    let refuse = |why: String| invalid_output(definition, &vec![why]);
    let content = contain(|| definition.tool.render(arguments, &value))
        .map_err(|panic| refuse(format!("render failed: {panic}")))?;
    let meta = contain(|| definition.tool.meta(arguments, &value))
        .map_err(|panic| refuse(format!("the presentation meta failed: {panic}")))?
        .transpose()
        .map_err(|lossy| refuse(format!("the presentation meta is not lossless JSON: {lossy}")))?;
    Ok(Projected { value, content, meta })
}
