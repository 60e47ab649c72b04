//! A dispatcher's tools as a server.
//!
//! rmcp keeps the lifecycles of all revisions, and reads their messages. What a tool is, what its results say, and what
//! goes over a pair of streams is written here.

mod announce;
mod answer;
mod arguments;
mod calls;
mod catalogue;
mod exposure;
mod frames;
mod handler;
#[cfg(feature = "mcp-http")]
pub(crate) mod http;
mod lines;
mod options;
mod pending;
mod progress;
mod revision;
mod shared;
mod stdio;

pub use exposure::Exposure;
pub use options::ServerOptions;
pub use stdio::{serve_stdio, serve_stdio_with};

use std::fmt;
use std::io;
use std::sync::Arc;

use rmcp::service::{QuitReason, ServerInitializeError, serve_server};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::dispatch::Dispatcher;
use frames::Frames;
use handler::Handler;
use pending::Pending;
use shared::Shared;

/// Why a server ended otherwise than by its client's leave.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The streams could not be set up, or the server could not listen.
    Io(io::Error),
    /// The client and the server did not agree on how to begin; in words.
    Handshake(String),
    /// The input ended, and these calls had not when the time to drain them was over. They were cancelled.
    CutOff {
        /// How many.
        calls: usize,
    },
    /// Nobody reads what the server writes any more. The calls that were under way were cancelled.
    Unread,
    /// The options of a server over HTTP don't go together.
    #[cfg(feature = "mcp-http")]
    Options(http::InvalidHttpOptions),
}

/// Serves the dispatcher's tools over two streams, one JSON message a line, until the input ends and its calls are answered.
///
/// It needs a tokio runtime whose timers are enabled. The tools are those that the dispatcher has at each moment: clients
/// that want to know are told when they change.
///
/// ```
/// use tool_runtime::mcp::{ServerOptions, serve};
/// use tool_runtime::prelude::*;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let dispatcher = Dispatcher::new(Registry::new());
/// let list = concat!(
///     r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"#,
///     r#""clientInfo":{"name":"doc","version":"1"}}}"#,
///     "\n",
///     r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
///     "\n",
/// );
/// let (mut output, to) = tokio::io::duplex(4096);
/// serve(dispatcher, list.as_bytes(), to, ServerOptions::new("empty", "1.0.0")).await?;
///
/// let mut answers = String::new();
/// tokio::io::AsyncReadExt::read_to_string(&mut output, &mut answers).await?;
/// assert_eq!(answers.lines().nth(1), Some(r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The two sides did not agree on how to begin, calls were still running when the time to drain them was over, or nobody
/// reads the output.
pub async fn serve<R, W>(dispatcher: Dispatcher, input: R, output: W, options: ServerOptions) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let shared = Arc::new(Shared::new(dispatcher, options));
    let pending = Arc::new(Pending::default());
    let frames = Frames::new(input, output, Arc::clone(&pending), Arc::clone(&shared));
    let handler = Handler::new(Arc::clone(&shared), true);
    // Boxed, since rmcp's handshake takes more room than all that follows.
    let running = match Box::pin(serve_server(handler, frames)).await {
        Ok(running) => running,
        // Who leaves before it begins has asked for nothing.
        Err(ServerInitializeError::ConnectionClosed(_)) => return pending.outcome(),
        Err(error) => return Err(ServeError::Handshake(error.to_string())),
    };
    let peer = running.peer().clone();
    let mut waiting = std::pin::pin!(running.waiting());
    let quit = tokio::select! {
        quit = &mut waiting => quit,
        () = announce::to_legacy(&shared, &peer) => waiting.await,
    };
    // Whoever is still at it has no reader.
    shared.closing().cancel();
    match quit {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(ServeError::Io(io::Error::other(error))),
        Ok(_) => pending.outcome(),
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the server has no connection: {error}"),
            Self::Handshake(why) => write!(f, "the client did not begin as the protocol asks: {why}"),
            Self::CutOff { calls } => {
                write!(f, "the input ended, and {calls} calls were cancelled when the time to drain them was over")
            }
            Self::Unread => f.write_str("nobody reads the server's output"),
            #[cfg(feature = "mcp-http")]
            Self::Options(invalid) => invalid.fmt(f),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
