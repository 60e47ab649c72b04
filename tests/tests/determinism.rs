//! Same input, same bytes: in every process, whatever its hash seeds, its locale, its time zone, its clock and its directory.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tool_runtime::prelude::*;
use tool_runtime::{Limits, Overrides, Repairs};

/// Count words.
#[derive(Tool)]
#[tool(output = Counts, present)]
struct CountWords {
    /// The text.
    text: String,
    #[serde(default)]
    stop: HashMap<String, bool>,
    at: Option<chrono::DateTime<chrono::Utc>>,
    kind: Option<Kind>,
    /// Definitions of one name, and generic ones.
    #[serde(default)]
    #[expect(dead_code, reason = "there for its definitions")]
    items: Vec<(here::Item, there::Item)>,
    #[serde(default)]
    #[expect(dead_code, reason = "there for its definitions")]
    pages: Option<(Page<here::Item>, Page<Option<there::Item>>)>,
    #[serde(flatten)]
    rest: HashMap<String, Value>,
}

mod here {
    #[tool_runtime::tool_input]
    pub(crate) struct Item {
        #[expect(dead_code, reason = "there for its definition")]
        here: u8,
    }
}

mod there {
    #[tool_runtime::tool_input]
    pub(crate) struct Item {
        #[expect(dead_code, reason = "there for its definition")]
        there: String,
    }
}

#[tool_input]
struct Page<T> {
    #[expect(dead_code, reason = "there for its definition")]
    items: Vec<T>,
}

#[tool_input]
#[derive(Debug)]
#[expect(dead_code, reason = "shown by Debug")]
#[serde(tag = "by", rename_all = "camelCase")]
enum Kind {
    /// By letter.
    Letter { first: char },
    /// By length.
    Length { least: u8, most: f64 },
}

#[tool_output]
struct Counts {
    words: HashMap<String, u32>,
    by_length: HashMap<usize, HashMap<String, f64>>,
    any: Value,
    #[serde(flatten)]
    rest: HashMap<String, Value>,
}

impl Execute for CountWords {
    async fn execute(&self, cx: &Context) -> Result<Counts, ToolError> {
        let mut counts = Counts {
            words: HashMap::new(),
            by_length: HashMap::new(),
            any: serde_json::to_value(&self.stop)?,
            rest: self.rest.clone(),
        };
        for word in self.text.split_whitespace().filter(|word| !self.stop.contains_key(*word)) {
            *counts.words.entry(word.to_owned()).or_default() += 1;
            *counts.by_length.entry(word.len()).or_default().entry(word.to_owned()).or_default() += 0.1;
        }
        cx.add_context(format!("{} words", counts.words.len()));
        if counts.words.is_empty() {
            return Err(ToolError::msg("no words").details(serde_json::to_value(&self.stop)?));
        }
        Ok(counts)
    }
}

impl Render for CountWords {
    fn render(&self, value: &Counts) -> Content {
        let sorted: BTreeMap<_, _> = value.words.iter().collect();
        Content::text(format!("{sorted:?} at {:?} by {:?}", self.at, self.kind))
    }
}

impl Present for CountWords {
    type Meta = HashMap<String, u32>;

    fn meta(&self, value: &Counts) -> HashMap<String, u32> {
        value.words.clone()
    }
}

/// Puts another value in its place, with the keys of maps in no order.
struct Doubles;

impl PostPolicy for Doubles {
    fn name(&self) -> &'static str {
        "doubles"
    }

    async fn on_success(&self, _: &PolicyCall<'_>, success: &Success) -> Result<PostDecision, ToolError> {
        let mut value = success.value().to_value();
        let words: HashMap<String, u64> = value["words"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(word, n)| (word.clone(), 2 * n.as_u64().unwrap_or(0)))
            .collect();
        value["words"] = serde_json::to_value(words)?;
        Ok(PostDecision::replace_value(value).with_context("doubled"))
    }
}

fn registry() -> Registry {
    let mut names: Vec<String> = (0..20).map(|index| format!("tool_{index}")).collect();
    // In an order that is another in each process.
    names = names.into_iter().collect::<HashSet<_>>().into_iter().collect();
    let mut registry = Registry::new();
    for name in names {
        let tool =
            DynamicTool::new(name.as_str(), "One of many.", |arguments, _| async move { Ok(Value::clone(&arguments)) })
                .input_schema(json!({"type": "object", "properties": {"z": true, "a": {"enum": [1, "x"]}}}))
                .output_schema(json!({"type": "object"}));
        registry.dynamic(tool).unwrap();
    }
    registry.tool_as::<CountWords>(Overrides::new().name("count")).unwrap();
    registry.tool::<CountWords>().unwrap();
    registry
}

