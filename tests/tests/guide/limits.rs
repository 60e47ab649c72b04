use std::path::Path;
use std::time::Duration;

use tool_runtime::prelude::*;
use tool_runtime::retain::{Keep, TextRetainer};
use tool_runtime::spill::FileSpill;
use tool_runtime::testing::MemorySpill;
use tool_runtime::{Limits, SpillError, ToolLimits};

// ANCHOR: spill
fn with_files(registry: Registry, cache: &Path) -> Result<Dispatcher, SpillError> {
    let store = FileSpill::open(cache.join("spill"))?
        .quota(512 * 1024 * 1024)
        .expiry(Duration::from_hours(48))
        .hint("Use read with offset and limit, or grep this path.");
    let limits = Limits { spill_bytes: 32 * 1024, ..Limits::default() };
    Ok(Dispatcher::new(registry).limits(limits).limits_for("read", ToolLimits::new().pages()).spill(store, "session-1"))
}
// ANCHOR_END: spill

/// Build the project.
#[derive(Tool)]
#[tool(output = Output)]
struct Build {}

#[tool_output]
struct Output {
    /// Both ends of what was printed.
    text: String,
    /// How many bytes are missing between them.
    omitted: u64,
    /// Where all of it is.
    all: Option<String>,
}

fn chunks_of_the_process() -> impl Iterator<Item = Vec<u8>> {
    (0..200).map(|line| format!("compiling part {line}\n").into_bytes()).chain([b"error: no rule\n".to_vec()])
}

// ANCHOR: stream
impl Execute for Build {
    async fn execute(&self, cx: &Context) -> Result<Output, ToolError> {
        let mut ends = TextRetainer::new(Keep::both_ends(60));
        let mut file = cx.open_spill("build.txt").await.ok();
        for chunk in chunks_of_the_process() {
            ends.push(&chunk);
            if let Some(open) = &mut file
                && open.write(&chunk).await.is_err()
            {
                file = None; // Full, for one: both ends are kept all the same.
            }
        }
        let ends = ends.finish();
        let all = match file {
            Some(file) if ends.is_truncated() => file.finish().await.ok(),
            _ => None,
        };
        Ok(Output {
            omitted: ends.omitted(),
            text: ends.into_text("\n…\n"),
            all: all.map(|spilled| spilled.locator().to_owned()),
        })
    }
}
// ANCHOR_END: stream

impl Render for Build {
    fn render(&self, output: &Output) -> Content {
        let content = Content::text(output.text.as_str());
        match &output.all {
            Some(all) => content.with_notice(format!("{} bytes left out; all of it: {all}", output.omitted)),
            None => content,
        }
    }
}

/// List all names.
#[derive(Tool)]
#[tool(output = String, render = display, read_only)]
struct Names {}

impl Execute for Names {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok((1..=1000).map(|number| format!("name {number}")).collect::<Vec<_>>().join("\n"))
    }
}

#[tokio::test]
async fn a_preview_is_what_the_guide_shows() {
    let limits = Limits { spill_bytes: 260, ..Limits::default() };
    let dispatcher = Dispatcher::new(toolset! { () => [Names] }.unwrap()).limits(limits);
    let result = dispatcher.spill(MemorySpill::new(), "session-1").call(ToolCall::new("call-1", "names", "{}")).await;
    super::assert_shown("spilled.txt", &result.content().to_text());
}

#[tokio::test]
async fn a_stream_is_kept_as_it_comes() {
    let directory = tempfile::tempdir().unwrap();
    let dispatcher = with_files(toolset! { () => [Build] }.unwrap(), directory.path()).unwrap();
    let result = dispatcher.call(ToolCall::new("call-1", "build", "{}")).await;
    let output = result.success().unwrap().value_as::<Output>().unwrap();
    assert!(output.text.ends_with("\nerror: no rule\n"), "{}", output.text);
    let all = std::fs::read_to_string(output.all.as_ref().unwrap()).unwrap();
    assert_eq!(all.len() as u64, output.omitted + 60);
}

#[test]
fn the_limits_of_spilling_are_those_of_the_guide() {
    let limits = Limits::default();
    assert_eq!((limits.spill_bytes, limits.batch_bytes), (64 * 1024, 1024 * 1024));
    assert_eq!(limits.spill_time, Duration::from_secs(10));
}
