//! `bash`: a command in the workspace.
//!
//! It is no sandbox. A command has the rights and the environment of the host's process: a host puts an approver before it.

use std::time::Duration;

use crate::shell::{Captured, MAX_WHOLE, ShellFailure, run};
use crate::workspace::Workspace;
use tool_runtime::Block;
use tool_runtime::prelude::*;
use tool_runtime::present::{CallView, Durable, Exit, Partial, ResultView, TerminalCall, TerminalResult};
use tool_runtime::serde::Serialize;

/// How long a command may take if the call does not say.
const DEFAULT_TIMEOUT_MS: u32 = 120_000;

/// Run a command with bash, in the root of the workspace.
///
/// It has neither input nor a terminal. A command that fails is told by its exit code. Of each of its two streams 64000
/// bytes are shown, taken from both ends. Nothing goes on in the background: when the command has ended, what it started is
/// killed.
// A command may take 600 s and has 3 s to end; this is for what does not obey even then.
#[derive(Clone, Debug, Serialize, Tool)]
#[serde(crate = "tool_runtime::serde")]
#[tool(output = Ran, failure = ShellFailure, present, destructive, open_world, timeout = "620s")]
pub struct Bash {
    /// The command, as bash reads it.
    #[schemars(length(min = 1))]
    pub command: String,
    /// What the command does, in a few words, for the person who watches.
    #[schemars(length(min = 1))]
    pub description: Option<String>,
    /// How long it may take, in milliseconds. 120000 if not given.
    #[schemars(range(min = 1, max = 600_000))]
    pub timeout_ms: Option<u32>,
}

/// A command that has ended.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Ran {
    /// How it ended.
    pub exit: RanExit,
    /// Whether its time was up, and it was told to end. It may have ended well all the same.
    pub timed_out: bool,
    /// What it printed.
    pub stdout: RanStream,
    /// What it printed to its second stream.
    pub stderr: RanStream,
}

/// How a command ended.
#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub enum RanExit {
    /// By itself, with this code; 0 says that all went well.
    Code(i32),
    /// By a signal: `SIGKILL`, say.
    Signal(String),
}

/// One stream of a command.
#[tool_output]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RanStream {
    /// All of it; or both its ends, with a line between them that says how much is missing. Bytes that are no UTF-8 are
    /// U+FFFD.
    pub text: String,
    /// How many bytes it had.
    pub bytes: u64,
    /// How many of them are missing in the text.
    pub omitted: u64,
    /// Where all of it is, or its first 64 MiB; only if some is missing here, and could be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Bash {
    fn timeout_ms(&self) -> u32 {
        self.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS)
    }
}

impl Execute<Workspace> for Bash {
    async fn execute(&self, cx: &Context<Workspace>) -> Result<Ran, ToolError> {
        if self.command.trim().is_empty() {
            return Err(ShellFailure::InvalidCommand("invalid command: expected a non-empty string"))?;
        }
        if self.command.contains('\0') {
            return Err(ShellFailure::InvalidCommand("invalid command: it holds a NUL character; leave it out"))?;
        }
        let limit = Duration::from_millis(self.timeout_ms().into());
        let run = run(cx, &self.command, cx.state().root(), limit).await?;
        let exit = match run.exit {
            Exit::Code(code) => RanExit::Code(code),
            Exit::Signal(name) => RanExit::Signal(name),
        };
        Ok(Ran { exit, timed_out: run.timed_out, stdout: run.stdout.into(), stderr: run.stderr.into() })
    }
}

impl From<Captured> for RanStream {
    fn from(captured: Captured) -> Self {
        let Captured { text, bytes, omitted, path } = captured;
        Self { text, bytes, omitted, path }
    }
}

impl From<&RanExit> for Exit {
    fn from(exit: &RanExit) -> Self {
        match exit {
            RanExit::Code(code) => Self::Code(*code),
            RanExit::Signal(name) => Self::Signal(name.clone()),
        }
    }
}

impl RanStream {
    /// Its text without its last line break, which the next line brings anyway.
    fn shown(&self) -> Option<&str> {
        (!self.text.is_empty()).then(|| self.text.strip_suffix('\n').unwrap_or(&self.text))
    }

    /// What the model is told of what it does not read.
    fn truncation(&self) -> Option<String> {
        (self.omitted > 0).then(|| match &self.path {
            Some(path) if self.bytes > MAX_WHOLE => format!("[output truncated; its first {MAX_WHOLE} bytes: {path}]"),
            Some(path) => format!("[output truncated; full output: {path}]"),
            None => "[output truncated; full output: (unavailable)]".to_owned(),
        })
    }
}

/// The last line of what the model reads; there is none of a command that ended well.
fn exit_marker(exit: &Exit) -> Option<String> {
    match exit {
        Exit::Code(0) => None,
        Exit::Code(code) => Some(format!("[exit code: {code}]")),
        Exit::Signal(name) => Some(format!("[killed by signal: {name}]")),
    }
}

impl Render for Bash {
    fn render(&self, ran: &Ran) -> Content {
        let mut lines: Vec<String> = ran.stdout.shown().map(str::to_owned).into_iter().collect();
        if let Some(stderr) = ran.stderr.shown() {
            lines.extend(["[stderr]".to_owned(), stderr.to_owned()]);
        }
        if lines.is_empty() {
            lines.push("(no output)".to_owned());
        }
        lines.extend([&ran.stdout, &ran.stderr].into_iter().filter_map(RanStream::truncation));
        lines.extend(ran.timed_out.then(|| format!("[timed out after {}ms]", self.timeout_ms())));
        lines.extend(exit_marker(&Exit::from(&ran.exit)));
        Content::text(lines.join("\n"))
    }
}

impl Present for Bash {
    /// How it ended. What it printed stands in the content, which the log keeps anyway.
    type Meta = TerminalResult;

    fn meta(&self, ran: &Ran) -> TerminalResult {
        TerminalResult::new().with_exit(Exit::from(&ran.exit))
    }

    fn call_view(&self) -> Option<CallView> {
        Some(card(&self.command, self.description.as_deref()))
    }

    fn pending_view(partial: &Partial<'_>) -> Option<CallView> {
        Some(card(partial.so_far("command")?, partial.text("description")))
    }

    /// What the model read, whatever a policy made of it, without the line that says what the card knows by itself.
    fn result_view(&self, result: &Durable<'_, TerminalResult>) -> Option<ResultView> {
        let (card, content) = (result.meta()?, result.content());
        let [Block::Text(read)] = content.blocks() else { return None };
        let read = read.text.as_str();
        let marker = card.exit().and_then(exit_marker);
        let without = marker.and_then(|marker| read.strip_suffix(marker.as_str())?.strip_suffix('\n'));
        let shown = Content::text(without.unwrap_or(read));
        let shown = match content.notice() {
            Some(notice) => shown.with_notice(notice),
            None => shown,
        };
        Some(card.clone().with_output(shown.to_text()).into())
    }
}

/// The card of a command that runs.
fn card(command: &str, description: Option<&str>) -> CallView {
    let card = TerminalCall::new(command);
    match description {
        Some(description) => card.with_description(description).into(),
        None => card.into(),
    }
}
