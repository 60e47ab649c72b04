//! The author's own derives on a tool, beside those of the mirror.

use tool_runtime::prelude::*;
use tool_runtime::{schemars, serde};

/// Find things.
#[derive(Tool, Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[tool(output = String, render = display)]
#[serde(crate = "tool_runtime::serde", rename_all = "camelCase")]
#[schemars(crate = "tool_runtime::schemars")]
struct Find {
    max_hits: u32,
}

/// Find things by the type's own impls, which may be recursive.
#[derive(Tool, serde::Deserialize, schemars::JsonSchema)]
#[tool(output = String, render = display, manual)]
#[serde(crate = "tool_runtime::serde")]
#[schemars(crate = "tool_runtime::schemars")]
struct FindAny {
    query: String,
    or: Option<Box<FindAny>>,
}

impl Execute for FindAny {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(self.or.as_ref().map_or(&self.query, |other| &other.query).clone())
    }
}

#[test]
fn it_works() {}
