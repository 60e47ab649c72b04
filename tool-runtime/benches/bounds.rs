//! What it takes to bound 50 MB of text, against making the text: cut in place, spilled into a store that keeps nothing,
//! kept as a stream, and looked at as a whole.
//!
//! `bounds <way> <times>` does one of them so often, for `instructions.sh`.

use std::future::{Future, ready};
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, Instant};

use tool_runtime::prelude::*;
use tool_runtime::retain::{Keep, TextRetainer, preview};
use tool_runtime::{SpillError, SpillSource, SpillStore, SpillWriter, Spilled};

const BYTES: usize = 50 << 20;

fn made() -> String {
    "x".repeat(BYTES)
}

/// Say a lot.
#[derive(Tool)]
#[tool(output = usize)]
struct Say {}

impl Execute for Say {
    async fn execute(&self, _: &Context) -> Result<usize, ToolError> {
        Ok(BYTES)
    }
}

impl Render for Say {
    fn render(&self, _: &usize) -> Content {
        Content::text(made())
    }
}

struct Nowhere;

struct Gone(u64);

impl SpillStore for Nowhere {
    type Writer = Gone;

    fn name(&self) -> &'static str {
        "nowhere"
    }

    fn open(&self, _: &SpillSource<'_>) -> impl Future<Output = Result<Gone, SpillError>> + Send {
        ready(Ok(Gone(0)))
    }
}

impl SpillWriter for Gone {
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = Result<(), SpillError>> + Send {
        self.0 += black_box(bytes).len() as u64;
        ready(Ok(()))
    }

    fn finish(self) -> impl Future<Output = Result<Spilled, SpillError>> + Send {
        ready(Ok(Spilled::new("nowhere", "", self.0)))
    }
}

const WAYS: [&str; 6] = ["made", "cut", "spilled", "stream", "preview", "small"];

struct Bench {
    text: String,
    cutting: Dispatcher,
    spilling: Dispatcher,
}

impl Bench {
    fn new(way: Option<&str>) -> Self {
        let mut registry = Registry::new();
        registry.tool::<Say>().unwrap();
        let cutting = Dispatcher::new(registry);
        let spilling = cutting.clone().spill(Nowhere, "session");
        let needs_text = way.is_none_or(|way| matches!(way, "stream" | "preview"));
        Self { text: if needs_text { made() } else { String::new() }, cutting, spilling }
    }

    fn run(&self, way: &str) -> usize {
        let call = |dispatcher: &Dispatcher| {
            let result = done(dispatcher.call(ToolCall::without_arguments("call-1", "say")));
            result.content().blocks().len() + result.content().notice().map_or(0, str::len)
        };
        black_box(match way {
            "made" => black_box(made()).len(),
            "cut" => call(&self.cutting),
            "spilled" => call(&self.spilling),
            "stream" => {
                let mut retainer = TextRetainer::new(Keep::both_ends(64 * 1024));
                for chunk in self.text.as_bytes().chunks(64 * 1024) {
                    retainer.push(chunk);
                }
                retainer.finish().head().len()
            }
            "preview" => preview(&self.text, Keep::both_ends(64 * 1024)).omitted(),
            _ => done(self.spilling.call(ToolCall::without_arguments("call-1", "none"))).content().blocks().len(),
        })
    }
}

fn done<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [way, times] = arguments.as_slice() {
        let bench = Bench::new(Some(way));
        for _ in 0..times.parse().expect("a number of times") {
            bench.run(way);
        }
        return;
    }
    let bench = Bench::new(None);
    println!(
        "the future of a call has {} bytes",
        size_of_val(&bench.cutting.call(ToolCall::without_arguments("", "")))
    );
    for way in WAYS {
        let best = (0..10).map(|_| {
            let start = Instant::now();
            bench.run(way);
            start.elapsed()
        });
        println!("{way:8} {:9.1} µs", best.min().unwrap_or(Duration::ZERO).as_secs_f64() * 1e6);
    }
}
