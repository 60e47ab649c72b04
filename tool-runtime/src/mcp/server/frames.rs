//! Messages over two streams, one a line.
//!
//! rmcp has such a transport; this one knows which requests are not answered yet, writes answers that are texts as they are,
//! answers a request that it can't read with its id, and ends when what is under way has ended.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorData, GetExtensions, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use super::arguments::RawArguments;
use super::lines::{Line, Lines};
use super::pending::Pending;
use super::shared::Shared;

/// Messages over two streams.
pub(super) struct Frames<R, W> {
    lines: Lines<R>,
    output: Arc<Mutex<W>>,
    pending: Arc<Pending>,
    shared: Arc<Shared>,
    /// An answer to what could not be read. It is kept until it is written, since whoever receives may be dropped.
    reply: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// Whether there was a request; what comes before the first one belongs to no session.
    has_begun: bool,
    /// When the input ended.
    ended: Option<Instant>,
    is_cut_off: bool,
}

/// What a line turned out to be.
enum Read {
    Message(Box<ClientJsonRpcMessage>),
    /// It wants an answer, and rmcp would give none that its sender could use.
    Refused(ErrorData, Option<RequestId>),
    Nothing,
}

impl<R, W> Frames<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(input: R, output: W, pending: Arc<Pending>, shared: Arc<Shared>) -> Self {
        let lines = Lines::new(input, shared.options().message_bytes);
        let output = Arc::new(Mutex::new(output));
        Self { lines, output, pending, shared, reply: None, has_begun: false, ended: None, is_cut_off: false }
    }

    /// Writes a line, whole or not at all as far as others can see.
    fn write(&self, line: Vec<u8>) -> impl Future<Output = io::Result<()>> + Send + 'static + use<R, W> {
        let (output, pending) = (Arc::clone(&self.output), Arc::clone(&self.pending));
        async move {
            let mut output = output.lock().await;
            let written = match output.write_all(&line).await {
                Ok(()) => output.flush().await,
                Err(error) => Err(error),
            };
            if written.is_err() {
                pending.set_unread();
            }
            written
        }
    }

    fn refuse(&mut self, error: ErrorData, id: Option<RequestId>) {
        let reply = self.write(line_of(&ServerJsonRpcMessage::error(error, id)));
        self.reply = Some(Box::pin(async move {
            let _ = reply.await;
        }));
    }

    /// The next message of the input; `None` at its end.
    async fn next(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(reply) = &mut self.reply {
                reply.await;
                self.reply = None;
            }
            let most = self.shared.options().message_bytes;
            let read = match self.lines.next().await {
                Ok(Line::Whole(line)) => read(line),
                Ok(Line::Last([])) => return None,
                Ok(Line::Last(line)) => match read(line) {
                    // Half a message is none.
                    Read::Refused(..) => return None,
                    read => read,
                },
                Ok(Line::TooLong) => {
                    let told = format!("a message may have {most} bytes, and this one had more; it was passed over");
                    Read::Refused(ErrorData::invalid_request(told, None), None)
                }
                Err(error) => {
                    tracing::error!(%error, "the input can't be read");
                    return None;
                }
            };
            match read {
                Read::Message(message) => {
                    if let Some(message) = self.begun(*message) {
                        return Some(message);
                    }
                }
                Read::Refused(error, id) => self.refuse(error, id),
                Read::Nothing => {}
            }
        }
    }

    /// The message, if it goes on to rmcp.
    fn begun(&mut self, mut message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        match &mut message {
            JsonRpcMessage::Request(request) => {
                let Some(prepared) = self.pending.begin(&request.id) else {
                    let told = format!("the id {} is that of another request that is not answered yet", request.id);
                    self.refuse(ErrorData::invalid_request(told, None), Some(request.id.clone()));
                    return None;
                };
                self.has_begun = true;
                request.request.extensions_mut().insert(prepared);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.pending.cancel(id);
                }
            }
            _ => {}
        }
        // rmcp would end a session that begins with anything else.
        self.has_begun.then_some(message)
    }

    /// Ends when what is under way has, at the latest when the time for it is over.
    async fn drain(&mut self) {
        let options = self.shared.options();
        let since = *self.ended.get_or_insert_with(Instant::now);
        if !self.is_cut_off {
            tokio::select! {
                () = self.pending.none() => return,
                () = sleep_until(since + options.drain) => {}
            }
            self.is_cut_off = true;
            self.pending.cut_off();
            self.shared.closing().cancel();
        }
        // Calls that were told to stop are given their grace, and rmcp waits for no longer than some seconds more.
        let grace = self.shared.grace();
        tokio::select! {
            () = self.pending.none() => {}
            () = sleep_until(since + options.drain + grace) => {}
        }
    }
}

