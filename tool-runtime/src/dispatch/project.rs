//! Project: what the model reads and what a user interface draws, from an accepted value.

use super::execute::invalid_output;
use super::hide::without_written;
use crate::content::Content;
use crate::definition::Definition;
use crate::error::ToolError;
use crate::panics::contain;
use crate::result::Presented;
use crate::tool::{Call, CanonicalValue};

/// The projections of an accepted value.
pub(super) struct Projected {
    pub(super) content: Content,
    pub(super) meta: Option<Box<Presented>>,
}

/// A projection that panics makes the value an invalid output; nothing of it is shown.
pub(super) fn project(definition: &Definition, call: &Call, value: &CanonicalValue) -> Result<Projected, ToolError> {
    let refuse = |why: String| invalid_output(definition, &vec![why]);
    let content =
        contain(|| definition.tool.render(call, value)).map_err(|panic| refuse(format!("render failed: {panic}")))?;
    let content = match definition.output.secrets() {
        Some(_) => without_written(content, value.text(), value.shown()),
        None => content,
    };
    // What a body calls is shown to nobody.
    if !definition.tool.presents() || call.parent().is_some() {
        return Ok(Projected { content, meta: None });
    }
    let meta = contain(|| definition.tool.meta(call, value))
        .map_err(|panic| refuse(format!("the presentation meta failed: {panic}")))?
        .transpose()
        .map_err(|lossy| refuse(format!("the presentation meta is not lossless JSON: {lossy}")))?;
    Ok(Projected {
        content,
        meta: meta.map(|meta| Box::new(Presented { meta, version: definition.tool.meta_version() })),
    })
}
