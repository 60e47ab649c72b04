//! A stack of layers, erased once, whatever is in it.

use std::future::poll_fn;

use tokio::sync::Mutex;
use tower_service::Service;

use super::request::ToolRequest;
use super::response::{BoxError, ToolResponse};
use crate::definition::BoxFuture;

/// Layers around a body, shared by all calls of a dispatcher.
pub(in crate::dispatch) trait Stack: Send + Sync {
    fn run(&self, request: ToolRequest) -> BoxFuture<'_, Result<ToolResponse, BoxError>>;
}

/// The one instance of the outermost service.
///
/// Readiness belongs to an instance: a limit of concurrency holds its permit there, and wakes only the task that asked
/// last. So calls ask it one after another, each until it is ready and has taken the call; the mutex is fair.
struct Shared<S>(Mutex<S>);

/// What a layer must make of the service inside it.
pub(in crate::dispatch) fn shared<S>(service: S) -> impl Stack
where
    S: Service<ToolRequest, Response = ToolResponse> + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    Shared(Mutex::new(service))
}

impl<S> Stack for Shared<S>
where
    S: Service<ToolRequest, Response = ToolResponse> + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    fn run(&self, request: ToolRequest) -> BoxFuture<'_, Result<ToolResponse, BoxError>> {
        Box::pin(async move {
            let running = {
                let mut service = self.0.lock().await;
                poll_fn(|cx| service.poll_ready(cx)).await.map_err(Into::into)?;
                service.call(request)
            };
            running.await.map_err(Into::into)
        })
    }
}
