//! The dialects of JSON Schema that are supported.

/// A dialect of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Draft07,
    Draft202012,
}

/// Keywords that draft-07 does not have.
const NEWER: &[&str] = &[
    "$defs",
    "prefixItems",
    "minContains",
    "maxContains",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
    "$dynamicRef",
    "$dynamicAnchor",
    "$anchor",
    "$vocabulary",
    "contentSchema",
    "deprecated",
];

impl Dialect {
    /// Whether the dialect has a keyword; of those that neither has, nothing is said.
    pub(super) fn has(self, keyword: &str) -> bool {
        self == Self::Draft202012 || !NEWER.contains(&keyword)
    }
}
