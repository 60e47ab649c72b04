//! Who may ask over HTTP, and how much.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use super::Authorizer;
use super::authorizer::ErasedAuthorizer;
use crate::mcp::ServerOptions;

/// Who may ask over HTTP, and how much.
///
/// As it is made, a server answers requests to this machine by its loopback names alone, of web pages only those that this
/// machine serves, and asks for no token: what a server for oneself needs. Whoever serves others names the hosts that it is reached by, and says
/// who may ask.
#[derive(Clone)]
pub struct HttpOptions {
    pub(super) server: ServerOptions,
    pub(super) hosts: Hosts,
    pub(super) origins: Vec<String>,
    pub(super) guard: Guard,
    pub(super) concurrent_requests: usize,
    pub(super) body_time: Duration,
}

/// The hosts that requests may be to.
#[derive(Clone, Debug)]
pub(super) enum Hosts {
    Any,
    These(Vec<String>),
}

/// Whether requests need a token.
#[derive(Clone)]
pub(super) enum Guard {
    /// Nobody has decided; that is enough for a loopback address.
    Undecided,
    /// Somebody has decided that they need none.
    Open,
    Bearer(Arc<dyn ErasedAuthorizer>),
}

/// Why a server can't be made of its options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidHttpOptions {
    /// Others than this machine could reach it, and nobody has said who may.
    Unguarded,
    /// There is no token, or an empty one.
    EmptyToken,
}

impl HttpOptions {
    /// A server for this machine.
    pub fn new(server: ServerOptions) -> Self {
        Self {
            server,
            hosts: Hosts::These(["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec()),
            origins: ["localhost", "127.0.0.1", "[::1]"].map(|host| format!("http://{host}:*")).to_vec(),
            guard: Guard::Undecided,
            concurrent_requests: 256,
            body_time: Duration::from_secs(30),
        }
    }

    /// One more host that requests may name in their `Host` header: `tools.example.com`, or with a port that must be it.
    #[must_use]
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        if let Hosts::These(hosts) = &mut self.hosts {
            hosts.push(host.into());
        }
        self
    }

    /// Takes requests to any host: for a server behind a proxy that has checked it. Otherwise a web page can have a browser
    /// ask, under a name of its own that it points here.
    #[must_use]
    pub fn allow_any_host(mut self) -> Self {
        self.hosts = Hosts::Any;
        self
    }

    /// One more origin of web pages that may ask: `https://app.example.com:443`, or `http://localhost:*` for any port.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Every request needs a token that this one lets pass.
    #[must_use]
    pub fn authorizer(mut self, authorizer: impl Authorizer) -> Self {
        self.guard = Guard::Bearer(Arc::new(authorizer));
        self
    }

    /// No request needs a token, whoever can reach the server: for one behind a proxy that authorises, or in a network where
    /// everybody may.
    #[must_use]
    pub fn without_authorization(mut self) -> Self {
        self.guard = Guard::Open;
        self
    }

    /// How many requests are under way at a time, streams included: 256 unless told otherwise. One more is refused.
    #[must_use]
    pub fn concurrent_requests(mut self, most: usize) -> Self {
        self.concurrent_requests = most.clamp(1, 1 << 20);
        self
    }

    /// How long the body of a request may take to arrive: 30 seconds unless told otherwise.
    #[must_use]
    pub fn body_time(mut self, most: Duration) -> Self {
        self.body_time = most;
        self
    }

    /// # Errors
    /// Others than this machine could reach it by one of its hosts, and nobody has said who may.
    pub(super) fn checked(self) -> Result<Self, InvalidHttpOptions> {
        let is_local = match &self.hosts {
            Hosts::Any => false,
            Hosts::These(hosts) => hosts.iter().all(|host| is_loopback(host)),
        };
        match self.guard {
            Guard::Undecided if !is_local => Err(InvalidHttpOptions::Unguarded),
            _ => Ok(self),
        }
    }
}

/// Whether a host is this machine, whatever its port.
fn is_loopback(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.split_once(']')).map(|(address, _)| address);
    let name = bare.unwrap_or_else(|| match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    });
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self::new(ServerOptions::default())
    }
}

impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let guard = match self.guard {
            Guard::Undecided => "undecided",
            Guard::Open => "open",
            Guard::Bearer(_) => "bearer",
        };
        f.debug_struct("HttpOptions")
            .field("server", &self.server)
            .field("hosts", &self.hosts)
            .field("origins", &self.origins)
            .field("guard", &guard)
            .field("concurrent_requests", &self.concurrent_requests)
            .field("body_time", &self.body_time)
            .finish()
    }
}

impl fmt::Display for InvalidHttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unguarded => {
                "others than this machine could call these tools; say who may with `authorizer(…)`, or that everybody may \
                 with `without_authorization()`"
            }
            Self::EmptyToken => "a token is empty, or there is none; every token needs at least one character",
        })
    }
}

impl std::error::Error for InvalidHttpOptions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_this_machine_by_its_name_or_address_with_a_port_or_without() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1", "127.9.9.9:8080", "::1", "[::1]:80"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["example.com", "localhost.example.com", "10.0.0.1", "0.0.0.0", "[::]:80", "127.0.0.1.example.com"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn whoever_lets_others_in_says_who_may() {
        let open = || HttpOptions::default().allow_host("tools.example.com");
        assert_eq!(open().checked().unwrap_err(), InvalidHttpOptions::Unguarded);
        assert!(HttpOptions::default().allow_any_host().checked().is_err());
        assert!(HttpOptions::default().allow_host("localhost:3000").checked().is_ok());
        assert!(open().without_authorization().checked().is_ok());
        assert!(open().authorizer(super::super::Tokens::new(["x"]).unwrap()).checked().is_ok());
    }
}
