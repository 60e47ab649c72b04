//! The stdio transport: frames to messages of `rmcp`, and back.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleClient;
use rmcp::model::{
    ClientNotification, ClientRequest, CustomResult, ErrorCode, ErrorData, JsonRpcMessage, NumberOrString,
    ProgressNotificationParam, ServerResult,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

use super::frame::{Frame, Frames};
use super::heard::Heard;
use super::inbox::Inbox;
use super::process::Process;
use crate::json::JsonValue;

/// The code that marks an answer which can't be read; servers use other codes.
pub(super) const UNREADABLE: ErrorCode = ErrorCode(-31_999);

type Asked = Arc<Mutex<HashSet<NumberOrString>>>;

/// The transport over the streams of a process.
///
/// Results of calls and lists go through as they are: read as one of the protocol's many kinds of results, what a server
/// adds or leaves out would change what they mean.
pub(super) struct Wire<R, W> {
    frames: Frames<R>,
    write: Arc<tokio::sync::Mutex<Option<W>>>,
    /// The requests whose results are not `rmcp`'s to read.
    asked: Asked,
    inbox: Arc<Inbox>,
    heard: Arc<Heard>,
    process: Option<Process>,
    /// The question for the newest revision, and the same once the server was greeted in the old way: one that starts slowly
    /// answers both, and the first answer is for nobody.
    asked_first: Option<NumberOrString>,
    abandoned: Option<NumberOrString>,
    /// Whether anything was answered.
    answers: bool,
}

impl<R: AsyncRead + Unpin, W> Wire<R, W> {
    pub(super) fn new(
        read: R,
        write: W,
        most: usize,
        inbox: Arc<Inbox>,
        heard: Arc<Heard>,
        process: Option<Process>,
    ) -> Self {
        let write = Arc::new(tokio::sync::Mutex::new(Some(write)));
        let (frames, asked) = (Frames::new(read, most), Asked::default());
        Self { frames, write, asked, inbox, heard, process, asked_first: None, abandoned: None, answers: false }
    }

    /// What `rmcp` is told of a message; `None` if nothing.
    fn take(&mut self, message: JsonValue) -> Option<RxJsonRpcMessage<RoleClient>> {
        if let Some(method) = message.get("method").and_then(JsonValue::as_str) {
            return self.take_notice(method, &message);
        }
        let Some(id) = id_of(&message) else {
            self.heard.noise(&message);
            return None;
        };
        self.answers = true;
        if self.abandoned.as_ref() == Some(&id) {
            return None;
        }
        let is_ours = asked(&self.asked).remove(&id);
        match message {
            JsonValue::Object(mut answer) if is_ours && answer.get("error").is_none_or(JsonValue::is_null) => {
                let result = answer.remove("result").unwrap_or_default();
                Some(JsonRpcMessage::response(ServerResult::CustomResult(CustomResult::new(result)), id))
            }
            answer => Some(serde_json::from_value(answer).unwrap_or_else(|_| unreadable(id, "it is no answer"))),
        }
    }

    /// Progress stays in the order in which it comes, so it does not go through tasks of `rmcp`'s.
    fn take_notice(&self, method: &str, message: &JsonValue) -> Option<RxJsonRpcMessage<RoleClient>> {
        match method {
            "notifications/progress" => {
                let params = message.get("params").cloned().unwrap_or_default();
                if let Ok(params) = serde_json::from_value::<ProgressNotificationParam>(params) {
                    self.inbox.report(&params);
                }
                return None;
            }
            "notifications/tools/list_changed" => self.inbox.list_changed(),
            _ => {}
        }
        serde_json::from_value(message.clone()).ok()
    }
}

impl<R, W> Transport<RoleClient> for Wire<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        match &item {
            JsonRpcMessage::Request(request) => match &request.request {
                ClientRequest::CallToolRequest(_) | ClientRequest::ListToolsRequest(_) => {
                    asked(&self.asked).insert(request.id.clone());
                }
                ClientRequest::DiscoverRequest(_) => self.asked_first = Some(request.id.clone()),
                ClientRequest::InitializeRequest(_) => self.abandoned = self.asked_first.take(),
                _ => {}
            },
            JsonRpcMessage::Notification(notice) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notice.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // Nobody waits for the answer any more, and it may never come.
                    asked(&self.asked).remove(id);
                }
            }
            _ => {}
        }
        let (write, answers) = (Arc::clone(&self.write), self.answers);
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut write = write.lock().await;
            let write = write.as_mut().ok_or(io::ErrorKind::NotConnected)?;
            let sent = async {
                write.write_all(&line).await?;
                write.flush().await
            };
            match sent.await {
                // A program that has ended may have said why: what it wrote is read first, and then its end is met.
                Err(error) if !answers && error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                sent => sent,
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            match self.frames.next().await? {
                Frame::Message(message) if !self.answers && is_greeting(&message) => {
                    self.heard.echo(&message);
                    return None;
                }
                Frame::Message(message) => {
                    if let Some(message) = self.take(message) {
                        return Some(message);
                    }
                }
                Frame::Unreadable(id, problem) => {
                    asked(&self.asked).remove(&id);
                    return Some(unreadable(id, &problem));
                }
                Frame::Noise(line) => {
                    tracing::debug!("a line of an MCP server is no message and was passed over");
                    if !line.is_empty() {
                        self.heard.noise(&line);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        // Without its input, a server ends by itself. One that does not read it may hold the lock: it is killed.
        if let Ok(mut write) = self.write.try_lock() {
            *write = None;
        }
        match self.process.take() {
            Some(process) => process.end().await,
            None => Ok(()),
        }
    }
}

/// Whether it is what only a client asks: a program that is no server gives back what it gets.
fn is_greeting(message: &JsonValue) -> bool {
    matches!(message.get("method").and_then(JsonValue::as_str), Some("initialize" | "server/discover"))
}

/// The id of an answer. Our own are numbers, which some servers give back as text.
fn id_of(message: &JsonValue) -> Option<NumberOrString> {
    match message.get("id")? {
        JsonValue::String(id) => {
            let number = id.parse().ok().map(NumberOrString::Number);
            Some(number.unwrap_or_else(|| NumberOrString::String(id.as_str().into())))
        }
        id => id.as_i64().map(NumberOrString::Number),
    }
}

fn unreadable(id: NumberOrString, problem: &str) -> RxJsonRpcMessage<RoleClient> {
    JsonRpcMessage::error(ErrorData::new(UNREADABLE, problem.to_owned(), None), Some(id))
}

// Every change is whole when it is made.
fn asked(asked: &Asked) -> MutexGuard<'_, HashSet<NumberOrString>> {
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}
