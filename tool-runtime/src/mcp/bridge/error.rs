//! Why a server could not be bridged.

use std::fmt;

use crate::registry::RegistrationError;

/// Why a server could not be bridged, or its tools not be listed again. Nothing of the registry was changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BridgeError {
    /// What the host has said of the server can't be: its name, its address, a header.
    Invalid(String),
    /// The server was not started or not reached, or did not speak the protocol; with the end of what it wrote to its error
    /// output, if it did.
    Connect(String),
    /// The server did not list its tools, or listed them so that none can be taken.
    List(String),
    /// A server is connected under this name already.
    NameTaken(String),
    /// A name is taken by a tool of the host's.
    Register(RegistrationError),
    /// The connection was closed by the host, or given up.
    Closed(String),
}

impl BridgeError {
    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    pub(super) fn connect(message: impl Into<String>) -> Self {
        Self::Connect(message.into())
    }

    pub(super) fn taken(server: &str) -> Self {
        Self::NameTaken(format!("a server is connected as {server:?} already; give this one another name"))
    }

    pub(super) fn list(message: impl Into<String>) -> Self {
        Self::List(message.into())
    }
}

impl fmt::Display for BridgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(message)
            | Self::Connect(message)
            | Self::List(message)
            | Self::NameTaken(message)
            | Self::Closed(message) => f.write_str(message),
            Self::Register(error) => write!(f, "the tools can't be registered: {error}"),
        }
    }
}

impl std::error::Error for BridgeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Register(error) => Some(error),
            _ => None,
        }
    }
}

impl From<RegistrationError> for BridgeError {
    fn from(error: RegistrationError) -> Self {
        Self::Register(error)
    }
}
