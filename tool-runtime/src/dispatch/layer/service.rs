//! The innermost service, which enters bodies.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tower_service::Service;

use super::request::ToolRequest;
use super::response::{BoxError, ToolResponse};
use super::stack::Stack;
use crate::definition::BoxFuture;
use crate::dispatch::execute::{self, Started};

/// The innermost service: it runs the body of the call that it is given, under the tool's time limit, and accepts its value.
///
/// It is always ready.
#[derive(Clone, Debug)]
pub struct ToolService(Inner);

#[derive(Clone)]
enum Inner {
    Body,
    Stack(Arc<dyn Stack>),
}

impl ToolService {
    /// The service that layers are put around: the body, or what is around it already.
    pub(in crate::dispatch) fn new(stack: Option<Arc<dyn Stack>>) -> Self {
        Self(stack.map_or(Inner::Body, Inner::Stack))
    }
}

impl Service<ToolRequest> for ToolService {
    type Response = ToolResponse;
    type Error = BoxError;
    type Future = ToolFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: ToolRequest) -> Self::Future {
        ToolFuture(match &self.0 {
            Inner::Body => State::Entering(Some(request)),
            Inner::Stack(stack) => {
                let stack = Arc::clone(stack);
                State::Waiting(Box::pin(async move { stack.run(request).await }))
            }
        })
    }
}

/// A body under way.
#[must_use = "a body runs while it is awaited"]
pub struct ToolFuture(State);

enum State {
    Entering(Option<ToolRequest>),
    Waiting(BoxFuture<'static, Result<ToolResponse, BoxError>>),
}

impl ToolFuture {
    /// Enters the body. One that does not wait is over then, and costs no more than that.
    fn begin(request: ToolRequest, cx: &mut Context<'_>) -> Result<ToolResponse, State> {
        let (run, Started { mut body, at }) = match request.enter() {
            Ok(entered) => entered,
            Err(error) => return Ok(ToolResponse::failure(error)),
        };
        if let Poll::Ready(end) = Pin::new(&mut body).poll(cx) {
            let end = execute::ended(request.definition(), run.call(), end);
            return Ok(run.ended(end));
        }
        Err(State::Waiting(Box::pin(async move {
            let bounds = request.bounds();
            let end = execute::wait(body, at, request.definition(), run.call(), bounds).await;
            Ok(run.ended(end))
        })))
    }
}

impl Future for ToolFuture {
    type Output = Result<ToolResponse, BoxError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match &mut self.0 {
                State::Waiting(waiting) => return waiting.as_mut().poll(cx),
                State::Entering(request) => {
                    // Once it has ended there is nothing left to wait for.
                    let Some(request) = request.take() else { return Poll::Pending };
                    match Self::begin(request, cx) {
                        Ok(response) => return Poll::Ready(Ok(response)),
                        Err(waiting) => self.0 = waiting,
                    }
                }
            }
        }
    }
}

impl fmt::Debug for ToolFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolFuture")
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Body => "the body",
            Self::Stack(_) => "layers around the body",
        })
    }
}
