//! Arguments that the schema accepts.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::json::{JsonValue, ParseLimits, parse};

/// Arguments that the schema accepts: a text that can be decoded as it stands, or a tree.
#[derive(Clone)]
pub(crate) enum CheckedArguments<'a> {
    Text { text: Cow<'a, str>, tree: OnceLock<Arc<JsonValue>> },
    Tree(Arc<JsonValue>),
}

impl<'a> CheckedArguments<'a> {
    pub(crate) fn text(text: Cow<'a, str>) -> Self {
        Self::Text { text, tree: OnceLock::new() }
    }

    /// The same, with a text of its own.
    pub(crate) fn to_owned(&self) -> CheckedArguments<'static> {
        match self {
            Self::Text { text, tree } => {
                CheckedArguments::Text { text: Cow::Owned(text.clone().into_owned()), tree: tree.clone() }
            }
            Self::Tree(tree) => CheckedArguments::Tree(Arc::clone(tree)),
        }
    }

    /// The tree, which is made for who asks first: most calls need none.
    pub(crate) fn tree(&self) -> &Arc<JsonValue> {
        match self {
            Self::Tree(tree) => tree,
            // The text was read before, within narrower limits, so it parses.
            Self::Text { text, tree } => tree.get_or_init(|| {
                let limits = ParseLimits { max_bytes: usize::MAX, ..ParseLimits::default() };
                Arc::new(parse(text, &limits).unwrap_or_default())
            }),
        }
    }
}

impl fmt::Debug for CheckedArguments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Their schema, which knows the secrets in them, is not at hand.
        f.debug_struct("CheckedArguments").finish_non_exhaustive()
    }
}
