//! What the two searches have in common.

use tool_runtime::present::{CallView, GenericCall, Location, ToolKind};

/// The card of a search that runs: what it looks for, where, and in which files.
pub(super) fn search_card(verb: &str, pattern: &str, path: Option<&str>, include: Option<&str>) -> CallView {
    let mut title = format!("{verb} {pattern}");
    if let Some(path) = path {
        title.push_str(" in ");
        title.push_str(path);
    }
    if let Some(include) = include {
        title.push_str(" (");
        title.push_str(include);
        title.push(')');
    }
    let card = GenericCall::new(title).with_kind(ToolKind::Search);
    match path {
        Some(path) => card.with_location(Location::new(path)).into(),
        None => card.into(),
    }
}

/// How many were found, as cards count.
pub(super) fn count(found: usize) -> u64 {
    u64::try_from(found).unwrap_or(u64::MAX)
}