impl<R, W> Transport<RoleServer> for Frames<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = match &message {
            JsonRpcMessage::Response(response) => match self.pending.end(&response.id) {
                Some(text) => answer_line(&response.id, text.as_str()),
                None => line_of(&message),
            },
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    self.pending.end(id);
                }
                line_of(&message)
            }
            _ => line_of(&message),
        };
        self.write(line)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let (shared, pending) = (Arc::clone(&self.shared), Arc::clone(&self.pending));
        let next = async {
            if self.ended.is_none() {
                let message = tokio::select! {
                    message = self.next() => message,
                    () = shared.options().shutdown.cancelled() => None,
                };
                if message.is_some() {
                    return message;
                }
            }
            self.drain().await;
            None
        };
        tokio::select! {
            message = next => message,
            () = pending.unread() => {
                shared.closing().cancel();
                None
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}

fn line_of(message: &ServerJsonRpcMessage) -> Vec<u8> {
    // rmcp's messages can always be written.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

fn answer_line(id: &RequestId, result: &str) -> Vec<u8> {
    let id = serde_json::to_string(id).unwrap_or_default();
    let mut line = Vec::with_capacity(result.len() + id.len() + 40);
    for part in ["{\"jsonrpc\":\"2.0\",\"id\":", &id, ",\"result\":", result, "}\n"] {
        line.extend_from_slice(part.as_bytes());
    }
    line
}

fn read(line: &[u8]) -> Read {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Read::Nothing;
    }
    match serde_json::from_slice::<ClientJsonRpcMessage>(line) {
        Ok(mut message) => {
            if let JsonRpcMessage::Request(request) = &mut message
                && request.request.method() == "tools/call"
                && let Some(arguments) = RawArguments::of(line)
            {
                request.request.extensions_mut().insert(arguments);
            }
            Read::Message(Box::new(message))
        }
        Err(_) => unread(line),
    }
}

/// Why a line is no message of the protocol.
fn unread(line: &[u8]) -> Read {
    let Ok(json) = serde_json::from_slice::<Value>(line) else {
        // Whoever answers each line of somebody's log output makes it worse.
        tracing::warn!(bytes = line.len(), "a line of the input is no JSON; it was passed over");
        return Read::Nothing;
    };
    let id = json.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    match json.get("method").and_then(Value::as_str) {
        Some(_) if json.get("id").is_none() => {
            tracing::debug!("a notification that the protocol does not know was passed over");
            Read::Nothing
        }
        Some(method) if id.is_some() => {
            let told = format!("the request has not the form of {method:?}");
            Read::Refused(ErrorData::invalid_params(told, None), id)
        }
        _ if json.is_array() => {
            let told = "a batch of messages; send each on a line of its own";
            Read::Refused(ErrorData::invalid_request(told, None), None)
        }
        _ => {
            let told = "a request has \"jsonrpc\": \"2.0\", an id that is a string or an integer, and a method";
            Read::Refused(ErrorData::invalid_request(told, None), id)
        }
    }
}
