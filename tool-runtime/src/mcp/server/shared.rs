//! What all connections of a server share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use tokio::sync::{Semaphore, watch};

use super::catalogue::Catalogue;
use super::{ServerOptions, revision};
use crate::dialect::McpRevision;
use crate::dispatch::Dispatcher;
use crate::repair::Repair;
use crate::tool::Cancellation;

/// What all connections of a server share.
pub(super) struct Shared {
    dispatcher: Dispatcher,
    options: ServerOptions,
    /// As JSON, since from 2026-07-28 on it stands in every result.
    server_info: String,
    changes: watch::Receiver<u64>,
    catalogues: Mutex<Catalogues>,
    /// Turns of calls that run.
    turns: Semaphore,
    /// Places of calls that run or wait.
    places: Semaphore,
    /// Cancels every call.
    closing: Cancellation,
}

/// The tools in each revision that was asked for, as they are since some change.
#[derive(Default)]
struct Catalogues {
    since: u64,
    made: [Option<Arc<Catalogue>>; revision::ALL],
}

impl Shared {
    pub(super) fn new(dispatcher: Dispatcher, options: ServerOptions) -> Self {
        let dispatcher = dispatcher.repairing(Repair::NoneTaken);
        let server_info = serde_json::to_string(&implementation(&options)).unwrap_or_default();
        Self {
            changes: dispatcher.registry_changes(),
            turns: Semaphore::new(options.concurrent_calls),
            places: Semaphore::new(options.concurrent_calls + options.waiting_calls),
            dispatcher,
            options,
            server_info,
            catalogues: Mutex::default(),
            closing: Cancellation::new(),
        }
    }

    pub(super) fn options(&self) -> &ServerOptions {
        &self.options
    }

    pub(super) fn server_info(&self) -> &str {
        &self.server_info
    }

    pub(super) fn turns(&self) -> &Semaphore {
        &self.turns
    }

    pub(super) fn places(&self) -> &Semaphore {
        &self.places
    }

    pub(super) fn closing(&self) -> &Cancellation {
        &self.closing
    }

    /// How long a call that is told to stop may take.
    pub(super) fn grace(&self) -> Duration {
        self.dispatcher.grace() + Duration::from_millis(500)
    }

    /// Tells of changes that may have changed the tools.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }

    /// The tools in the words of a revision, made once for each state of the registry.
    pub(super) fn catalogue(&self, revision: McpRevision) -> Arc<Catalogue> {
        // Read before the registry: what changes in between is looked at once more.
        let since = *self.changes.borrow();
        let place = revision::place(revision);
        if let Some(made) = self.made(since, place) {
            return made;
        }
        let catalogue = Arc::new(Catalogue::new(&self.dispatcher, revision, &self.options, &self.server_info));
        let mut catalogues = self.catalogues.lock().unwrap_or_else(PoisonError::into_inner);
        if catalogues.since != since {
            *catalogues = Catalogues { since, made: Default::default() };
        }
        if let Some(slot) = catalogues.made.get_mut(place) {
            *slot = Some(Arc::clone(&catalogue));
        }
        catalogue
    }

    fn made(&self, since: u64, place: usize) -> Option<Arc<Catalogue>> {
        let catalogues = self.catalogues.lock().unwrap_or_else(PoisonError::into_inner);
        catalogues.made.get(place).filter(|_| catalogues.since == since).cloned().flatten()
    }

    /// What the server says of itself.
    pub(super) fn config(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let config = ServerConfig::new(capabilities).with_server_info(implementation(&self.options));
        match &self.options.instructions {
            Some(instructions) => config.with_instructions(instructions),
            None => config,
        }
    }
}

fn implementation(options: &ServerOptions) -> Implementation {
    let info = Implementation::new(&options.name, &options.version);
    match &options.title {
        Some(title) => info.with_title(title),
        None => info,
    }
}
