//! How calls of a bridged tool fail, beside what any call may fail with.

use std::time::Duration;

use serde_json::json;

use super::line::one_line;
use crate::error::{Code, Effects, FailureSpec, Retry, ToolError};

/// Longest text of the server's own in a sentence, in bytes.
const MAX_SAID: usize = 1024;

/// Longest name of the server's own in a sentence, in bytes.
const MAX_RAW: usize = 200;

/// What every bridged tool publishes.
pub(super) const FAILURES: &[FailureSpec] = &[
    FailureSpec::new(Code::MCP_UNAVAILABLE, "the MCP server {server} is not connected; {when}").effects(Effects::None),
    FailureSpec::new(Code::MCP_CONNECTION_LOST, "the connection to the MCP server {server} was lost during the call")
        .effects(Effects::Possible),
    FailureSpec::new(Code::MCP_PROTOCOL_ERROR, "the MCP server {server} answered with the error {code}: {message}"),
    FailureSpec::new(Code::MCP_INVALID_RESULT, "the MCP server {server} gave no result that can be used: {problem}")
        .effects(Effects::Possible),
    FailureSpec::new(Code::MCP_UNSUPPORTED, "Tool {raw} requires what this bridge does not support")
        .retry(Retry::Never),
];

/// Nothing was sent: the connection is being made anew, or was given up.
pub(super) fn unavailable(server: &str, again: Option<Duration>) -> ToolError {
    let (when, retry) = match again {
        Some(wait) => ("it is being reconnected, so try again in a while", Retry::After(wait)),
        None => ("it was given up, so do without its tools", Retry::Never),
    };
    ToolError::new(Code::MCP_UNAVAILABLE, format!("the MCP server {server:?} is not connected; {when}"))
        .effects(Effects::None)
        .retry(retry)
}

/// The request was sent, or may have been, and no answer will come.
pub(super) fn connection_lost(server: &str) -> ToolError {
    let message = format!(
        "the connection to the MCP server {server:?} was lost during the call; the tool may have run: check before you call \
         it again"
    );
    ToolError::new(Code::MCP_CONNECTION_LOST, message).effects(Effects::Possible)
}

/// A JSON-RPC error: the server, and not the tool, has failed.
pub(super) fn protocol_error(server: &str, code: i32, message: &str) -> ToolError {
    let said = one_line(message, MAX_SAID);
    ToolError::new(
        Code::MCP_PROTOCOL_ERROR,
        format!("the MCP server {server:?} answered with the error {code}: {said}"),
    )
    .details(json!({"server": server, "code": code}))
}

/// An answer that is no result.
pub(super) fn invalid_result(server: &str, problem: &str) -> ToolError {
    let said = one_line(problem, MAX_SAID);
    ToolError::new(
        Code::MCP_INVALID_RESULT,
        format!("the MCP server {server:?} gave no result that can be used: {said}"),
    )
    .effects(Effects::Possible)
}

/// What is wanted is that of a task.
pub(super) fn needs_task(raw: &str) -> ToolError {
    unsupported(format!(
        "Tool \"{}\" requires task-based execution, which this bridge does not support",
        one_line(raw, MAX_RAW)
    ))
}

/// What is wanted is more input, in the middle of a call.
pub(super) fn needs_input(raw: &str) -> ToolError {
    let raw = one_line(raw, MAX_RAW);
    unsupported(format!("Tool \"{raw}\" requires more input during its call, which this bridge does not support"))
        .effects(Effects::Possible)
}

fn unsupported(message: String) -> ToolError {
    ToolError::new(Code::MCP_UNSUPPORTED, message).retry(Retry::Never)
}
