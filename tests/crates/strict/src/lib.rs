//! Tools of a crate that allows no warning: nothing that the macros write gives one, whatever is compiled in.
//!
//! It is public, so that missing docs would count, and CI builds it with the feature `extra` and without.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    let_underscore_drop,
    missing_copy_implementations,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::all,
    clippy::pedantic
)]

use tool_runtime::Parameter;
use tool_runtime::prelude::*;

/// Find things near a place.
#[derive(Tool, Debug)]
#[tool(output = Found, failure = (Lost, Down), render = json, present, read_only, parallel, timeout = "1s", title = "Find")]
pub struct Find {
    near: Place,
    /// How many at most.
    #[serde(default = "ten")]
    limit: u32,
    /// What else counts.
    #[cfg(feature = "extra")]
    #[serde(default)]
    also: Vec<Place>,
}

/// Why nothing was found.
#[derive(Debug, ToolFailure)]
#[failure(retry = corrected, effects = none)]
pub enum Lost {
    /// There is no such place.
    #[failure(code = "NO_SUCH_PLACE", "there is no {name:?}; look it up first", details)]
    NoSuchPlace {
        /// Its name.
        name: String,
    },
    /// The index can't be read.
    #[failure(code = "INDEX_BROKEN", "the index can't be read", fatal)]
    Index(#[failure(from)] std::io::Error),
    /// What only some builds have.
    #[cfg(feature = "extra")]
    #[failure(code = "TOO_FAR", "{0} km is too far")]
    TooFar(u32),
}

/// Nobody answers.
#[derive(Debug, ToolFailure)]
#[failure(code = "NOBODY_ANSWERS", "nobody answers; try later", retry = after("1m"))]
pub struct Down<E: std::error::Error + Send + Sync + 'static = std::fmt::Error> {
    /// Why.
    pub source: E,
}

fn ten() -> u32 {
    10
}

/// Where to look.
#[tool_input]
#[derive(Debug, Clone)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Place {
    /// A named one.
    Named {
        /// Its name.
        name: Name,
    },
    /// Everywhere.
    Everywhere,
    /// A point.
    #[cfg(feature = "extra")]
    Point {
        /// To the east.
        x: f64,
        /// To the north.
        y: f64,
    },
}

/// A name.
#[tool_input]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(pub String);

/// What was found.
#[tool_output]
#[derive(Debug)]
pub struct Found {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// What was left out.
    #[cfg(feature = "extra")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Hit>,
}

/// One of them.
#[tool_output]
#[derive(Debug)]
pub enum Hit {
    /// A place by its name.
    Named(String),
    /// Anything.
    Any,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<Found, ToolError> {
        let hit = match &self.near {
            Place::Named { name } => Hit::Named(name.0.clone()),
            Place::Everywhere => Hit::Any,
            #[cfg(feature = "extra")]
            Place::Point { x, y } => Hit::Named(format!("{x}, {y}")),
        };
        let hits = if self.limit == 0 { Vec::new() } else { vec![hit] };
        Ok(Found {
            hits,
            #[cfg(feature = "extra")]
            rest: self.also.first().map(|_| Hit::Any),
        })
    }
}

impl Present for Find {
    type Meta = usize;

    fn meta(&self, found: &Found) -> usize {
        found.hits.len()
    }
}

/// Count what is there.
#[derive(Tool, Debug)]
#[tool(output = usize, render = display)]
pub struct Count<T> {
    items: Vec<T>,
    #[serde(default)]
    and: Option<Name>,
}

impl<T: Parameter> Execute<u8> for Count<T> {
    async fn execute(&self, cx: &Context<u8>) -> Result<usize, ToolError> {
        Ok(self.items.len() + usize::from(self.and.is_some()) + usize::from(*cx.state()))
    }
}

/// Only with the feature.
#[cfg(feature = "extra")]
#[derive(Tool, Debug, Clone, Copy)]
#[tool(output = String, render = display)]
pub struct Extra {}

#[cfg(feature = "extra")]
impl Execute for Extra {
    async fn execute(&self, _: &Context<()>) -> Result<String, ToolError> {
        Ok("more".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_goes_all_the_way() {
        let registry = toolset! { () => [Find], 1_u8 => [Count<String>] }.unwrap();
        let dispatcher = Dispatcher::new(registry);
        let call = |name, text| dispatcher.call(ToolCall::new("call", name, text));
        let result = call("find", r#"{"near": {"kind": "named", "name": "Ulm"}}"#).await.into_result().unwrap();
        assert_eq!(result.value().as_str(), r#"{"hits":[{"Named":"Ulm"}]}"#);
        let result = call("count", r#"{"items": ["a", "b"], "and": "c"}"#).await.into_result().unwrap();
        assert_eq!(result.content().to_text(), "4");
    }

    #[tokio::test]
    async fn a_field_is_known_as_far_as_it_is_compiled_in() {
        let mut registry = Registry::new();
        let _ = registry.tool::<Find>().unwrap();
        let dispatcher = Dispatcher::new(registry);
        let text = r#"{"near": {"kind": "everywhere"}, "also": [{"kind": "everywhere"}]}"#;
        let result = dispatcher.call(ToolCall::new("call", "find", text)).await;
        if cfg!(feature = "extra") {
            assert_eq!(result.into_result().unwrap().value().as_str(), r#"{"hits":["Any"],"rest":"Any"}"#);
        } else {
            assert!(result.content().to_text().contains("\"/also\" is not a declared property"));
        }
    }
}
