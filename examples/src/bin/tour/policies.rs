//! The policies of the tour.

use examples::tools::{FileView, Read};
use tool_runtime::prelude::*;
use tool_runtime::serde_json::json;

/// The model reads a summary; the value stays.
pub(crate) struct Summarise;

impl PostPolicy for Summarise {
    fn name(&self) -> &'static str {
        "summarise"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
        let bytes = success.content().to_text().len();
        Ok(PostDecision::replace_content(format!("(a result of {bytes} bytes; read less of it at once)")))
    }
}

/// Every letter and digit goes, in the value itself: a program sees no more than the model does.
pub(crate) struct Mask;

impl TypedPolicy<Read> for Mask {
    fn name(&self) -> &'static str {
        "mask"
    }

    async fn on_success(&self, _: &Read, view: &FileView, _: &Success) -> Result<PostDecision<FileView>, ToolError> {
        let mut view = view.clone();
        for line in &mut view.lines {
            line.text = line.text.replace(|char: char| char.is_alphanumeric(), "*");
        }
        Ok(PostDecision::replace_value(view))
    }
}

/// Nothing of it gets out.
pub(crate) struct BlockAll;

impl PostPolicy for BlockAll {
    fn name(&self) -> &'static str {
        "block-all"
    }

    async fn on_success(&self, call: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::block(format!("what `{}` returned was withheld; ask a person to read it", call.tool_name())))
    }
}

/// A policy with a fault of its own: it puts a value in place that is none of the tool's.
pub(crate) struct Forge;

impl PostPolicy for Forge {
    fn name(&self) -> &'static str {
        "forge"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::replace_value(json!({"path": 7, "offset": 0, "lines": [], "total": 1})))
    }
}
