//! A server as a process of its own: what it inherits, what it says beside the protocol, and how it ends.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::line::one_line;

/// What a server inherits of the host's environment, as with the protocol's own libraries: where programs and homes are, and
/// what language is spoken. Keys and tokens of the host stay with the host.
const INHERITED: &[&str] = if cfg!(windows) {
    &[
        "APPDATA",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
    ]
} else {
    &["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"]
};

/// How long a server may take to end by itself once its input is closed, and again once it was asked to.
const PATIENCE: Duration = Duration::from_secs(2);

/// The end of what a server has written to its error output, which is kept for who asks why it does not start.
const KEPT_OF_ERRORS: usize = 2048;

/// Longest line of it that goes to `tracing`.
const MAX_LINE: usize = 1024;

/// How a server is started that speaks over its standard input and output.
///
/// It runs in a process group of its own, which is killed as a whole when the connection ends. Of the host's environment it
/// inherits what programs need to be found and to run (`PATH`, `HOME` and their like), and nothing else.
///
/// ```
/// use tool_runtime::mcp::ServerCommand;
///
/// let command = ServerCommand::new("npx")
///     .args(["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"])
///     .env("NO_COLOR", "1")
///     .inherit("HTTPS_PROXY");
/// assert!(!format!("{command:?}").contains('1'), "values may be secret");
/// ```
#[derive(Clone)]
pub struct ServerCommand {
    program: OsString,
    args: Vec<OsString>,
    set: Vec<(OsString, OsString)>,
    inherited: Vec<OsString>,
    dir: Option<PathBuf>,
}

impl ServerCommand {
    /// This program, without arguments. No shell reads it.
    pub fn new(program: impl Into<OsString>) -> Self {
        let inherited = INHERITED.iter().map(OsString::from).collect();
        Self { program: program.into(), args: Vec::new(), set: Vec::new(), inherited, dir: None }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// The same with more arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// The same with a variable of its environment, in place of one that it would inherit.
    #[must_use]
    pub fn env(mut self, key: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.set.push((key.into(), value.into()));
        self
    }

    /// The same, which inherits one more variable of the host's environment.
    #[must_use]
    pub fn inherit(mut self, key: impl Into<OsString>) -> Self {
        self.inherited.push(key.into());
        self
    }

    /// The same in this working directory; else it is the host's.
    #[must_use]
    pub fn dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear();
        let inherited = self.inherited.iter().filter_map(|key| Some((key, std::env::var_os(key)?)));
        command.envs(inherited).envs(self.set.iter().map(|(key, value)| (key, value)));
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts the server.
    pub(super) fn start(&self, server: &str) -> io::Result<Started> {
        let mut command = CommandWrap::from(self.command());
        command.wrap(KillOnDrop);
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::tokio::JobObject);
        let mut child = command.spawn()?;
        let streams = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (heir, given_up) = oneshot::channel();
        let process = Process { child: Some(child), heir: Some(heir) };
        let (Some(input), Some(output), Some(errors)) = streams else {
            return Err(io::Error::other("the process has no standard streams"));
        };
        let kept = Kept::default();
        let drained = tokio::spawn(kept.clone().drain(errors, server.to_owned()));
        Ok(Started { process, input, output, said: Said { kept, drained }, given_up: GivenUp(given_up) })
    }
}

impl From<&str> for ServerCommand {
    fn from(program: &str) -> Self {
        Self::new(program)
    }
}

impl fmt::Debug for ServerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<&OsStr> = self.set.iter().map(|(key, _)| key.as_os_str()).collect();
        f.debug_struct("ServerCommand").field("program", &self.program).field("env", &keys).finish_non_exhaustive()
    }
}

/// A server that was started.
pub(super) struct Started {
    pub(super) process: Process,
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
    pub(super) said: Said,
    pub(super) given_up: GivenUp,
}

/// A process and all that it has started; when this is dropped, it is killed, or left to who wants to know how it ended.
pub(super) struct Process {
    /// None only once it was left to its heir.
    child: Option<Box<dyn ChildWrapper>>,
    heir: Option<oneshot::Sender<Process>>,
}

impl Process {
    /// Waits until it ends, after its input was closed; asks it to, and kills it, if it does not.
    pub(super) async fn end(mut self) -> io::Result<()> {
        if self.wait().await.is_none() {
            #[cfg(unix)]
            {
                const SIGTERM: i32 = 15;
                // It may have ended by now.
                drop(self.child.as_ref().map(|child| child.signal(SIGTERM)));
                self.wait().await;
            }
        }
        // What it has started may run on.
        Ok(())
    }

    /// How it has ended; `None` if it goes on for longer than it may.
    async fn wait(&mut self) -> Option<ExitStatus> {
        timeout(PATIENCE, self.child.as_mut()?.inner_mut().wait()).await.ok()?.ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        match self.heir.take() {
            // Without anybody there, it comes back at once, and is dropped without an heir.
            Some(heir) => drop(heir.send(Self { child: Some(child), heir: None })),
            // The group is gone already if this fails.
            None => drop(child.start_kill()),
        }
    }
}

/// A process that its transport has given up, for who wants to know how it ended. Dropped, it is killed.
pub(super) struct GivenUp(oneshot::Receiver<Process>);

impl GivenUp {
    /// How it has ended by itself; if it goes on, `None`, and it is killed.
    pub(super) async fn status(self) -> Option<ExitStatus> {
        let mut process = timeout(PATIENCE, self.0).await.ok()?.ok()?;
        process.wait().await
    }
}

/// What a server writes to its error output.
pub(super) struct Said {
    kept: Kept,
    drained: JoinHandle<()>,
}

impl Said {
    /// The end of it, on one line, once the server has ended; empty if it wrote nothing.
    pub(super) async fn all(self) -> String {
        // Something that it has started may hold the other end.
        drop(timeout(PATIENCE, self.drained).await);
        self.kept.last()
    }
}

/// The end of what a server has written to its error output.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    /// Reads the output to its end, so that the server never waits for a reader; each line is an event.
    async fn drain(self, mut output: impl AsyncRead + Unpin, server: String) {
        let (mut chunk, mut line) = (vec![0; 4096], Vec::new());
        while let Ok(bytes @ 1..) = output.read(&mut chunk).await {
            self.keep(&chunk[..bytes]);
            for &byte in &chunk[..bytes] {
                if byte == b'\n' {
                    tell(&server, &line);
                    line.clear();
                } else if line.len() < MAX_LINE {
                    line.push(byte);
                }
            }
        }
        tell(&server, &line);
    }

    fn keep(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(bytes);
        let excess = kept.len().saturating_sub(KEPT_OF_ERRORS);
        kept.drain(..excess);
    }

    fn last(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        one_line(&lines.join(" | "), usize::MAX)
    }
}

fn tell(server: &str, line: &[u8]) {
    let line = String::from_utf8_lossy(line);
    if !line.trim().is_empty() {
        tracing::debug!(server, "MCP server: {}", one_line(line.trim_end(), MAX_LINE));
    }
}
