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

/// Keywords that 2020-12 no longer has, not even as deprecated ones.
const OLDER: &[&str] = &["additionalItems"];

impl Dialect {
    /// Whether the dialect has a keyword; of those that neither has, nothing is said.
    pub(super) fn has(self, keyword: &str) -> bool {
        let other = match self {
            Self::Draft07 => NEWER,
            Self::Draft202012 => OLDER,
        };
        !other.contains(&keyword)
    }
}
