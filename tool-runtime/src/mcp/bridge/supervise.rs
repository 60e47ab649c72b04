//! The task of a bridge: it lists, swaps in, connects anew, and cleans up.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use rmcp::service::Subscription;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::BridgeError;
use super::limits::Reconnect;
use super::link::{Link, Now, Session};
use super::listed::{Common, is_bridged};
use super::listing::{self, Generation};
use super::name::ServerName;
use super::report::{BridgeReport, BridgeStatus};
use super::session::{Connected, Dial, subscribe};
use crate::dispatch::Dispatcher;
use crate::json::JsonValue;
use crate::registry::ToolKey;
use crate::tool::Cancellation;

/// A list that changes more often than this is listed once.
const PAUSE: Duration = Duration::from_millis(250);

/// After so long, a subscription that has ended is made anew.
const SUBSCRIBE_AGAIN: Duration = Duration::from_secs(5);

/// Who waits until the tools are listed anew.
pub(super) type Refresh = oneshot::Sender<Result<BridgeReport, BridgeError>>;

/// What a bridge is, whatever its connection.
pub(super) struct Supervisor {
    pub(super) name: ServerName,
    pub(super) dial: Dial,
    pub(super) reconnect: Reconnect,
    pub(super) timeout: Duration,
    pub(super) trusts_hints: bool,
    pub(super) dispatcher: Dispatcher,
    pub(super) link: Arc<Link>,
    pub(super) report: watch::Sender<BridgeReport>,
    pub(super) refreshes: mpsc::Receiver<Refresh>,
    pub(super) closing: Cancellation,
    /// What is registered, and of which list.
    pub(super) keys: Vec<ToolKey>,
    pub(super) entries: Option<Vec<JsonValue>>,
}

/// A connection that is served.
struct Served {
    connected: Connected,
    subscription: Option<Subscription>,
    /// When it is made anew.
    subscribe_at: Option<Instant>,
    /// The earliest time to list because of a change.
    list_at: Instant,
    since: Instant,
}

/// What happens next on a connection.
enum Event {
    Lost,
    Changed,
    Refresh(Refresh),
    Subscription(bool),
    Subscribe,
}

impl Supervisor {
    /// Lists the tools of a connection for the first time; then there is something to supervise.
    pub(super) async fn begin(&mut self, connected: &Connected) -> Result<(), BridgeError> {
        self.link.set(Now::Connected(connected.session.clone()));
        self.sync(&connected.session).await
    }

    /// Until the host closes the bridge.
    pub(super) async fn run(mut self, connected: Connected) {
        let closing = self.closing.clone();
        let mut served = Some(Served::new(connected, Instant::now() + PAUSE));
        tokio::select! {
            biased;
            () = closing.cancelled() => {}
            () = self.serve(&mut served) => {}
        }
        self.link.set(Now::Over);
        self.unregister();
        if let Some(served) = served {
            served.connected.end().await;
        }
        self.report.send_modify(|report| {
            report.status = BridgeStatus::Closed;
            report.tools.clear();
        });
    }

    /// Serves a connection, and the one after it, for ever.
    async fn serve(&mut self, served: &mut Option<Served>) {
        let mut attempts = 0;
        loop {
            if let Some(current) = served {
                self.serve_one(current).await;
                if current.since.elapsed() >= self.reconnect.longest {
                    attempts = 0;
                }
            }
            *served = None;
            match self.connect_again(&mut attempts).await {
                Some(connected) => *served = Some(connected),
                None => self.wait_for_a_refresh(served, &mut attempts).await,
            }
        }
    }

    /// Serves a connection until it is lost.
    async fn serve_one(&mut self, served: &mut Served) {
        loop {
            match served.next(&mut self.refreshes).await {
                Event::Lost => return,
                Event::Changed => {
                    // A failure is in the report, and the old tools stay.
                    drop(self.sync(&served.connected.session).await);
                    served.list_at = Instant::now() + PAUSE;
                }
                Event::Refresh(reply) => {
                    let outcome = self.sync(&served.connected.session).await.map(|()| self.report.borrow().clone());
                    // Whoever asked may have gone.
                    drop(reply.send(outcome));
                }
                Event::Subscription(true) => served.connected.session.inbox.list_changed(),
                Event::Subscription(false) => {
                    served.subscription = None;
                    served.subscribe_at = Some(Instant::now() + SUBSCRIBE_AGAIN);
                }
                Event::Subscribe => {
                    served.subscription = subscribe(&served.connected.session, self.dial.wait).await;
                    served.subscribe_at = None;
                    // What has changed before is not told.
                    served.connected.session.inbox.list_changed();
                }
            }
        }
    }

