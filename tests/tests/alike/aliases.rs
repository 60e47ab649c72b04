//! Aliases of types and of the crate, and a `Result` of the author's own in scope.

use tool_runtime as tools;
use tools::prelude::*;

type Result<T> = std::result::Result<T, ToolError>;
type Maybe = Option<u32>;
type Hits = Found;

#[tool_output]
struct Found {
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Maybe,
}

/// Find things.
#[derive(Tool)]
#[tool(output = Hits, render = json, crate = tools)]
struct Find {
    limit: Maybe,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<Hits> {
        Ok(Found { total: self.limit })
    }
}

#[test]
fn it_works() {}
