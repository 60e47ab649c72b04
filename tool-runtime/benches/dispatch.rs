//! What stands around a body, against the same call without it.
//!
//! `cargo bench -p tool-runtime --bench dispatch` prints times. `benches/instructions.sh` counts instructions and
//! allocations: it runs `dispatch <way> <times>` under valgrind.

use std::hint::black_box;
use std::task::{Context as TaskContext, Poll};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::task::{JoinSet, yield_now};
use tool_runtime::layer::ToolRequest;
use tool_runtime::prelude::*;
use tower_layer::Layer;
use tower_service::Service;

/// Add two integers.
#[derive(Tool)]
#[tool(output = Sum, parallel)]
struct Add {
    /// One.
    a: i64,
    /// The other.
    b: i64,
    /// Whether others may go on in between.
    #[serde(default)]
    waits: bool,
}

#[tool_output]
struct Sum {
    sum: i64,
}

impl Execute for Add {
    async fn execute(&self, _: &Context) -> Result<Sum, ToolError> {
        if self.waits {
            yield_now().await;
        }
        Ok(Sum { sum: self.a + self.b })
    }
}

impl Render for Add {
    fn render(&self, sum: &Sum) -> Content {
        Content::text(format!("{} + {} = {}", self.a, self.b, sum.sum))
    }
}

/// A layer that does nothing.
#[derive(Clone)]
struct Through<S>(S);

struct ThroughLayer;

impl<S> Layer<S> for ThroughLayer {
    type Service = Through<S>;

    fn layer(&self, inner: S) -> Through<S> {
        Through(inner)
    }
}

impl<S: Service<ToolRequest>> Service<ToolRequest> for Through<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut TaskContext<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: ToolRequest) -> S::Future {
        self.0.call(request)
    }
}

struct AllowAll;

impl PrePolicy for AllowAll {
    fn name(&self) -> &'static str {
        "allow-all"
    }

    async fn before(&self, _: &PolicyCall<'_>) -> Result<PreDecision, ToolError> {
        Ok(PreDecision::Allow)
    }
}

struct AcceptAll;

impl PostPolicy for AcceptAll {
    fn name(&self) -> &'static str {
        "accept-all"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, _: &Success) -> Result<PostDecision, ToolError> {
        Ok(PostDecision::accept())
    }
}

/// The ways, and by how many calls to divide what one of them costs.
const WAYS: [(&str, u32); 6] =
    [("bare", 1), ("layers", 1), ("full", 1), ("tasks", 1000), ("concurrent", 1000), ("batch", 1000)];

struct Bench {
    runtime: Runtime,
    bare: Dispatcher,
    /// Three layers.
    layers: Dispatcher,
    /// A policy before, one after, and one layer.
    full: Dispatcher,
}

impl Bench {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let mut registry = Registry::new();
        registry.tool::<Add>().expect("the tool is registered");
        let bare = Dispatcher::new(registry);
        let layers = bare.clone().layer((ThroughLayer, ThroughLayer, ThroughLayer));
        let full = bare.clone().pre_policy(AllowAll).policy(AcceptAll).layer(ThroughLayer);
        Self { runtime, bare, layers, full }
    }

    fn run(&self, way: &str) {
        self.runtime.block_on(async {
            match way {
                "bare" => one(&self.bare).await,
                "layers" => one(&self.layers).await,
                "full" => one(&self.full).await,
                "tasks" => tasks().await,
                "concurrent" => concurrent(&self.bare).await,
                "batch" => batch(&self.bare).await,
                _ => panic!("no such way"),
            }
        });
    }

    /// Nanoseconds: the best of several rounds, which the rest of the machine disturbs least.
    fn time(&self, way: &str) -> f64 {
        let mut times = 1;
        let round = |times| {
            let start = Instant::now();
            (0..times).for_each(|_| self.run(way));
            start.elapsed()
        };
        while round(times) < Duration::from_millis(20) {
            times *= 2;
        }
        let best = (0..10).map(|_| round(times)).min().unwrap_or_default();
        best.as_secs_f64() * 1e9 / f64::from(times)
    }
}

async fn one(dispatcher: &Dispatcher) {
    let result = dispatcher.call(black_box(ToolCall::new("call-1", "add", r#"{"a": 2, "b": 40}"#))).await;
    assert!(black_box(result).is_success());
}

const WAITING: &str = r#"{"a": 2, "b": 40, "waits": true}"#;

/// What a thousand tasks cost that call nothing: the floor of the next.
async fn tasks() {
    let mut tasks = JoinSet::new();
    for _ in 0..1000 {
        tasks.spawn(async {
            yield_now().await;
            black_box(true)
        });
    }
    assert!(tasks.join_all().await.into_iter().all(|ended| ended));
}

/// A thousand calls at once, each in a task of its own.
async fn concurrent(dispatcher: &Dispatcher) {
    let mut tasks = JoinSet::new();
    for _ in 0..1000 {
        let dispatcher = dispatcher.clone();
        tasks.spawn(async move { dispatcher.call(ToolCall::new("call-1", "add", WAITING)).await.is_success() });
    }
    assert!(tasks.join_all().await.into_iter().all(|succeeded| succeeded));
}

/// A thousand calls of one turn, of which ten run at a time.
async fn batch(dispatcher: &Dispatcher) {
    let results = dispatcher.run((0..1000).map(|_| ToolCall::new("call-1", "add", WAITING)).collect()).await;
    assert!(results.iter().all(ToolResult::is_success));
}

fn main() {
    let bench = Bench::new();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [way, times] = arguments.as_slice() {
        let times: u32 = times.parse().expect("a number of times");
        return (0..times).for_each(|_| bench.run(way));
    }
    println!("way          call ns");
    for (way, calls) in WAYS {
        println!("{way:10} {:9.0}", bench.time(way) / f64::from(calls));
    }
}
