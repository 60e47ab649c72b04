//! `r#` is Rust's business: it stands in no name that a model sees.

use tool_runtime::prelude::*;

/// Find things.
#[derive(Tool)]
#[tool(output = String, render = json)]
#[allow(non_camel_case_types, reason = "the name is the case")]
struct r#match {
    r#type: String,
    r#in: Option<String>,
}

impl Execute for r#match {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(self.r#in.clone().unwrap_or_else(|| self.r#type.clone()))
    }
}

#[test]
fn it_works() {
    assert_eq!(r#match::NAME, "match");
}
