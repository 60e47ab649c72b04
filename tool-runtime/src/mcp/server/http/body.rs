//! The body of an answer.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use tokio::sync::OwnedSemaphorePermit;

/// The body of an answer: JSON at once, or a stream of events. Its request counts as under way until it is dropped.
pub struct HttpBody {
    inner: BoxBody<Bytes, Infallible>,
    _place: Option<OwnedSemaphorePermit>,
}

impl HttpBody {
    pub(super) fn new(inner: BoxBody<Bytes, Infallible>, place: OwnedSemaphorePermit) -> Self {
        Self { inner, _place: Some(place) }
    }

    pub(super) fn text(text: &'static str) -> Self {
        Self { inner: Full::new(Bytes::from_static(text.as_bytes())).boxed(), _place: None }
    }
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpBody")
    }
}
