//! The bridge: the tools of another server, registered as tools of a dispatcher.

mod client;
mod error;
mod failure;
mod frame;
mod heard;
mod http;
mod image;
mod inbox;
mod limits;
mod line;
mod link;
mod listed;
mod listing;
mod name;
mod process;
mod refusal;
mod report;
mod session;
mod supervise;
mod text;
mod value;
mod wire;

pub use error::BridgeError;
pub use http::ServerUrl;
pub use limits::{BridgeLimits, Reconnect};
pub use process::ServerCommand;
pub use report::{BridgeReport, BridgeStatus, BridgedTool, LeftOut, ToolHints};
pub use session::Era;

use std::fmt;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use crate::dispatch::Dispatcher;
use crate::tool::Cancellation;
use link::Link;
use name::ServerName;
use session::{Dial, Place};
use supervise::{Refresh, Supervisor};

/// So many refreshes wait for the one that is under way.
const MAX_REFRESHES: usize = 8;

/// The tools of a server of the Model Context Protocol, as tools of a dispatcher.
///
/// Each tool is registered as `mcp__<server>__<name>`, with both of its schemas enforced, and goes through the same pipeline
/// and the same policies as any other. Its value is `{ content, structuredContent? }`, as the server sent it; what the model
/// reads is made of that. Nothing that comes from the server is trusted: not its sizes, its shapes, its names or what it says
/// of a tool's behaviour. A tool that can't be registered is left out and reported, and the others are not.
///
/// ```no_run
/// use tool_runtime::mcp::{Bridge, ServerCommand};
/// # use tool_runtime::prelude::*;
///
/// # async fn host(dispatcher: Dispatcher) -> Result<(), Box<dyn std::error::Error>> {
/// let server = ServerCommand::new("npx").args(["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"]);
/// let connection = Bridge::stdio("files", server).connect(&dispatcher).await?;
/// for tool in connection.report().tools {
///     println!("{} is {}", tool.name, tool.raw);
/// }
/// let result = dispatcher.call(ToolCall::new("1", "mcp__files__list_directory", r#"{"path": "/srv/docs"}"#)).await;
/// println!("{}", result.content().to_text());
/// connection.close().await;
/// # Ok(())
/// # }
/// ```
///
/// It needs a tokio runtime with timers and I/O.
#[derive(Clone)]
pub struct Bridge {
    name: String,
    place: Place,
    era: Era,
    timeout: Duration,
    connect_timeout: Duration,
    limits: BridgeLimits,
    reconnect: Reconnect,
    trusts_hints: bool,
}

impl Bridge {
    /// A server that is started as a process and speaks over its standard input and output. The name is the host's own for
    /// it, and part of the tools' names: `[A-Za-z0-9_-]{1,32}`.
    pub fn stdio(name: impl Into<String>, command: impl Into<ServerCommand>) -> Self {
        Self::of(name.into(), Place::Command(command.into()))
    }

    /// A server that is reached over HTTP. The name is as for [`stdio`](Self::stdio).
    pub fn http(name: impl Into<String>, url: impl Into<ServerUrl>) -> Self {
        Self::of(name.into(), Place::Url(url.into()))
    }

    fn of(name: String, place: Place) -> Self {
        Self {
            name,
            place,
            era: Era::default(),
            timeout: Duration::from_mins(1),
            connect_timeout: Duration::from_secs(15),
            limits: BridgeLimits::default(),
            reconnect: Reconnect::default(),
            trusts_hints: false,
        }
    }

