//! Making a connection: the process or the address, then the protocol's greeting, of the newest era that the server knows.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{ProtocolVersion, SubscriptionFilter};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, RoleClient, RunningService,
    RunningServiceCancellationToken, Subscription,
};
use tokio::time::{Instant, timeout, timeout_at};

use super::BridgeError;
use super::client::Client;
use super::heard::Heard;
use super::http::ServerUrl;
use super::inbox::Inbox;
use super::limits::BridgeLimits;
use super::line::one_line;
use super::link::Session;
use super::process::{ServerCommand, Started};
use super::refusal::{is_lost, lost, told};
use super::wire::Wire;

/// How long a connection may take to end.
const ENDING: Duration = Duration::from_secs(6);

/// No clock is asked for a time further away.
const LONGEST: Duration = Duration::from_hours(24 * 365);

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
    /// For each page of the list, and for a subscription.
    pub(super) wait: Duration,
    /// For the connection, from the start of the process to the answer to the greeting.
    pub(super) greeting: Duration,
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
        let until = Instant::now() + self.greeting.min(LONGEST);
        match &self.place {
            Place::Command(command) => match self.start(command, self.era, until).await {
                Err(NotStarted { again: Some(era), .. }) if self.era == Era::Any => {
                    self.start(command, era, until).await.map_err(|not| not.error)
                }
                made => made.map_err(|not| not.error),
            },
            Place::Url(url) => {
                let inbox = Arc::<Inbox>::default();
                let client = Client { inbox: Arc::clone(&inbox) };
                let made = client.serve_with_lifecycle(url.transport(&self.limits)?, lifecycle(self.era));
                match timeout_at(until, made).await {
                    Ok(Ok(service)) => Ok(Connected::new(service, inbox)),
                    Ok(Err(error)) => Err(self.failed(&url.without_secrets(&told(&error)), "")),
                    Err(_) => Err(self.failed(&self.too_late(None), "")),
                }
            }
        }
    }

    /// Starts a process and greets it.
    async fn start(&self, command: &ServerCommand, era: Era, until: Instant) -> Result<Connected, NotStarted> {
        let not = |error, again| NotStarted { error, again };
        let Started { process, input, output, said, given_up } = command
            .start(&self.server)
            .map_err(|error| not(self.failed(&format!("it can't be started: {error}"), ""), None))?;
        let (inbox, heard) = (Arc::<Inbox>::default(), Arc::<Heard>::default());
        let most = self.limits.message_bytes;
        let wire = Wire::new(output, input, most, Arc::clone(&inbox), Arc::clone(&heard), Some(process));
        let client = Client { inbox: Arc::clone(&inbox) };
        let (problem, again) = match timeout_at(until, client.serve_with_lifecycle(wire, lifecycle(era))).await {
            Ok(Ok(service)) => return Ok(Connected::new(service, inbox)),
            Ok(Err(error)) => match heard.echoed() {
                Some(line) => {
                    drop(given_up);
                    (format!("it answers, but not in the protocol: {line}"), None)
                }
                None if is_lost(&error) => (lost(given_up.status().await, heard.first()), again(&error)),
                None => {
                    drop(given_up);
                    (told(&error), again(&error))
                }
            },
            Err(_) => {
                drop(given_up);
                (self.too_late(heard.first()), None)
            }
        };
        Err(not(self.failed(&problem, &said.all().await), again))
    }

    fn too_late(&self, heard: Option<&str>) -> String {
        let seconds = self.greeting.as_secs_f64();
        match heard {
            Some(line) => {
                format!("it answers, but not in the protocol: {line} (and nothing in the protocol within {seconds} s)")
            }
            None => format!("no answer within {seconds} s"),
        }
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
