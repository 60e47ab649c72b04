//! Why a greeting was not answered as it must be, in words of ours.

use std::error::Error;
use std::process::ExitStatus;

use rmcp::service::ClientInitializeError;

/// Whether the connection ended before there was an answer.
pub(super) fn is_lost(error: &ClientInitializeError) -> bool {
    match error {
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } => true,
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => is_lost(fallback),
        _ => false,
    }
}

/// What has become of a program that does not answer, and the first line of it that is not of the protocol.
pub(super) fn lost(status: Option<ExitStatus>, heard: Option<&str>) -> String {
    let ended = match status {
        Some(status) => format!("the program ended ({}) before it answered", shown(status)),
        None => "the program closed its output before it answered".to_owned(),
    };
    match heard {
        Some(line) => format!("{ended}; what it wrote is not the protocol: {line}"),
        None => ended,
    }
}

fn shown(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit status {code}"),
        // By a signal.
        None => status.to_string(),
    }
}

/// The error with its causes, without the names of types that only its library knows.
pub(super) fn told(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ExpectedInitResponse(_) | ClientInitializeError::ExpectedInitResult(_) => {
            "it answers the greeting with something else".to_owned()
        }
        ClientInitializeError::ConnectionClosed(_) => "the connection was closed before it answered".to_owned(),
        ClientInitializeError::TransportError { error, .. } => with_causes(&*error.error),
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let revisions: Vec<_> = server_supported.iter().map(rmcp::model::ProtocolVersion::as_str).collect();
            format!("it speaks no revision of the protocol that is known here, but only {}", revisions.join(", "))
        }
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => told(fallback),
        error => with_causes(error),
    }
}

fn with_causes(error: &dyn Error) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_told = cause.to_string();
        if !told.contains(&cause_told) {
            told = format!("{told}: {cause_told}");
        }
        source = cause.source();
    }
    told
}