    /// The same with this time for each call, and for each page of the list; else it is one minute. A call that takes longer
    /// is cancelled at the server.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The same with this time for a connection, from the start of the process to its answer to the greeting; else it is 15
    /// seconds. A program that fetches or compiles the server first needs more. It holds for each attempt to
    /// [reconnect](Self::reconnect), too.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// The same with these limits.
    #[must_use]
    pub fn limits(mut self, limits: BridgeLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The same, which connects anew in this way.
    #[must_use]
    pub fn reconnect(mut self, reconnect: Reconnect) -> Self {
        self.reconnect = reconnect;
        self
    }

    /// The same with this greeting.
    #[must_use]
    pub fn era(mut self, era: Era) -> Self {
        self.era = era;
        self
    }

    /// The same for a server that the host vouches for: what it says of a tool's behaviour becomes the tool's
    /// [`Behaviour`](crate::Behaviour), and what is read-only may run beside other calls.
    ///
    /// Policies may approve what is read-only, and a failed call of it is told to have changed nothing, so of any other server
    /// this stays what it is: a hint, in the [report](BridgedTool::hints).
    #[must_use]
    pub fn trust_hints(mut self) -> Self {
        self.trusts_hints = true;
        self
    }

    /// Connects, lists the tools, and registers them with the dispatcher (for its scopes, too). From then on the bridge keeps
    /// them as the server has them, for as long as the connection is held.
    ///
    /// # Errors
    /// If the server can't be reached or does not list its tools in time, if its list is none, or if a name is taken. Nothing
    /// is registered then, and no process is left behind.
    pub async fn connect(self, dispatcher: &Dispatcher) -> Result<Connection, BridgeError> {
        let name = ServerName::new(self.name)?;
        if let Place::Url(url) = &self.place {
            url.check()?;
        }
        if self.timeout.is_zero() || self.connect_timeout.is_zero() {
            return Err(BridgeError::invalid("both timeouts of a bridge are more than zero"));
        }
        let server = name.as_str().to_owned();
        let dial = Dial {
            server: server.clone(),
            place: self.place,
            era: self.era,
            wait: self.timeout,
            greeting: self.connect_timeout,
            limits: self.limits,
        };
        let connected = dial.connect().await?;
        let (report, mut reports) = watch::channel(BridgeReport {
            server: server.clone(),
            status: BridgeStatus::Connected,
            revision: connected.revision.clone(),
            generation: 0,
            tools: Vec::new(),
            left_out: Vec::new(),
            problem: None,
        });
        let (refresh, refreshes) = mpsc::channel(MAX_REFRESHES);
        let closing = Cancellation::new();
        let mut supervisor = Supervisor {
            name,
            dial,
            reconnect: self.reconnect,
            timeout: self.timeout,
            trusts_hints: self.trusts_hints,
            dispatcher: dispatcher.clone(),
            link: Link::new(server),
            report,
            refreshes,
            closing: closing.clone(),
            keys: Vec::new(),
            entries: None,
        };
        if let Err(error) = supervisor.begin(&connected).await {
            connected.end().await;
            return Err(error);
        }
        reports.mark_unchanged();
        let task = tokio::spawn(supervisor.run(connected));
        Ok(Connection { reports, refresh, closing, task: Some(task) })
    }
}

impl fmt::Debug for Bridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bridge").field("name", &self.name).field("place", &self.place).finish_non_exhaustive()
    }
}

/// A bridge that is in use. Dropped, it is closed in the background: the tools are removed, and the server is told or ended.
pub struct Connection {
    reports: watch::Receiver<BridgeReport>,
    refresh: mpsc::Sender<Refresh>,
    closing: Cancellation,
    task: Option<JoinHandle<()>>,
}

impl Connection {
    /// What the bridge has made of the server so far.
    pub fn report(&self) -> BridgeReport {
        self.reports.borrow().clone()
    }

    /// Waits until the report has changed since this last told it, or since the bridge was connected; `None` once it can't
    /// change any more.
    pub async fn changed(&mut self) -> Option<BridgeReport> {
        self.reports.changed().await.ok()?;
        Some(self.reports.borrow_and_update().clone())
    }

    /// Lists the tools now, and swaps them in if they have changed. If the server was given up, it is connected once more;
    /// while it is being reconnected, this waits.
    ///
    /// # Errors
    /// If the list can't be had or not be registered; the tools are then those of before.
    pub async fn refresh(&self) -> Result<BridgeReport, BridgeError> {
        let (reply, outcome) = oneshot::channel();
        let closed = || BridgeError::Closed("the bridge was closed".to_owned());
        self.refresh.send(reply).await.map_err(|_| closed())?;
        outcome.await.map_err(|_| closed())?
    }

    /// Removes the tools, and ends the connection and the process with all that it has started. A call that is under way
    /// fails.
    pub async fn close(mut self) {
        self.closing.cancel();
        if let Some(task) = self.task.take() {
            // What fails in the task is told by it.
            drop(task.await);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("report", &*self.reports.borrow()).finish_non_exhaustive()
    }
}
