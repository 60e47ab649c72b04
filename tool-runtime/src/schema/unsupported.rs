//! Keywords that only the general validator of the feature `foreign-schemas` knows.

use serde_json::{Map, Value};

use super::dialect::Dialect;
use super::format;
use super::violation::{Violation, in_schema};
use crate::json::Pointer;

/// Keywords that programs don't know.
const KEYWORDS: &[&str] = &["unevaluatedItems", "$dynamicRef"];

/// Whether a schema, without those inside it, uses what programs don't know.
pub(super) fn needs_foreign(keywords: &Map<String, Value>, dialect: Dialect, formats: bool) -> bool {
    unknown(keywords, dialect, formats).is_some()
}

/// The first keyword of a schema that programs don't know.
pub(super) fn unknown(keywords: &Map<String, Value>, dialect: Dialect, formats: bool) -> Option<&str> {
    let foreign = |keyword: &&String| match keywords.get(keyword.as_str()).and_then(Value::as_str) {
        Some(name) if *keyword == "format" => formats && format::FOREIGN.contains(&name),
        _ => KEYWORDS.contains(&keyword.as_str()) && dialect.has(keyword),
    };
    keywords.keys().find(foreign).map(String::as_str)
}

/// The refusal of a keyword in a build without the feature.
pub(super) fn refusal(keyword: &str, pointer: &Pointer) -> Violation {
    let at = pointer.child(keyword);
    let message = format!(
        "{} is a keyword that needs the general validator; turn on the feature \"foreign-schemas\" of tool-runtime",
        in_schema(&at)
    );
    Violation::new(at, message)
}

/// What to do about a pattern that is refused.
pub(super) fn pattern_remedy(pattern: &str) -> &'static str {
    if cfg!(not(feature = "foreign-schemas")) && (pattern.contains(r"\p") || pattern.contains(r"\P")) {
        "; classes such as \\p{L} need the feature \"foreign-schemas\" of tool-runtime"
    } else {
        ""
    }
}
