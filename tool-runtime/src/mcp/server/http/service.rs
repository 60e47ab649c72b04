//! The service that hosts mount.

use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, Full, Limited};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::tower::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;
use tower_service::Service;

use super::options::{Guard, Hosts};
use super::{HttpBody, HttpOptions, InvalidHttpOptions};
use crate::dispatch::Dispatcher;
use crate::mcp::server::arguments::RawArguments;
use crate::mcp::server::handler::Handler;
use crate::mcp::server::shared::Shared;

/// A dispatcher's tools as a service of HTTP, to mount in any server that takes services of `tower_service`: axum's
/// `nest_service`, or hyper's connections. A clone is the same service.
///
/// Its types are those of the crates `http` and `http-body`, whose first version is their interface for good.
#[derive(Clone)]
pub struct HttpService(Arc<Parts>);

struct Parts {
    protocol: StreamableHttpService<Handler, NeverSessionManager>,
    shared: Arc<Shared>,
    options: HttpOptions,
    places: Arc<Semaphore>,
}

/// The dispatcher's tools as a service of HTTP.
///
/// Every request stands alone, in all revisions, so that any of several replicas can answer it. Clients of revision
/// 2026-07-28 may listen for changes of the list; older ones are not told. A request is cancelled when its client goes.
///
/// # Errors
/// Others than this machine could reach it, and nobody has said who may.
pub fn http_service(dispatcher: Dispatcher, options: HttpOptions) -> Result<HttpService, InvalidHttpOptions> {
    Ok(HttpService::new(dispatcher, options.checked()?))
}

impl HttpService {
    pub(super) fn new(dispatcher: Dispatcher, options: HttpOptions) -> Self {
        let shared = Arc::new(Shared::new(dispatcher, options.server.clone()));
        let handler = Handler::new(Arc::clone(&shared), false);
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(options.server.message_bytes)
            .with_allowed_origins(options.origins.clone())
            .enforce_origin_validation();
        let config = match &options.hosts {
            Hosts::Any => config.disable_allowed_hosts(),
            Hosts::These(hosts) => config.with_allowed_hosts(hosts.clone()),
        };
        let protocol = StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config);
        let places = Arc::new(Semaphore::new(options.concurrent_requests));
        Self(Arc::new(Parts { protocol, shared, options, places }))
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.0.shared
    }
}

impl Parts {
    async fn answer<B>(&self, request: Request<B>) -> Response<HttpBody>
    where
        B: Body + Send,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            let busy = "this server has as many requests under way as it takes; try again later";
            return refused(StatusCode::SERVICE_UNAVAILABLE, busy, (RETRY_AFTER, "1"));
        };
        if !self.may_pass(request.headers()).await {
            let unknown = "this server wants a token that it knows: Authorization: Bearer TOKEN";
            return refused(StatusCode::UNAUTHORIZED, unknown, (WWW_AUTHENTICATE, "Bearer"));
        }
        let (mut head, body) = request.into_parts();
        let body = match tokio::time::timeout(self.options.body_time, self.read(body)).await {
            Ok(Ok(body)) => body,
            Ok(Err(status)) => return plain(status, "the body of the request can't be read, or is too long"),
            Err(_) => return plain(StatusCode::REQUEST_TIMEOUT, "the body of the request took too long to arrive"),
        };
        if let Some(arguments) = RawArguments::of(&body) {
            head.extensions.insert(arguments);
        }
        let answer = self.protocol.handle(Request::from_parts(head, Full::new(body))).await;
        answer.map(|body| HttpBody::new(body, place))
    }

    async fn may_pass(&self, headers: &HeaderMap) -> bool {
        let Guard::Bearer(authorizer) = &self.options.guard else { return true };
        let mut sent = headers.get_all(AUTHORIZATION).iter();
        let (Some(header), None) = (sent.next().and_then(|header| header.to_str().ok()), sent.next()) else {
            return false;
        };
        match header.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
                authorizer.authorize(token.trim_matches(' ')).await
            }
            _ => false,
        }
    }

    async fn read<B>(&self, body: B) -> Result<Bytes, StatusCode>
    where
        B: Body + Send,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let limited = Limited::new(body, self.options.server.message_bytes);
        match limited.collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(StatusCode::PAYLOAD_TOO_LARGE),
            Err(_) => Err(StatusCode::BAD_REQUEST),
        }
    }
}

impl<B> Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // What is too much is refused, so that no request waits in the dark.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let parts = Arc::clone(&self.0);
        Box::pin(async move { Ok(parts.answer(request).await) })
    }
}

fn plain(status: StatusCode, text: &'static str) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::text(text));
    *response.status_mut() = status;
    response
}

fn refused(status: StatusCode, text: &'static str, header: (http::HeaderName, &'static str)) -> Response<HttpBody> {
    let mut response = plain(status, text);
    response.headers_mut().insert(header.0, HeaderValue::from_static(header.1));
    response
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("options", &self.0.options).finish_non_exhaustive()
    }
}
