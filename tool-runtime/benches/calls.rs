//! Whole calls, against the floor: the same work with no framework and no checks.
//!
//! A call starts at the tool's name and the arguments as JSON text, and ends with the result in the host's hands. The floor
//! is `serde_json::from_str`, body, render, `serde_json::to_string`.
//!
//! With the wire form, the result is written as JSON as well, in the form in which the Model Context Protocol sends it; the
//! floor is the same.
//!
//! `cargo bench -p tool-runtime` prints times. `benches/instructions.sh` counts instructions and allocations: it runs
//! `calls <case> call|wire|floor <times>` under valgrind.

use std::fmt::Write as _;
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, Instant};

use tool_runtime::prelude::*;
use tool_runtime::{serde, serde_json};

/// Add two integers.
#[derive(Tool, serde::Deserialize)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = Sum)]
struct Add {
    /// One.
    a: i64,
    /// The other.
    b: i64,
}

#[tool_output]
struct Sum {
    sum: i64,
}

impl Execute for Add {
    async fn execute(&self, _: &Context) -> Result<Sum, ToolError> {
        Ok(add(self))
    }
}

impl Render for Add {
    fn render(&self, sum: &Sum) -> Content {
        Content::text(add_text(self, sum))
    }
}

fn add(arguments: &Add) -> Sum {
    Sum { sum: arguments.a + arguments.b }
}

fn add_text(arguments: &Add, sum: &Sum) -> String {
    format!("{} + {} = {}", arguments.a, arguments.b, sum.sum)
}

/// Read a window of a file.
#[derive(Tool, serde::Deserialize)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = FileView, read_only)]
struct Read {
    /// The file.
    path: String,
    /// The first line, counted from 1.
    offset: Option<u32>,
    /// The number of lines.
    limit: Option<u32>,
}

#[tool_output]
#[serde(rename_all = "camelCase")]
struct FileView {
    path: String,
    offset: u32,
    lines: Vec<Line>,
    total_lines: u32,
}

#[tool_output]
struct Line {
    number: u32,
    text: String,
}

impl Execute<Source> for Read {
    async fn execute(&self, cx: &Context<Source>) -> Result<FileView, ToolError> {
        Ok(read(self, cx.state()))
    }
}

impl Render for Read {
    fn render(&self, view: &FileView) -> Content {
        Content::text(read_text(view))
    }
}

/// What the tools read.
struct Source {
    text: String,
}

impl Source {
    fn new() -> Self {
        let mut text = String::new();
        for line in 0..6000 {
            // Lines as code has them: of different lengths, some with quotes, some indented.
            let indent = " ".repeat(line % 4 * 4);
            let _ = match line % 5 {
                0 => writeln!(text),
                1 => writeln!(text, "{indent}let value_{line} = compute(\"name {line}\", other_value)?;"),
                2 => {
                    writeln!(text, "{indent}// what this does is told by a comment of the usual length, number {line}")
                }
                3 => writeln!(text, "{indent}self.values.insert(key_{line}.clone(), Entry::new(value_{line}));"),
                _ => writeln!(text, "{indent}}}"),
            };
        }
        Self { text }
    }
}

fn read(arguments: &Read, source: &Source) -> FileView {
    let offset = arguments.offset.unwrap_or(1);
    let all = (1..).zip(source.text.lines()).skip(offset as usize - 1);
    let lines = all.take(arguments.limit.unwrap_or(2000) as usize);
    let lines = lines.map(|(number, text)| Line { number, text: text.to_owned() }).collect();
    FileView { path: arguments.path.clone(), offset, lines, total_lines: 6000 }
}

fn read_text(view: &FileView) -> String {
    let mut text = String::new();
    for line in &view.lines {
        let _ = writeln!(text, "{:>6}\t{}", line.number, line.text);
    }
    text
}

/// Search for a text.
#[derive(Tool, serde::Deserialize)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = Matches, read_only)]
struct Grep {
    /// The text.
    pattern: String,
    /// The most matches.
    limit: Option<u32>,
}

#[tool_output]
#[serde(rename_all = "camelCase")]
struct Matches {
    matches: Vec<Match>,
    truncated: bool,
}

#[tool_output]
#[serde(rename_all = "camelCase")]
struct Match {
    path: String,
    line_number: u32,
    text: String,
}

impl Execute<Source> for Grep {
    async fn execute(&self, cx: &Context<Source>) -> Result<Matches, ToolError> {
        Ok(grep(self, cx.state()))
    }
}

impl Render for Grep {
    fn render(&self, found: &Matches) -> Content {
        Content::text(grep_text(found))
    }
}