    /// Makes the connection anew, in as many attempts as there are left.
    async fn connect_again(&mut self, attempts: &mut u32) -> Option<Served> {
        self.report.send_modify(|report| report.status = BridgeStatus::Reconnecting);
        while *attempts < self.reconnect.attempts {
            let wait = self.reconnect.wait(*attempts);
            *attempts += 1;
            self.link.set(Now::Reconnecting(wait));
            sleep(wait).await;
            match self.connect_once().await {
                Ok(served) => return Some(served),
                Err(error) => self.tell(&error),
            }
        }
        None
    }

    async fn connect_once(&mut self) -> Result<Served, BridgeError> {
        let connected = self.dial.connect().await?;
        self.link.set(Now::Connected(connected.session.clone()));
        let revision = connected.revision.clone();
        self.report.send_modify(|report| {
            report.status = BridgeStatus::Connected;
            report.revision = revision;
            report.problem = None;
        });
        // The tools of before stay if the server does not list them now; they may well work.
        drop(self.sync(&connected.session).await);
        Ok(Served::new(connected, Instant::now() + PAUSE))
    }

    /// The server was given up. The host may try once more.
    async fn wait_for_a_refresh(&mut self, served: &mut Option<Served>, attempts: &mut u32) {
        self.link.set(Now::Over);
        self.report.send_modify(|report| report.status = BridgeStatus::GivenUp);
        let Some(reply) = self.refreshes.recv().await else { pending().await };
        let outcome = match self.connect_once().await {
            Ok(made) => {
                *attempts = 0;
                *served = Some(made);
                Ok(self.report.borrow().clone())
            }
            Err(error) => {
                self.tell(&error);
                Err(error)
            }
        };
        drop(reply.send(outcome));
    }

    /// Lists the tools, and swaps them in for those of before: all, or none.
    async fn sync(&mut self, session: &Session) -> Result<(), BridgeError> {
        let outcome = self.sync_or_fail(session).await;
        match &outcome {
            Ok(()) => self.report.send_modify(|report| report.problem = None),
            Err(error) => self.tell(error),
        }
        outcome
    }

    async fn sync_or_fail(&mut self, session: &Session) -> Result<(), BridgeError> {
        let entries = listing::all(session, &self.name, &self.dial.limits, self.dial.wait).await?;
        if self.entries.as_ref() == Some(&entries) {
            return Ok(());
        }
        let common = Common {
            server: self.name.as_str(),
            link: &self.link,
            limits: &self.dial.limits,
            timeout: self.timeout,
            trusts_hints: self.trusts_hints,
            any_value: session.any_value,
        };
        // What takes time is done before the registry is touched.
        let Generation { registry, tools, left_out } = Generation::of(&entries, &self.name, &common)?;
        let mut is_server = false;
        let changed = self.dispatcher.change_registry(|own| {
            for key in &self.keys {
                own.remove(key);
            }
            is_server = tools.iter().filter_map(|tool| own.spec(&tool.name)).any(is_bridged);
            own.all_of(&registry)?;
            Ok(tools.iter().filter_map(|tool| own.key(&tool.name)).collect())
        });
        self.keys =
            changed.map_err(|error| if is_server { BridgeError::taken(self.name.as_str()) } else { error.into() })?;
        self.entries = Some(entries);
        self.report.send_modify(|report| {
            report.generation += 1;
            (report.tools, report.left_out) = (tools, left_out);
        });
        Ok(())
    }

    fn unregister(&mut self) {
        let keys = std::mem::take(&mut self.keys);
        let removed = self.dispatcher.change_registry(|own| {
            for key in &keys {
                own.remove(key);
            }
            Ok(())
        });
        if let Err(error) = removed {
            tracing::warn!(server = self.name.as_str(), "the tools of an MCP server stay registered: {error}");
        }
    }

    fn tell(&self, error: &BridgeError) {
        tracing::warn!(server = self.name.as_str(), "{error}");
        self.report.send_modify(|report| report.problem = Some(error.to_string()));
    }
}

impl Served {
    fn new(connected: Connected, list_at: Instant) -> Self {
        let subscribe_at = connected.subscribes.then(Instant::now);
        Self { connected, subscription: None, subscribe_at, list_at, since: Instant::now() }
    }

    async fn next(&mut self, refreshes: &mut mpsc::Receiver<Refresh>) -> Event {
        let inbox = Arc::clone(&self.connected.session.inbox);
        let changed = async {
            sleep_until(self.list_at).await;
            inbox.changed().await;
        };
        let subscribe = async {
            match self.subscribe_at {
                Some(at) => sleep_until(at).await,
                None => pending().await,
            }
        };
        let subscription = async {
            match &mut self.subscription {
                Some(subscription) => matches!(subscription.next().await, Ok(Some(_))),
                None => pending().await,
            }
        };
        tokio::select! {
            () = self.connected.ended() => Event::Lost,
            Some(reply) = refreshes.recv() => Event::Refresh(reply),
            () = subscribe => Event::Subscribe,
            told = subscription => Event::Subscription(told),
            () = changed => Event::Changed,
        }
    }
}