/// What the calls of one program leave behind: published tools, refusals, values, content, meta, contexts, traces.
async fn transcript() -> String {
    let mut out = serde_json::to_string_pretty(&registry().specs().collect::<Vec<_>>()).unwrap();
    let limits = Limits { content_bytes: 300, error_bytes: 400, ..Limits::default() };
    let plain = Dispatcher::new(registry()).repairs(Repairs::all());
    let doubling = Dispatcher::new(registry()).limits(limits).policy(Doubles);
    let long = (0..100).map(|index| format!("word{}", index * 7 % 50)).collect::<Vec<_>>().join(" ");
    let calls = [
        (
            "count_words",
            json!({"text": "b a c a", "stop": {"z": true, "c": false}, "x": [1, 2.0], "w": {"k": null}}).to_string(),
        ),
        (
            "count_words",
            json!({"text": long, "at": "2026-03-01T10:00:00+09:00", "kind": {"by": "length", "least": 1, "most": 0.1}})
                .to_string(),
        ),
        ("count", json!({"text": "a", "stop": "{\"b\":true,\"a\":false}"}).to_string()),
        ("count", json!({"text": " ", "stop": {"q": true, "p": true, "o": false}}).to_string()),
        ("count", json!({"text": 1, "stop": {"k": 1}, "at": "now", "kind": {"by": "size"}}).to_string()),
        ("count", "{\"text\":".to_owned()),
        ("tool_7", json!({"z": {"b": 1, "a": 2}, "a": 1.0, "m": []}).to_string()),
        ("tool_77", "{}".to_owned()),
    ];
    for (name, arguments) in &calls {
        for dispatcher in [&plain, &doubling] {
            let result = dispatcher.call(ToolCall::new("call-1", *name, arguments.as_str())).await;
            let value = result.success().map(|success| success.value().to_string());
            let details = result.failure().and_then(|failure| failure.error().structured_details());
            writeln!(out, "\n{value:?}\n{:?}\n{:?}", result.content(), result.meta().map(Value::to_string)).unwrap();
            writeln!(out, "{:?}\n{:?}\n{:?}", result.contexts(), result.trace(), details.map(Value::to_string))
                .unwrap();
        }
    }
    out
}

const TRANSCRIPT: &str = "TRANSCRIPT";

/// Nothing by itself; run by the test below, in processes of its own.
#[tokio::test]
async fn this_process_writes_its_transcript_where_it_is_told_to() {
    if let Some(path) = std::env::var_os(TRANSCRIPT) {
        std::fs::write(path, transcript().await).unwrap();
    }
}

#[tokio::test]
async fn every_process_gives_the_same_bytes() {
    let expected = transcript().await;
    same(&expected, &transcript().await, "twice in one process");
    assert!(expected.contains("doubled") && expected.contains("INVALID_ARGS"), "{expected}");
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("determinism");
    std::fs::create_dir_all(&directory).unwrap();
    let surroundings = [
        ("UTC", "C", Path::new(env!("CARGO_MANIFEST_DIR"))),
        ("Asia/Kathmandu", "tr_TR.UTF-8", directory.as_path()),
        ("America/St_Johns", "de_DE.UTF-8", Path::new("/")),
        ("Pacific/Apia", "ar_EG.UTF-8", directory.as_path()),
    ];
    let children: Vec<_> = surroundings
        .into_iter()
        .cycle()
        .take(8)
        .enumerate()
        .map(|(index, (zone, locale, current))| {
            let path = directory.join(format!("{index}.txt"));
            let child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "this_process_writes_its_transcript_where_it_is_told_to"])
                .env(TRANSCRIPT, &path)
                .env("TZ", zone)
                .envs([("LANG", locale), ("LC_ALL", locale)])
                .env("COLUMNS", (40 * (index + 1)).to_string())
                .current_dir(current)
                .output()
                .unwrap();
            assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
            path
        })
        .collect();
    for path in children {
        let written = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        same(&expected, &written, &path.display().to_string());
    }
}

/// Compares line by line, so that a failure shows one line.
fn same(expected: &str, written: &str, which: &str) {
    for (ours, theirs) in expected.lines().zip(written.lines()) {
        assert_eq!(ours, theirs, "{which}");
    }
    assert_eq!(expected.len(), written.len(), "{which}");
}
