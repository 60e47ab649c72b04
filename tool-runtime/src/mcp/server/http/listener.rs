//! A server that listens by itself.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};
use tower_service::Service as _;

use super::options::{Guard, Hosts};
use super::{HttpOptions, HttpService, InvalidHttpOptions};
use crate::dispatch::Dispatcher;
use crate::mcp::ServeError;
use crate::tool::Cancellation;

/// How long the head of a request may take to arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// How long nothing is accepted after the system had no room for a connection.
const PAUSE: Duration = Duration::from_millis(100);

/// A server that listens, until it is shut down or dropped.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    shutdown: Cancellation,
    task: JoinHandle<Result<(), ServeError>>,
}

/// Listens on an address, and serves the dispatcher's tools under every path. With port 0, the system chooses one.
///
/// It speaks HTTP/1.1 without TLS: what others than this machine reach stands behind a proxy that has certificates and limits
/// rates. Of an address that is not a loopback one, its own name is among the hosts that requests may be to; other names are
/// allowed by [`HttpOptions::allow_host`].
///
/// ```
/// use tool_runtime::mcp::{HttpOptions, serve_http};
/// use tool_runtime::prelude::*;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let dispatcher = Dispatcher::new(Registry::new());
/// let server = serve_http(dispatcher, "127.0.0.1:0".parse()?, HttpOptions::default()).await?;
/// println!("http://{}/mcp", server.local_addr());
/// server.shutdown().await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The address can't be listened on; or others than this machine could reach it, and nobody has said who may.
pub async fn serve_http(
    dispatcher: Dispatcher,
    address: SocketAddr,
    mut options: HttpOptions,
) -> Result<HttpServer, ServeError> {
    if !address.ip().is_loopback() {
        if matches!(options.guard, Guard::Undecided) {
            return Err(ServeError::Options(InvalidHttpOptions::Unguarded));
        }
        if let Hosts::These(hosts) = &mut options.hosts {
            hosts.push(address.ip().to_string());
        }
    }
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let shutdown = options.server.shutdown.child();
    options.server.shutdown = shutdown.clone();
    let connections = Arc::new(Semaphore::new(options.concurrent_requests * 2));
    let service = HttpService::new(dispatcher, options.checked().map_err(ServeError::Options)?);
    let listening = Listening { listener, service, connections, shutdown: shutdown.clone() };
    Ok(HttpServer { address, shutdown, task: tokio::spawn(listening.run()) })
}

impl HttpServer {
    /// Where it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more connections, and ends when what is under way has, at the latest when the time to drain is over.
    ///
    /// # Errors
    /// Connections were cut off when the time was over.
    pub async fn shutdown(self) -> Result<(), ServeError> {
        self.shutdown.cancel();
        self.ended().await
    }

    /// Ends when the server does: when [`ServerOptions::shutdown`](crate::mcp::ServerOptions::shutdown) is cancelled, and
    /// what was under way has ended.
    ///
    /// # Errors
    /// Connections were cut off when the time to drain was over.
    pub async fn ended(mut self) -> Result<(), ServeError> {
        (&mut self.task).await.unwrap_or_else(|error| Err(ServeError::Io(io::Error::other(error))))
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

struct Listening {
    listener: TcpListener,
    service: HttpService,
    connections: Arc<Semaphore>,
    shutdown: Cancellation,
}

impl Listening {
    async fn run(self) -> Result<(), ServeError> {
        let mut open = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                accepted = self.accept() => accepted,
                Some(_) = open.join_next() => continue,
                () = self.shutdown.cancelled() => break,
            };
            match accepted {
                Ok((stream, place)) => {
                    open.spawn(connection(stream, place, self.service.clone(), self.shutdown.clone()));
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    sleep(PAUSE).await;
                }
            }
        }
        let Self { listener, service, .. } = self;
        drop(listener);
        drain(open, &service).await
    }

    async fn accept(&self) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
        // Beyond that many, connections wait where the system keeps them.
        let place = Arc::clone(&self.connections).acquire_owned().await.map_err(io::Error::other)?;
        let (stream, _) = self.listener.accept().await?;
        stream.set_nodelay(true)?;
        Ok((stream, place))
    }
}

async fn connection(stream: TcpStream, _place: OwnedSemaphorePermit, service: HttpService, shutdown: Cancellation) {
    let answer = service_fn(move |request: http::Request<Incoming>| service.clone().call(request));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let mut exchange = pin!(http.serve_connection(TokioIo::new(stream), answer));
    let ended = tokio::select! {
        ended = &mut exchange => ended,
        () = shutdown.cancelled() => {
            exchange.as_mut().graceful_shutdown();
            exchange.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

async fn drain(mut open: JoinSet<()>, service: &HttpService) -> Result<(), ServeError> {
    let shared = service.shared();
    let all = async |open: &mut JoinSet<()>| while open.join_next().await.is_some() {};
    if timeout(shared.options().drain, all(&mut open)).await.is_ok() {
        return Ok(());
    }
    let calls = open.len();
    shared.closing().cancel();
    let _ = timeout(shared.grace(), all(&mut open)).await;
    open.shutdown().await;
    Err(ServeError::CutOff { calls })
}
