//! The programs of the guide. The book includes them from here, so what it shows is what was built and run.
//!
//! What a program prints in the guide stands in `expected/`, one file a text. `GUIDE=overwrite cargo test -p tests --test
//! guide` writes these files anew; then read every one of them.

mod approval;
mod arguments;
mod batches;
mod blocking;
mod calling;
mod canonical;
mod cards;
mod contract;
mod conversions;
mod errors;
mod failures;
mod getting_started;
mod hosting;
mod keys;
mod layers;
mod limits;
mod mcp_bridge;
mod mcp_server;
mod nested;
mod observing;
mod outputs;
mod policies;
mod progress;
mod provider_messages;
mod providers;
mod rendering;
mod resources;
mod scopes;
mod secrets;
mod sessions;

use std::fmt::Write as _;

use tests::assert_shown;
use tool_runtime::prelude::*;

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
