//! Layers around bodies: tower's own, as they are, and those of a host.

mod own;
mod towers;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{self, Poll};
use std::time::Duration;

use tests::code;
use tokio::sync::Notify;
use tokio::time::sleep;
use tool_runtime::layer::{BoxError, ToolRequest, ToolResponse, ToolService};
use tool_runtime::prelude::*;
use tower::{Layer, Service};

/// What the bodies of this file share with the tests.
#[derive(Default)]
struct Stage {
    entered: AtomicUsize,
    running: AtomicUsize,
    most_running: AtomicUsize,
    started: Notify,
}

/// Add one, after a while.
#[derive(Tool)]
#[tool(output = Sum, render = json)]
struct AddOne {
    number: i64,
    #[serde(default)]
    milliseconds: u64,
    /// How often it fails before it succeeds.
    #[serde(default)]
    failures: usize,
}

#[tool_output]
struct Sum {
    sum: i64,
}

impl Execute<Arc<Stage>> for AddOne {
    async fn execute(&self, cx: &Context<Arc<Stage>>) -> Result<Sum, ToolError> {
        struct Running<'a>(&'a Stage);
        impl Drop for Running<'_> {
            fn drop(&mut self) {
                self.0.running.fetch_sub(1, Ordering::SeqCst);
            }
        }
        let stage = cx.state();
        let nth = stage.entered.fetch_add(1, Ordering::SeqCst);
        stage.most_running.fetch_max(stage.running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let _running = Running(stage);
        stage.started.notify_one();
        cx.add_context(format!("run {}", nth + 1));
        if self.milliseconds > 0 {
            sleep(Duration::from_millis(self.milliseconds)).await;
        }
        if nth < self.failures { Err(ToolError::msg("not yet")) } else { Ok(Sum { sum: self.number + 1 }) }
    }
}

/// Reverse a text.
#[derive(Tool)]
#[tool(output = String, render = display, read_only, timeout = "100ms")]
struct Reverse {
    text: String,
    /// Whether it never ends the first time.
    #[serde(default)]
    hangs: bool,
}

impl Execute<Arc<Stage>> for Reverse {
    async fn execute(&self, cx: &Context<Arc<Stage>>) -> Result<String, ToolError> {
        if self.hangs && cx.state().entered.fetch_add(1, Ordering::SeqCst) == 0 {
            cx.cancelled().await;
        }
        Ok(self.text.chars().rev().collect())
    }
}

fn stage() -> (Arc<Stage>, Dispatcher) {
    let stage = Arc::new(Stage::default());
    let mut registry = Registry::new();
    registry.with(Arc::clone(&stage)).tool::<AddOne>().unwrap().tool::<Reverse>().unwrap();
    (stage, Dispatcher::new(registry))
}

fn add_one(arguments: &str) -> ToolCall<'_> {
    ToolCall::new("call-1", "add_one", arguments)
}

fn contexts(result: &ToolResult) -> Vec<String> {
    result.contexts().iter().map(Content::to_text).collect()
}

/// A layer of one function, as a host writes it.
#[derive(Clone)]
struct With<F>(F);

#[derive(Clone)]
struct WithService<F, S>(F, S);

impl<F: Clone, S> Layer<S> for With<F> {
    type Service = WithService<F, S>;

    fn layer(&self, inner: S) -> Self::Service {
        WithService(self.0.clone(), inner)
    }
}

type Responds = Pin<Box<dyn Future<Output = Result<ToolResponse, BoxError>> + Send>>;

impl<F, S> Service<ToolRequest> for WithService<F, S>
where
    S: Service<ToolRequest> + Clone,
    F: Fn(ToolRequest, S) -> Responds,
{
    type Response = ToolResponse;
    type Error = BoxError;
    type Future = Responds;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: ToolRequest) -> Responds {
        (self.0)(request, self.1.clone())
    }
}

fn with<F>(around: F) -> With<F>
where
    F: Fn(ToolRequest, ToolService) -> Responds + Clone,
{
    With(around)
}

fn give(response: ToolResponse) -> Responds {
    Box::pin(async { Ok(response) })
}

#[tokio::test]
async fn a_call_goes_through_its_layers_from_the_first_to_the_body_and_back() {
    let (_, dispatcher) = stage();
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let tell = |name: &'static str| {
        let seen = Arc::clone(&seen);
        tower::util::MapRequestLayer::new(move |request: ToolRequest| {
            seen.lock().unwrap().push(format!("{name} {} {}", request.tool_name(), request.arguments()));
            request
        })
    };
    let dispatcher = dispatcher.layer((tell("outer"), tell("inner"))).layer(tell("added later"));
    let result = dispatcher.call(add_one(r#"{ "number": 1 }"#)).await;
    assert_eq!(result.content().to_text(), r#"{"sum":2}"#);
    assert_eq!(
        *seen.lock().unwrap(),
        [r#"added later add_one {"number":1}"#, r#"outer add_one {"number":1}"#, r#"inner add_one {"number":1}"#]
    );
}

#[tokio::test]
async fn a_call_that_is_refused_before_reaches_no_layer() {
    let (stage, dispatcher) = stage();
    let reached = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&reached);
    let dispatcher = dispatcher.layer(tower::util::MapRequestLayer::new(move |request: ToolRequest| {
        count.fetch_add(1, Ordering::SeqCst);
        request
    }));
    assert_eq!(code(&dispatcher.call(add_one("{}")).await), "INVALID_ARGS");
    assert_eq!(code(&dispatcher.call(ToolCall::new("call-1", "nothing", "{}")).await), "UNKNOWN_TOOL");
    assert_eq!((reached.load(Ordering::SeqCst), stage.entered.load(Ordering::SeqCst)), (0, 0));
}
