//! Every name of the runtime in scope, so that a path of a macro's that the author could shorten would be judged.

use tool_runtime::*;

#[tool_input]
struct Place {
    name: Name,
}

#[tool_input]
struct Name(String);

#[tool_output]
struct Found {
    hits: Vec<Hit>,
}

#[tool_output]
struct Hit {
    name: String,
}

#[derive(ToolFailure)]
enum Lost {
    #[failure(code = "LOST", "{name:?} is lost", retry = after("1s"), effects = none, details)]
    Name { name: String },
    #[failure(code = "BROKEN", "the index is broken", fatal)]
    Index(#[failure(from)] std::io::Error),
}

/// Find things.
#[derive(Tool)]
#[tool(output = Found, failure = Lost, render = json, present)]
struct Find {
    near: Place,
}

impl Execute for Find {
    async fn execute(&self, _: &Context) -> Result<Found, ToolError> {
        match self.near.name.0.as_str() {
            "lost" => Err(Lost::Name { name: self.near.name.0.clone() })?,
            "broken" => Err(Lost::from(std::io::Error::other("index")))?,
            name => Ok(Found { hits: vec![Hit { name: name.to_owned() }] }),
        }
    }
}

impl Present for Find {
    type Meta = usize;

    fn meta(&self, found: &Found) -> usize {
        found.hits.len()
    }
}

/// Find things by the type's own impls.
#[derive(Tool, serde::Deserialize, schemars::JsonSchema)]
#[tool(output = String, render = display, manual)]
#[serde(crate = "tool_runtime::serde")]
#[schemars(crate = "tool_runtime::schemars")]
struct Own {
    query: String,
}

impl Execute for Own {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(self.query.clone())
    }
}

#[tokio::test]
async fn it_works() {
    let dispatcher = Dispatcher::new(toolset! { () => [Find, Own] }.unwrap());
    let result = dispatcher.call(ToolCall::new("call", "find", r#"{"near": {"name": "Ulm"}}"#)).await;
    assert_eq!(result.into_result().unwrap().value().as_str(), r#"{"hits":[{"name":"Ulm"}]}"#);
    let result = dispatcher.call(ToolCall::new("call", "own", r#"{"query": "Ulm"}"#)).await;
    assert_eq!(result.into_result().unwrap().value().as_str(), r#""Ulm""#);
}
