use tool_runtime::prelude::*;

/// Looks something up.
#[derive(Tool)]
#[tool(output = String, render = json)]
struct Find {
    #[serde(deserialize_with = "loud")]
    query: String,
}

fn loud<'de, D: tool_runtime::serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(<String as tool_runtime::serde::Deserialize>::deserialize(from)?.to_uppercase())
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
