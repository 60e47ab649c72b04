//! The programs of the guide. The book includes them from here, so what it shows is what was built and run.
//!
//! What a program prints in the guide stands in `expected/`, one file a text. `GUIDE=overwrite cargo test -p tests --test
//! guide` writes these files anew; then read every one of them.

mod approval;
mod arguments;
mod batches;
mod calling;
mod contract;
mod conversions;
mod errors;
mod getting_started;
mod keys;
mod outputs;
mod policies;
mod progress;
mod providers;
mod rendering;

use std::fmt::Write as _;
use std::path::Path;

use tool_runtime::prelude::*;

/// Compares a text with the one that the guide shows.
#[track_caller]
fn assert_shown(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guide/expected").join(name);
    let text = format!("{}\n", text.trim_end());
    if std::env::var_os("GUIDE").is_some_and(|mode| mode == "overwrite") {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let shown = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(shown, text, "{name} is not what the program gives; write it anew with GUIDE=overwrite");
}

/// A result as the guide shows it: what each reader gets of it, a line each.
fn sides(result: &ToolResult) -> String {
    let mut text = String::new();
    match result {
        ToolResult::Success(success) => writeln!(text, "value    {}", success.value()).unwrap(),
        ToolResult::Failure(failure) => writeln!(text, "code     {}", failure.code()).unwrap(),
    }
    writeln!(text, "content  {}", result.content().to_text().replace('\n', "\n         ")).unwrap();
    if let Some(meta) = result.meta() {
        writeln!(text, "meta     {meta}").unwrap();
    }
    for context in result.contexts() {
        writeln!(text, "context  {}", context.to_text()).unwrap();
    }
    for decision in result.trace().decisions() {
        writeln!(text, "trace    {}: {}", decision.policy(), decision.verdict()).unwrap();
    }
    text
}

/// JSON as the guide shows it.
fn pretty(json: &impl tool_runtime::serde::Serialize) -> String {
    tool_runtime::serde_json::to_string_pretty(json).unwrap()
}
