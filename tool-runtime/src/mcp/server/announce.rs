//! Telling clients that the tools have changed.

use std::future::pending;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::{Peer, SubscriptionContext};
use tokio::sync::watch;

use super::catalogue::Catalogue;
use super::revision;
use super::shared::Shared;
use crate::dialect::McpRevision;

/// The revision whose list is compared: it leaves nothing out that another has.
const COMPARED: McpRevision = McpRevision::V2026_07_28;

/// What a client was told of last.
struct Known {
    changes: watch::Receiver<u64>,
    catalogue: Arc<Catalogue>,
}

impl Known {
    fn now(shared: &Shared) -> Self {
        let mut changes = shared.changes();
        changes.mark_unchanged();
        Self { changes, catalogue: shared.catalogue(COMPARED) }
    }

    /// Ends when the list is another. Not every change of a registry changes what is visible.
    async fn changed(&mut self, shared: &Shared) {
        loop {
            if self.changes.changed().await.is_err() {
                return pending().await;
            }
            let catalogue = shared.catalogue(COMPARED);
            if catalogue.text() != self.catalogue.text() {
                self.catalogue = catalogue;
                return;
            }
        }
    }
}

/// Tells a client that began with a handshake; ends when it can't be told any more, and never for another client.
pub(super) async fn to_legacy(shared: &Shared, peer: &Peer<RoleServer>) {
    if !peer.peer_info().is_some_and(|info| revision::has_handshake(&info.protocol_version)) {
        return pending().await;
    }
    let mut known = Known::now(shared);
    loop {
        known.changed(shared).await;
        if peer.notify_tool_list_changed().await.is_err() {
            return;
        }
    }
}

/// Tells a client that listens, until it stops or the server does.
pub(super) async fn to_listener(shared: &Shared, listener: &SubscriptionContext) {
    let mut known = Known::now(shared);
    loop {
        tokio::select! {
            () = known.changed(shared) => {}
            () = listener.cancelled() => return,
            () = shared.closing().cancelled() => return,
            () = shared.options().shutdown.cancelled() => return,
        }
        if listener.sink().notify_tool_list_changed().await.is_err() {
            return;
        }
    }
}
