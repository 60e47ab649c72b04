//! Lowering 1,000 tools of 21 properties each to every dialect, and small calls through a dialect against the same calls in
//! the tool's own form.
//!
//! `cargo bench -p tool-runtime --bench dialects` prints times; `dialects lowering` leaves out the calls. `dialects WAY TIMES`
//! does one thing so many times, for `instructions.sh`.

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, Instant};

use tool_runtime::dialect::{Dialect, GeminiForm, Mode};
use tool_runtime::prelude::*;
use tool_runtime::serde_json::{self, json};

const TOOLS: usize = 1000;

/// Properties of every kind that is common: 15, three of which hold two more each.
fn schema() -> serde_json::Value {
    let mut properties = serde_json::Map::new();
    for index in 0..3 {
        let mut add = |kind: &str, schema| drop(properties.insert(format!("{kind}_{index}"), schema));
        add("text", json!({"type": "string", "description": "A text that says something.", "minLength": 1}));
        add("count", json!({"type": ["integer", "null"], "minimum": 0, "maximum": 4_294_967_295_u32}));
        add("mode", json!({"type": "string", "enum": ["fast", "exact", "both"]}));
        add("row", json!({"$ref": "#/$defs/Row"}));
        add("list", json!({"type": "array", "items": {"type": "string"}, "default": []}));
    }
    let required: Vec<String> = properties.keys().step_by(2).cloned().collect();
    let row = json!({
        "type": "object", "properties": {"id": {"type": "integer", "minimum": 0}, "name": {"type": ["string", "null"]}},
        "required": ["id"], "additionalProperties": false,
    });
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        "$defs": {"Row": row},
    })
}

/// Search for a pattern.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Search {
    /// The pattern.
    pattern: String,
    /// How many results.
    limit: Option<u32>,
    /// Where to look.
    #[serde(default)]
    folders: Vec<String>,
}

impl Execute for Search {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(format!("{} {:?} {}", self.pattern, self.limit, self.folders.len()))
    }
}

const STRICT: Dialect = Dialect::OpenAiChat(Mode::Strict);
const GEMINI: Dialect = Dialect::Gemini(GeminiForm::OpenApi);

const COMPLETE: &str = r#"{"pattern":"a","limit":3,"folders":["b"]}"#;
const NULL: &str = r#"{"pattern":"a","limit":3,"folders":null}"#;
const LEFT_OUT: &str = r#"{"pattern":"a","limit":3}"#;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [way, times] = arguments.as_slice() {
        return repeated(way, times.parse().expect("a number of times"));
    }
    lowering();
    if arguments.is_empty() {
        calls();
    }
}

/// One thing, so many times.
fn repeated(way: &str, times: usize) {
    if let Some(dialect) = Dialect::ALL.into_iter().find(|dialect| format!("{dialect:?}") == way) {
        let registry = registry(1);
        let spec = registry.spec("tool_0").expect("it is registered");
        return (0..times).for_each(|_| drop(black_box(dialect.lower(spec))));
    }
    let mut registry = Registry::new();
    registry.tool::<Search>().expect("it is a tool");
    let plain = Dispatcher::new(registry.clone());
    let (dispatcher, arguments) = match way {
        "own" => (plain, COMPLETE),
        "own-left-out" => (plain, LEFT_OUT),
        "strict" => (plain.dialect(STRICT.lower_all(&registry)), COMPLETE),
        "strict-null" => (plain.dialect(STRICT.lower_all(&registry)), NULL),
        "identity" => (plain.dialect(GEMINI.lower_all(&registry)), COMPLETE),
        _ => panic!("there is no way {way}"),
    };
    for _ in 0..times {
        let result = black_box(ready(dispatcher.call(ToolCall::new("call-1", "search", arguments))));
        assert!(result.success().is_some());
    }
}

fn registry(tools: usize) -> Registry {
    let mut registry = Registry::new();
    for index in 0..tools {
        let tool = DynamicTool::new(format!("tool_{index}"), "Do something.", |_, _| async { Ok(json!(1)) });
        registry.dynamic(tool.input_schema(schema()).output_schema(json!({}))).expect("it is a schema");
    }
    registry
}

fn lowering() {
    let registry = registry(TOOLS);
    for dialect in
        [STRICT, Dialect::OpenAiChat(Mode::Lenient), Dialect::Anthropic(Mode::Strict), GEMINI, Dialect::Ollama]
    {
        let mut refused = 0;
        let mut run = || {
            let start = Instant::now();
            refused = registry.specs().filter(|spec| black_box(dialect.lower(spec)).is_err()).count();
            start.elapsed()
        };
        let time = (0..3).map(|_| run()).min().unwrap_or_default();
        let tools = dialect.lower_all(&registry);
        let start = Instant::now();
        black_box(tools.lower_again(&registry));
        let again = start.elapsed();
        println!("{dialect:?}: {TOOLS} tools in {time:.1?}, {refused} refused; once more in {again:.1?}");
    }
}

fn calls() {
    let mut registry = Registry::new();
    registry.tool::<Search>().expect("it is a tool");
    let plain = Dispatcher::new(registry.clone());
    let strict = plain.clone().dialect(STRICT.lower_all(&registry));
    let gemini = plain.clone().dialect(GEMINI.lower_all(&registry));
    let floor = time(&plain, COMPLETE);
    println!("own form: {floor:.0?}");
    for (what, dispatcher, arguments) in [
        ("where nothing is decoded", &gemini, COMPLETE),
        ("strict, nothing left out", &strict, COMPLETE),
        ("strict, null for what is left out", &strict, NULL),
        ("own form, left out", &plain, LEFT_OUT),
    ] {
        let time = time(dispatcher, arguments);
        println!("{what}: {time:.0?}, {:.2} of the own form", time.as_secs_f64() / floor.as_secs_f64());
    }
}

fn time(dispatcher: &Dispatcher, arguments: &str) -> Duration {
    const CALLS: u32 = 20_000;
    let run = || {
        let start = Instant::now();
        for _ in 0..CALLS {
            let _ = black_box(ready(dispatcher.call(ToolCall::new("call-1", "search", arguments))));
        }
        start.elapsed() / CALLS
    };
    (0..7).map(|_| run()).min().unwrap_or_default()
}

/// The bodies here never wait.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a body waits"),
    }
}
