//! A server that is reached over HTTP.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rustls_platform_verifier::BuilderVerifierExt as _;

use super::BridgeError;
use super::limits::BridgeLimits;

/// Headers that belong to the protocol, whatever a host would like to say in them.
const RESERVED: [&str; 6] =
    ["accept", "content-type", "host", "last-event-id", "mcp-protocol-version", "mcp-session-id"];

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(15);

/// Where a server is reached over HTTP, and what the host says to be let in.
///
/// ```
/// use tool_runtime::mcp::ServerUrl;
///
/// let url = ServerUrl::new("https://example.com/mcp").bearer("secret").header("X-Team", "blue");
/// assert!(!format!("{url:?}").contains("secret"));
/// ```
#[derive(Clone)]
pub struct ServerUrl {
    url: String,
    bearer: Option<String>,
    headers: Vec<(String, String)>,
}

impl ServerUrl {
    /// This address: `https`, or `http`.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), bearer: None, headers: Vec::new() }
    }

    /// The same with a token that is sent as `Authorization: Bearer …` with each request.
    #[must_use]
    pub fn bearer(mut self, token: impl Into<String>) -> Self {
        self.bearer = Some(token.into());
        self
    }

    /// The same with one more header of each request.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// The address without what may be secret in it, for messages.
    pub(super) fn shown(&self) -> String {
        match reqwest::Url::parse(&self.url) {
            Ok(url) => format!("{}://{}{}", url.scheme(), url.host_str().unwrap_or_default(), url.path()),
            Err(_) => "an address that is none".to_owned(),
        }
    }

    /// A message without the address as it was given.
    pub(super) fn without_secrets(&self, message: &str) -> String {
        let whole = reqwest::Url::parse(&self.url).map(String::from).unwrap_or_default();
        let mut message = message.replace(&self.url, &self.shown());
        if !whole.is_empty() {
            message = message.replace(&whole, &self.shown());
        }
        match &self.bearer {
            Some(bearer) if !bearer.is_empty() => message.replace(bearer, "…"),
            _ => message,
        }
    }

    /// What is wrong with it, before anything is sent.
    pub(super) fn check(&self) -> Result<(), BridgeError> {
        let is_http = reqwest::Url::parse(&self.url)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some());
        if !is_http {
            return Err(BridgeError::invalid(
                "the address of an MCP server begins with https:// or http:// and a host",
            ));
        }
        if self.bearer.as_deref().is_some_and(|token| HeaderValue::from_str(token).is_err()) {
            return Err(BridgeError::invalid("the bearer token has characters that no header may have"));
        }
        self.headers().map(|_| ())
    }

    fn headers(&self) -> Result<HashMap<HeaderName, HeaderValue>, BridgeError> {
        let header = |(name, value): &(String, String)| {
            let checked = HeaderName::try_from(name).ok().zip(HeaderValue::try_from(value).ok());
            let (checked, mut value) =
                checked.ok_or_else(|| BridgeError::invalid(format!("{name:?} with its value is no header")))?;
            if RESERVED.contains(&checked.as_str()) {
                return Err(BridgeError::invalid(format!("the header {name:?} belongs to the protocol")));
            }
            value.set_sensitive(true);
            Ok((checked, value))
        };
        self.headers.iter().map(header).collect()
    }

    /// The transport of one connection.
    pub(super) fn transport(
        &self,
        limits: &BridgeLimits,
    ) -> Result<StreamableHttpClientTransport<reqwest::Client>, BridgeError> {
        self.check()?;
        let client = client().map_err(|problem| BridgeError::connect(format!("HTTP can't be spoken: {problem}")))?;
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(self.headers()?)
            .max_sse_event_size(limits.message_bytes)
            .max_json_response_size(limits.message_bytes);
        if let Some(bearer) = &self.bearer {
            config = config.auth_header(bearer.clone());
        }
        Ok(StreamableHttpClientTransport::with_client(client, config))
    }
}

impl From<&str> for ServerUrl {
    fn from(url: &str) -> Self {
        Self::new(url)
    }
}

impl From<String> for ServerUrl {
    fn from(url: String) -> Self {
        Self::new(url)
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("ServerUrl")
            .field("url", &self.shown())
            .field("bearer", &self.bearer.is_some())
            .field("headers", &names)
            .finish()
    }
}

/// A client that goes nowhere else: a server that redirects would get the host's tokens and arguments sent elsewhere. It
/// brings its own cryptography, and leaves alone what the process has chosen for others.
fn client() -> Result<reqwest::Client, String> {
    let told = |error: &dyn std::error::Error| error.to_string();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(rustls::ConfigBuilder::with_platform_verifier)
        .map_err(|error| told(&error))?
        .with_no_client_auth();
    reqwest::Client::builder()
        .redirect(Policy::none())
        .connect_timeout(CONNECT)
        .tls_backend_preconfigured(tls)
        .build()
        .map_err(|error| told(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_address_or_no_header_is_refused_before_anything_is_sent() {
        for good in ["http://127.0.0.1:1/mcp", "https://example.com"] {
            assert_eq!(ServerUrl::new(good).header("X-A", "b").bearer("t").check(), Ok(()), "{good}");
        }
        for bad in ["", "example.com", "file:///etc/passwd", "ftp://example.com", "https://"] {
            assert!(ServerUrl::new(bad).check().is_err(), "{bad}");
        }
        let url = || ServerUrl::new("https://example.com");
        for bad in [
            url().bearer("a\nb"),
            url().header("a b", "c"),
            url().header("a", "b\r\nc: d"),
            url().header("Mcp-Session-Id", "1"),
        ] {
            assert!(matches!(bad.check(), Err(BridgeError::Invalid(_))), "{bad:?}");
        }
    }

    #[test]
    fn no_message_shows_what_lets_the_host_in() {
        let url = ServerUrl::new("https://me:pass@example.com/mcp?key=k1").bearer("t0ken").header("X-Key", "k2");
        let message = "error sending request for url (https://me:pass@example.com/mcp?key=k1) with t0ken";
        assert_eq!(url.without_secrets(message), "error sending request for url (https://example.com/mcp) with …");
        let debug = format!("{url:?}");
        assert!(["pass", "k1", "t0ken", "k2"].iter().all(|secret| !debug.contains(secret)), "{debug}");
    }

    #[test]
    fn a_client_can_be_made_whatever_the_process_has_chosen() {
        client().unwrap();
    }
}
