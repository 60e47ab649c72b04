//! Tools of a crate that has given tool-runtime another name: `tools = { package = "tool-runtime" }`.

use tools::prelude::*;

/// Find a place near another.
#[derive(Tool)]
#[tool(output = Found, failure = Lost, render = json, read_only, present, crate = tools)]
pub struct Find {
    near: Place,
    limit: Option<u32>,
}

/// A place.
#[tool_input(crate = tools)]
pub struct Place {
    names: Vec<Name>,
}

/// A name of it.
#[tool_input(crate = tools)]
pub struct Name(String);

/// What was found.
#[tool_output(crate = tools)]
pub struct Found {
    hits: Vec<Hit>,
}

/// One place.
#[tool_output(crate = tools)]
pub struct Hit {
    name: String,
}

/// Why nothing was found.
#[derive(ToolFailure)]
#[failure(crate = tools)]
pub enum Lost {
    /// There is no such name.
    #[failure(code = "NO_SUCH_PLACE", "there is no {name:?}; look it up first", retry = corrected, details)]
    NoSuchPlace {
        /// It.
        name: String,
    },
}

impl Execute for Find {
    async fn execute(&self, _: &Context) -> Result<Found, ToolError> {
        if let Some(Name(name)) = self.near.names.iter().find(|name| name.0 == "Atlantis") {
            return Err(Lost::NoSuchPlace { name: name.clone() }.into());
        }
        let limit = self.limit.map_or(usize::MAX, |limit| limit as usize);
        let hits = self.near.names.iter().take(limit).map(|Name(name)| Hit { name: format!("near {name}") });
        Ok(Found { hits: hits.collect() })
    }
}

impl Present for Find {
    type Meta = usize;

    fn meta(&self, found: &Found) -> usize {
        found.hits.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_goes_all_the_way() {
        let registry = tools::toolset! { () => [Find] }.unwrap();
        let dispatcher = Dispatcher::new(registry);
        let call = |text| dispatcher.call(ToolCall::new("call", "find", text));
        let result = call(r#"{"near": {"names": ["Ulm", "Bonn"]}, "limit": 1}"#).await.into_result().unwrap();
        assert_eq!(result.value().as_str(), r#"{"hits":[{"name":"near Ulm"}]}"#);
        let lost = call(r#"{"near": {"names": ["Atlantis"]}}"#).await;
        assert_eq!(lost.content().to_text(), r#"Error [NO_SUCH_PLACE]: there is no "Atlantis"; look it up first"#);
        let refused = call(r#"{"near": {"names": [1]}}"#).await;
        let told = refused.content().to_text();
        assert!(told.contains("/near/names/0"), "{told}");
    }
}
