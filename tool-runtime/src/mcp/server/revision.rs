//! The revisions of the protocol, as the two crates name them.

use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;

use crate::dialect::McpRevision;

/// The revision that a request is made in. Of one that says nothing, the newest that begins with a handshake.
pub(super) fn of(context: &RequestContext<RoleServer>) -> McpRevision {
    let version = context.protocol_version();
    version.as_ref().map_or(McpRevision::V2025_11_25, |version| named(version.as_str()))
}

/// The newest revision that is not newer. They are dates, which sort as they are written.
fn named(version: &str) -> McpRevision {
    const NAMED: [(&str, McpRevision); 4] = [
        ("2026-07-28", McpRevision::V2026_07_28),
        ("2025-11-25", McpRevision::V2025_11_25),
        ("2025-06-18", McpRevision::V2025_06_18),
        ("2025-03-26", McpRevision::V2025_03_26),
    ];
    NAMED.iter().find(|(date, _)| version >= *date).map_or(McpRevision::V2024_11_05, |(_, revision)| *revision)
}

/// Whether clients of this version begin with a handshake.
pub(super) fn has_handshake(version: &ProtocolVersion) -> bool {
    version.has_initialize()
}

/// The place of a revision in a list of all.
pub(super) const fn place(revision: McpRevision) -> usize {
    match revision {
        McpRevision::V2024_11_05 => 0,
        McpRevision::V2025_03_26 => 1,
        McpRevision::V2025_06_18 => 2,
        McpRevision::V2025_11_25 => 3,
        McpRevision::V2026_07_28 => 4,
    }
}

/// How many there are.
pub(super) const ALL: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_that_is_served_has_its_revision() {
        let revisions: Vec<_> = ProtocolVersion::KNOWN_VERSIONS.iter().map(|version| named(version.as_str())).collect();
        let places: Vec<_> = revisions.iter().map(|revision| place(*revision)).collect();
        assert_eq!(places, (0..ALL).collect::<Vec<_>>());
    }

    #[test]
    fn a_version_between_two_is_the_older() {
        assert_eq!(named("2025-07-01"), McpRevision::V2025_06_18);
        assert_eq!(named("2031-01-01"), McpRevision::V2026_07_28);
        assert_eq!(named("2023-01-01"), McpRevision::V2024_11_05);
    }
}
