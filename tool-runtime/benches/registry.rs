//! A registry of 1,000 tools, against the floor: what schemars alone takes to generate the same schemas.
//!
//! `cargo bench -p tool-runtime --bench registry` prints times. `benches/instructions.sh` counts instructions: it runs
//! `registry build|schemars|publish|write|list|copy <times>` under valgrind.
//!
//! Eight types stand for a thousand, as nothing is kept of a type from one registration to the next.

use std::hint::black_box;
use std::time::Instant;

use tool_runtime::prelude::*;
use tool_runtime::schemars;
use tool_runtime::schemars::generate::SchemaSettings;

/// A tool with a body and a projection, which this bench never calls.
macro_rules! tool {
    ($(#[$of:meta])* $name:ident -> $output:ty { $($field:tt)* }) => {
        #[derive(Tool, schemars::JsonSchema)]
        #[schemars(crate = "tool_runtime::schemars")]
        #[tool(output = $output, render = json)]
        #[allow(dead_code, reason = "only its schema is looked at")]
        $(#[$of])*
        struct $name { $($field)* }

        impl Execute for $name {
            async fn execute(&self, _: &Context) -> Result<$output, ToolError> {
                Err(ToolError::msg("not called"))
            }
        }
    };
}

tool! {
    /// Add two integers.
    Add -> Sum {
        /// One.
        a: i64,
        /// The other.
        b: i64,
    }
}
#[tool_output]
struct Sum {
    sum: i64,
}

tool! {
    /// Read a window of a file.
    Read -> FileView {
        /// Path of the file, absolute or relative to the workspace.
        path: String,
        /// First line to show, counted from 1.
        #[schemars(range(min = 1))]
        offset: Option<u32>,
        /// The number of lines.
        limit: Option<u32>,
    }
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

tool! {
    /// Search for a pattern.
    Grep -> Matches {
        /// The regular expression.
        pattern: String,
        /// Only files that match these.
        #[serde(default)]
        globs: Vec<String>,
        /// What to show of a match.
        mode: Option<Mode>,
        /// The most matches.
        limit: Option<u32>,
    }
}
#[tool_input]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Mode {
    Content,
    Files,
    Count,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Line>,
}

tool! {
    /// Change a file.
    Edit -> Edited {
        /// Path of the file.
        path: String,
        /// What is changed, in order.
        changes: Vec<Change>,
    }
}
#[tool_input]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Change {
    /// Replaces a text that stands there once.
    Replace {
        /// The text.
        old: String,
        /// What takes its place.
        new: String,
    },
    /// Inserts lines.
    Insert {
        /// Before this line.
        line: u32,
        /// The lines.
        text: String,
    },
    /// Removes lines.
    Remove {
        /// The first.
        from: u32,
        /// The last.
        to: u32,
    },
}
#[tool_output]
#[serde(tag = "outcome", rename_all = "snake_case")]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Edited {
    Changed { added: u32, removed: u32, diff: String },
    Unchanged { why: String },
}

tool! {
    /// Look up the weather.
    Weather -> Forecast {
        /// Where.
        place: Place,
        /// For how many days.
        #[schemars(range(min = 1, max = 14))]
        days: u8,
    }
}
#[tool_input]
#[allow(dead_code, reason = "only its schema is looked at")]
struct Place {
    /// Degrees north.
    #[schemars(range(min = -90.0, max = 90.0))]
    latitude: f64,
    /// Degrees east.
    #[schemars(range(min = -180.0, max = 180.0))]
    longitude: f64,
}
#[tool_output]
struct Forecast {
    days: Vec<Day>,
    source: Option<String>,
}
#[tool_output]
struct Day {
    date: String,
    low: f64,
    high: f64,
    rain: Option<f64>,
}

tool! {
    /// Send a message.
    Send -> Sent {
        /// To whom.
        #[schemars(length(min = 1))]
        to: Vec<String>,
        /// What it is about.
        subject: String,
        /// The text.
        body: String,
        /// Headers beside the usual ones.
        #[serde(default)]
        headers: std::collections::BTreeMap<String, String>,
    }
}
#[tool_output]
struct Sent {
    id: String,
    refused: std::collections::BTreeMap<String, String>,
}

tool! {
    /// List the directory.
    List -> Vec<Entry> {
        /// The directory.
        path: String,
        /// Whether to go into directories.
        #[serde(default)]
        recursive: bool,
    }
}
#[tool_output]
#[allow(dead_code, reason = "only its schema is looked at")]
enum Entry {
    File { name: String, bytes: u64 },
    Directory { name: String, entries: Vec<Entry> },
    Link(String),
}

tool! {
    /// The time.
    Now -> String {}
}

/// What is measured of a type, and of the floor.
type Shape = (fn(&mut Registry, Overrides), fn() -> [schemars::Schema; 2]);

fn shape<T: Execute + schemars::JsonSchema>() -> Shape {
    (
        |registry, overrides| {
            registry.tool_as::<T>(overrides).unwrap();
        },
        || {
            let settings = || SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
            [
                settings().for_deserialize().into_generator().into_root_schema_for::<T>(),
                settings().for_serialize().into_generator().into_root_schema_for::<T::Output>(),
            ]
        },
    )
}

fn shapes() -> [Shape; 8] {
    [
        shape::<Add>(),
        shape::<Read>(),
        shape::<Grep>(),
        shape::<Edit>(),
        shape::<Weather>(),
        shape::<Send>(),
        shape::<List>(),
        shape::<Now>(),
    ]
}

const TOOLS: usize = 1000;

fn build() -> Registry {
    let mut registry = Registry::new();
    for (number, (register, _)) in shapes().iter().cycle().take(TOOLS).enumerate() {
        register(&mut registry, Overrides::new().name(format!("tool_{number}")));
    }
    registry
}

/// The floor of [`build`].
fn generate() -> usize {
    let mut all = Vec::new();
    for (_, generate) in shapes().iter().cycle().take(TOOLS) {
        all.push(black_box(generate()));
    }
    all.len()
}

/// A registry whose tools are listed for the first time, which is when their schemas are written.
fn publish() -> usize {
    black_box(build().specs_json()).len()
}

/// The floor of [`publish`].
fn write() -> usize {
    let mut all = Vec::new();
    for (_, generate) in shapes().iter().cycle().take(TOOLS) {
        let schemas = generate();
        let texts = schemas.each_ref().map(|schema| serde_json::to_string(schema).unwrap());
        all.push(black_box((schemas, texts)));
    }
    all.len()
}

/// The tools as JSON, as a host sends them with each request.
fn list(registry: &Registry) -> usize {
    black_box(registry.specs_json()).len()
}

/// The floor of [`list`]: the same bytes, copied.
fn copy(listed: &str) -> usize {
    black_box(listed.to_owned()).len()
}

fn run(what: &str, times: u32) {
    let registry = if matches!(what, "list" | "copy") { build() } else { Registry::new() };
    let listed = registry.specs_json();
    for _ in 0..times {
        match what {
            "build" => black_box(build().len()),
            "schemars" => generate(),
            "publish" => publish(),
            "write" => write(),
            "list" => list(&registry),
            _ => copy(&listed),
        };
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [what, times] = arguments.as_slice() {
        return run(what, times.parse().expect("a number of rounds"));
    }
    println!("1,000 tools  milliseconds");
    for what in ["build", "schemars", "publish", "write"] {
        let start = Instant::now();
        run(what, 5);
        println!("{what:11} {:13.2}", start.elapsed().as_secs_f64() * 1e3 / 5.0);
    }
}
