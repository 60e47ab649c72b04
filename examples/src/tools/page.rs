//! How much of a result is shown.

use tool_runtime::serde::Serialize;
use tool_runtime::serde_json;

/// The most bytes of a search's presentation meta, as JSON.
const MAX_META_BYTES: usize = 65_536;

/// How many of the items fit into a meta that is this large without them. One always does, for a card must show
/// something.
pub(super) fn fitting(empty: &impl Serialize, items: impl Iterator<Item = usize>) -> usize {
    let mut bytes = json_bytes(empty);
    let fits = |size: &usize| {
        bytes += size;
        bytes <= MAX_META_BYTES
    };
    let mut items = items.peekable();
    let any = items.peek().is_some();
    items.take_while(fits).count().max(usize::from(any))
}

/// The size of a value as JSON, and of the comma behind it.
pub(super) fn json_bytes(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(usize::MAX / 2, |text| text.len() + 1)
}