fn grep(arguments: &Grep, source: &Source) -> Matches {
    let limit = arguments.limit.unwrap_or(100) as usize;
    let lines = (1..).zip(source.text.lines()).filter(|(_, line)| line.contains(&arguments.pattern));
    let found = lines.take(limit).map(|(line_number, text)| Match {
        path: "src/deeply/nested/module/file.rs".to_owned(),
        line_number,
        text: text.to_owned(),
    });
    Matches { matches: found.collect(), truncated: false }
}

fn grep_text(found: &Matches) -> String {
    let mut text = String::new();
    for found in &found.matches {
        let _ = writeln!(text, "{}:{}:{}", found.path, found.line_number, found.text);
    }
    text
}

/// A case: the tool's name, its arguments, and the same work without the framework.
struct Case {
    name: &'static str,
    arguments: &'static str,
    floor: fn(&str, &Source) -> (String, String),
}

const CASES: [Case; 3] = [
    Case {
        name: "add",
        arguments: r#"{"a": 2, "b": 40}"#,
        floor: |arguments, _| {
            let arguments: Add = serde_json::from_str(arguments).unwrap();
            let sum = add(&arguments);
            (add_text(&arguments, &sum), serde_json::to_string(&sum).unwrap())
        },
    },
    Case {
        name: "read",
        arguments: r#"{"path": "src/lib.rs", "offset": 101, "limit": 200}"#,
        floor: |arguments, source| {
            let arguments: Read = serde_json::from_str(arguments).unwrap();
            let view = read(&arguments, source);
            (read_text(&view), serde_json::to_string(&view).unwrap())
        },
    },
    Case {
        name: "grep",
        arguments: r#"{"pattern": "", "limit": 5000}"#,
        floor: |arguments, source| {
            let arguments: Grep = serde_json::from_str(arguments).unwrap();
            let found = grep(&arguments, source);
            (grep_text(&found), serde_json::to_string(&found).unwrap())
        },
    },
];

struct Bench {
    source: Arc<Source>,
    dispatcher: Dispatcher,
}

impl Bench {
    fn new() -> Self {
        let source = Arc::new(Source::new());
        let mut registry = Registry::new();
        registry.tool::<Add>().unwrap();
        registry.with_shared(Arc::clone(&source)).tool::<Read>().unwrap().tool::<Grep>().unwrap();
        // The content of the largest case is not to be cut, as it is not in the floor.
        let limits = tool_runtime::Limits { content_bytes: 1 << 22, ..tool_runtime::Limits::default() };
        Self { source, dispatcher: Dispatcher::new(registry).limits(limits) }
    }

    fn call(&self, case: &Case) -> usize {
        let call = ToolCall::new("call-1", case.name, case.arguments);
        let result = ready(self.dispatcher.call(black_box(call)));
        let success = result.success().expect("the call succeeds");
        black_box(success.value().len_bytes() + success.content().blocks().len())
    }

    fn wire(&self, case: &Case) -> usize {
        let call = ToolCall::new("call-1", case.name, case.arguments);
        let result = ready(self.dispatcher.call(black_box(call)));
        let success = result.success().expect("the call succeeds");
        let content = tool_runtime::json::write(success.content().blocks()).expect("blocks are JSON");
        let wire = format!(r#"{{"content":{content},"structuredContent":{}}}"#, success.value());
        black_box(wire.len())
    }

    fn floor(&self, case: &Case) -> usize {
        let (text, json) = (case.floor)(black_box(case.arguments), &self.source);
        black_box(text.len() + json.len())
    }

    fn run(&self, case: &Case, way: &str, times: u32) {
        for _ in 0..times {
            match way {
                "call" => self.call(case),
                "wire" => self.wire(case),
                _ => self.floor(case),
            };
        }
    }

    /// Nanoseconds a call: the best of several rounds, which the rest of the machine disturbs least.
    fn time(&self, case: &Case, way: &str) -> f64 {
        let mut times = 1;
        let round = |times| {
            let start = Instant::now();
            self.run(case, way, times);
            start.elapsed()
        };
        while round(times) < Duration::from_millis(20) {
            times *= 2;
        }
        let best = (0..10).map(|_| round(times)).min().unwrap_or_default();
        best.as_secs_f64() * 1e9 / f64::from(times)
    }
}

/// The output of a future that never waits.
fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the body waits"),
    }
}

fn main() {
    let bench = Bench::new();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [name, way, times] = arguments.as_slice() {
        let case = CASES.iter().find(|case| case.name == name).expect("a case");
        return bench.run(case, way, times.parse().expect("a number of calls"));
    }
    println!("case   call ns   wire ns  floor ns   call   wire");
    for case in &CASES {
        let (call, wire, floor) = (bench.time(case, "call"), bench.time(case, "wire"), bench.time(case, "floor"));
        println!("{:5} {call:9.0} {wire:9.0} {floor:9.0} {:6.2} {:6.2}", case.name, call / floor, wire / floor);
    }
}
