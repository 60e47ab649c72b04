//! The way from a tool to its server: the connection as it is now.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam, ClientRequest,
    NumberOrString, ServerResult,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, RoleClient, ServiceError};
use tokio::time::timeout;

use super::failure;
use super::inbox::Inbox;
use super::value::Asked;
use super::wire::UNREADABLE;
use crate::error::ToolError;
use crate::json::JsonValue;
use crate::tool::Context;

/// How long a server may take to take the notice that a call was cancelled; then the call ends all the same.
const NOTICE: Duration = Duration::from_millis(250);

/// What the tools of a server share, over all of its connections.
pub(super) struct Link {
    server: String,
    now: Mutex<Now>,
}

/// How things stand.
#[derive(Clone)]
pub(super) enum Now {
    Connected(Session),
    /// With the wait until the next attempt.
    Reconnecting(Duration),
    Over,
}

/// One connection.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) peer: Peer<RoleClient>,
    pub(super) inbox: Arc<Inbox>,
    /// Whether the revision is one whose structured content may be any value.
    pub(super) any_value: bool,
}

impl Link {
    pub(super) fn new(server: String) -> Arc<Self> {
        Arc::new(Self { server, now: Mutex::new(Now::Over) })
    }

    pub(super) fn set(&self, now: Now) {
        let before = std::mem::replace(&mut *self.now.lock().unwrap_or_else(PoisonError::into_inner), now);
        drop(before);
    }

    fn session(&self) -> Result<Session, ToolError> {
        match &*self.now.lock().unwrap_or_else(PoisonError::into_inner) {
            Now::Connected(session) => Ok(session.clone()),
            Now::Reconnecting(wait) => Err(failure::unavailable(&self.server, Some(*wait))),
            Now::Over => Err(failure::unavailable(&self.server, None)),
        }
    }

    /// Calls a tool by the name that its server knows.
    pub(super) async fn call(&self, raw: &str, arguments: &JsonValue, cx: &Context) -> Result<JsonValue, ToolError> {
        let session = self.session()?;
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let params = CallToolRequestParams::new(raw.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = session.peer.send_request_with_option(request, PeerRequestOptions::no_options());
        let sent = tokio::select! {
            biased;
            () = cx.cancelled() => return Err(ToolError::aborted()),
            sent = sent => sent.map_err(|error| self.failed(error))?,
        };
        let answer = self.answer(&session, Pending::new(sent), cx).await?;
        let result = self.result(answer)?;
        Asked { server: &self.server, raw, any_value: session.any_value }.value(result)
    }

    /// Waits for the answer, and tells how far the call is. A call that is cancelled, or whose time is up, is cancelled there.
    async fn answer(&self, session: &Session, mut pending: Pending, cx: &Context) -> Result<ServerResult, ToolError> {
        let mut watch = session.inbox.watch(pending.token());
        loop {
            tokio::select! {
                biased;
                () = cx.cancelled() => {
                    pending.cancel().await;
                    return Err(ToolError::aborted());
                }
                Some(progress) = watch.next() => cx.progress(progress),
                answer = pending.answer() => return answer.map_err(|error| self.failed(error)),
            }
        }
    }

    /// The result as JSON. Results that `rmcp` has taken for something else than what a call gives are none.
    fn result(&self, answer: ServerResult) -> Result<JsonValue, ToolError> {
        let result = match answer {
            ServerResult::CustomResult(result) => return Ok(result.0),
            ServerResult::CallToolResult(_)
            | ServerResult::InputRequiredResult(_)
            | ServerResult::CreateTaskResult(_)
            | ServerResult::TaskAckResult(_)
            | ServerResult::EmptyResult(_) => serde_json::to_value(answer).map_err(|error| error.to_string()),
            _ => Err("it is the result of another request".to_owned()),
        };
        result.map_err(|problem| failure::invalid_result(&self.server, &problem))
    }

    fn failed(&self, error: ServiceError) -> ToolError {
        match error {
            ServiceError::McpError(error) if error.code == UNREADABLE => {
                failure::invalid_result(&self.server, &error.message)
            }
            ServiceError::McpError(error) => failure::protocol_error(&self.server, error.code.0, &error.message),
            error => failure::connection_lost(&self.server).with_source(error),
        }
    }
}

/// A request whose answer is waited for. If nobody waits any more, the server learns of it.
struct Pending(Option<RequestHandle<RoleClient>>);

impl Pending {
    fn new(handle: RequestHandle<RoleClient>) -> Self {
        Self(Some(handle))
    }

    fn token(&self) -> NumberOrString {
        self.0.as_ref().map_or(NumberOrString::Number(-1), |handle| handle.progress_token.0.clone())
    }

    async fn answer(&mut self) -> Result<ServerResult, ServiceError> {
        let Some(handle) = &mut self.0 else { return Err(ServiceError::TransportClosed) };
        let answer = (&mut handle.rx).await.unwrap_or(Err(ServiceError::TransportClosed));
        self.0 = None;
        answer
    }

    async fn cancel(&mut self) {
        if let Some(handle) = self.0.take() {
            drop(timeout(NOTICE, handle.cancel(Some("the caller has cancelled the call".to_owned()))).await);
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let (Some(handle), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) else { return };
        let params = CancelledNotificationParam::new(Some(handle.id.clone()), Some("nobody waits any more".to_owned()));
        let peer = handle.peer.clone();
        runtime.spawn(async move {
            drop(timeout(NOTICE, peer.send_notification(CancelledNotification::new(params).into())).await);
        });
    }
}
