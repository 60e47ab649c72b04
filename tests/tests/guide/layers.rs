//! Layers around bodies.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{self, Poll};
use std::time::Duration;

use tool_runtime::CanonicalValue;
use tool_runtime::layer::{BoxError, ToolRequest, ToolResponse};
use tool_runtime::prelude::*;
use tower::{Layer, Service};

/// Look up a word.
#[derive(Tool)]
#[tool(output = String, render = display, read_only)]
struct LookUp {
    /// The word.
    word: String,
}

impl Execute for LookUp {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        if self.word == "slow" {
            tokio::time::sleep(Duration::from_mins(1)).await;
        }
        Ok(format!("{} is a word", self.word))
    }
}

// ANCHOR: towers
use tower::limit::ConcurrencyLimitLayer;
use tower::load_shed::LoadShedLayer;
use tower::timeout::TimeoutLayer;

fn with_towers(dispatcher: Dispatcher) -> Dispatcher {
    // The first is the outermost: sixteen at a time, others are refused, and nobody takes longer than five seconds.
    dispatcher.layer((LoadShedLayer::new(), ConcurrencyLimitLayer::new(16), TimeoutLayer::new(Duration::from_secs(5))))
}
// ANCHOR_END: towers

// ANCHOR: own
/// Answers from memory what a read-only tool has said before.
#[derive(Clone, Default)]
struct Remember {
    values: Arc<Mutex<HashMap<String, CanonicalValue>>>,
}

#[derive(Clone)]
struct Remembering<S> {
    memory: Remember,
    inner: S,
}

impl<S> Layer<S> for Remember {
    type Service = Remembering<S>;

    fn layer(&self, inner: S) -> Remembering<S> {
        Remembering { memory: self.clone(), inner }
    }
}

impl<S> Service<ToolRequest> for Remembering<S>
where
    S: Service<ToolRequest, Response = ToolResponse, Error = BoxError>,
    S::Future: Send + 'static,
{
    type Response = ToolResponse;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<ToolResponse, BoxError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut task::Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: ToolRequest) -> Self::Future {
        if request.behaviour().is_read_only() != Some(true) {
            return Box::pin(self.inner.call(request));
        }
        let key = format!("{} {}", request.tool_name(), request.arguments());
        let values = Arc::clone(&self.memory.values);
        if let Some(value) = values.lock().unwrap().get(&key) {
            let response = ToolResponse::from(value.clone()).with_context("from memory");
            return Box::pin(async { Ok(response) });
        }
        let response = self.inner.call(request);
        Box::pin(async move {
            let response = response.await?;
            if let Some(value) = response.canonical() {
                values.lock().unwrap().insert(key, value.clone());
            }
            Ok(response)
        })
    }
}
// ANCHOR_END: own

fn dispatcher() -> Dispatcher {
    Dispatcher::new(toolset! { () => [LookUp] }.unwrap())
}

fn look_up(word: &str) -> ToolCall<'static> {
    ToolCall::new("call-1", "look_up", format!(r#"{{"word": "{word}"}}"#))
}

#[tokio::test(start_paused = true)]
async fn towers_layers_go_around_a_body_as_they_are() {
    let result = with_towers(dispatcher()).call(look_up("slow")).await;
    super::assert_shown("layers_timeout.txt", &super::sides(&result));
}

#[tokio::test]
async fn a_layer_of_ones_own_answers_without_the_body() {
    let dispatcher = dispatcher().layer(Remember::default());
    let first = dispatcher.call(look_up("tree")).await;
    let second = dispatcher.call(look_up("tree")).await;
    super::assert_shown("layers_memory.txt", &format!("{}\n{}", super::sides(&first), super::sides(&second)));
}
