//! Making a connection: the process or the address, then the protocol's greeting, of the newest era that the server knows.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ProtocolVersion, SubscriptionFilter};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, RoleClient, RunningService,
    RunningServiceCancellationToken, Subscription,
};
use tokio::time::timeout;

use super::BridgeError;
use super::client::Client;
use super::http::ServerUrl;
use super::inbox::Inbox;
use super::limits::BridgeLimits;
use super::line::one_line;
use super::link::Session;
use super::process::{ServerCommand, Started};
use super::wire::Wire;

/// How long a connection may take to end.
const ENDING: Duration = Duration::from_secs(6);

/// Which greeting of the protocol is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Era {
    /// That of 2026-07-28 first, and that of before if the server does not know it.
    #[default]
    Any,
    /// That of revisions before 2026-07-28 only, `initialize`: for servers that do not answer anything else.
    Initialize,
    /// That of 2026-07-28 only, `server/discover`.
    Discover,
}

/// Where a server is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Command(ServerCommand),
    Url(ServerUrl),
}

/// What a connection is made with.
#[derive(Clone, Debug)]
pub(super) struct Dial {
    pub(super) server: String,
    pub(super) place: Place,
    pub(super) era: Era,
    pub(super) wait: Duration,
    pub(super) limits: BridgeLimits,
}

/// A connection that was made. Dropped, it ends.
pub(super) struct Connected {
    pub(super) session: Session,
    pub(super) revision: String,
    /// Whether the server tells when its list changes only to who subscribes.
    pub(super) subscribes: bool,
    token: Option<RunningServiceCancellationToken>,
    ended: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl Connected {
    fn new(service: RunningService<RoleClient, Client>, inbox: Arc<Inbox>) -> Self {
        let peer = service.peer().clone();
        let info = peer.peer_info();
        let revision = info.as_ref().map(|info| info.protocol_version.clone()).unwrap_or_default();
        let changes = info.and_then(|info| info.capabilities.tools.clone()).and_then(|tools| tools.list_changed);
        let is_newest = revision >= ProtocolVersion::V_2026_07_28;
        Self {
            session: Session { peer, inbox, any_value: is_newest },
            revision: one_line(revision.as_str(), 40),
            subscribes: is_newest && changes == Some(true),
            token: Some(service.cancellation_token()),
            ended: Box::pin(async move { drop(service.waiting().await) }),
        }
    }

    /// Ends when the connection does.
    pub(super) async fn ended(&mut self) {
        self.ended.as_mut().await;
    }

    /// Ends the connection, and the process with it.
    pub(super) async fn end(mut self) {
        if let Some(token) = self.token.take() {
            token.cancel();
            drop(timeout(ENDING, self.ended).await);
        }
    }
}

/// Subscribes to changes of the list; `None` if the server takes no subscription.
pub(super) async fn subscribe(session: &Session, wait: Duration) -> Option<Subscription> {
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    match timeout(wait, session.peer.listen(filter)).await {
        Ok(Ok(subscription)) => Some(subscription),
        Ok(Err(error)) => {
            tracing::debug!("an MCP server takes no subscription to its list of tools: {error}");
            None
        }
        Err(_) => None,
    }
}

impl Dial {
    /// Makes a connection.
    pub(super) async fn connect(&self) -> Result<Connected, BridgeError> {
        match &self.place {
            Place::Command(command) => match self.start(command, self.era).await {
                Err(NotStarted { again: Some(era), .. }) if self.era == Era::Any => {
                    self.start(command, era).await.map_err(|not| not.error)
                }
                made => made.map_err(|not| not.error),
            },
            Place::Url(url) => {
                let inbox = Arc::<Inbox>::default();
                let client = Client { inbox: Arc::clone(&inbox) };
                let made = client.serve_with_lifecycle(url.transport(&self.limits)?, lifecycle(self.era));
                match timeout(self.wait, made).await {
                    Ok(Ok(service)) => Ok(Connected::new(service, inbox)),
                    Ok(Err(error)) => Err(self.failed(&url.without_secrets(&told(&error)), "")),
                    Err(_) => Err(self.failed(&self.too_late(), "")),
                }
            }
        }
    }

    /// Starts a process and greets it.
    async fn start(&self, command: &ServerCommand, era: Era) -> Result<Connected, NotStarted> {
        let not = |error, again| NotStarted { error, again };
        let Started { process, input, output, said } = command
            .start(&self.server)
            .map_err(|error| not(self.failed(&format!("it can't be started: {error}"), ""), None))?;
        let inbox = Arc::<Inbox>::default();
        let wire = Wire::new(output, input, self.limits.message_bytes, Arc::clone(&inbox), Some(process));
        let client = Client { inbox: Arc::clone(&inbox) };
        match timeout(self.wait, client.serve_with_lifecycle(wire, lifecycle(era))).await {
            Ok(Ok(service)) => Ok(Connected::new(service, inbox)),
            Ok(Err(error)) => {
                let again = again(&error);
                Err(not(self.failed(&told(&error), &said.all().await), again))
            }
            Err(_) => Err(not(self.failed(&self.too_late(), &said.all().await), None)),
        }
    }

    fn too_late(&self) -> String {
        format!("no answer within {}ms", self.wait.as_millis())
    }

    fn failed(&self, problem: &str, said: &str) -> BridgeError {
        let server = &self.server;
        let said = if said.is_empty() { String::new() } else { format!("; its error output ends with: {said}") };
        BridgeError::connect(format!("the MCP server {server:?} can't be connected: {}{said}", one_line(problem, 1000)))
    }
}

/// A process that did not get as far as to speak the protocol.
struct NotStarted {
    error: BridgeError,
    /// The greeting that it may know instead.
    again: Option<Era>,
}

/// Some old servers end when they are asked what they don't know; and one that knows nothing older may have been too slow for
/// the first question, and refuse the second.
fn again(error: &ClientInitializeError) -> Option<Era> {
    match error {
        ClientInitializeError::ConnectionClosed(_) => Some(Era::Initialize),
        ClientInitializeError::JsonRpcError(_) => Some(Era::Discover),
        _ => None,
    }
}

/// The error with its causes.
fn told(error: &ClientInitializeError) -> String {
    let mut told = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let cause_told = cause.to_string();
        if !told.contains(&cause_told) {
            told = format!("{told}: {cause_told}");
        }
        source = cause.source();
    }
    told
}

fn lifecycle(era: Era) -> ClientLifecycleMode {
    let preferred_versions = vec![ProtocolVersion::LATEST];
    match era {
        Era::Any => ClientLifecycleMode::Auto {
            preferred_versions,
            legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
        },
        Era::Initialize => ClientLifecycleMode::Initialize,
        Era::Discover => ClientLifecycleMode::Discover { preferred_versions },
    }
}
