//! Arguments as a log may keep them.

use std::borrow::Cow;

use super::Definition;
use crate::json::{JsonText, MAX_DEPTH, ParseLimits, parse};
use crate::schema::Hides;
use crate::secret::MARK;

impl Definition {
    /// Whether a call of it, or its value, may hold a secret.
    pub(crate) fn has_secrets(&self) -> bool {
        self.input.secrets().is_some() || self.output.secrets().is_some()
    }

    /// The arguments, as they were sent, with a mark for each secret; the same bytes if there is none. What is no JSON is not
    /// kept at all, since nobody knows what is in it. Done twice it changes nothing.
    pub(crate) fn logged_arguments<'a>(&self, sent: &'a str) -> Cow<'a, str> {
        let Some(secrets) = self.input.secrets().filter(|_| !is_nothing(sent)) else { return Cow::Borrowed(sent) };
        let limits = ParseLimits { max_bytes: usize::MAX, max_depth: MAX_DEPTH };
        let Ok(tree) = parse(sent, &limits) else { return Cow::Owned(masked_whole()) };
        match secrets.masked(&tree, Hides::Everything) {
            Cow::Borrowed(_) => Cow::Borrowed(sent),
            Cow::Owned(masked) => Cow::Owned(JsonText::of_tree(&masked).as_str().to_owned()),
        }
    }
}

/// What is logged of arguments of which nothing may be.
pub(crate) fn masked_whole() -> String {
    format!("\"{MARK}\"")
}

/// Providers send nothing, empty text or `null` for no arguments.
pub(crate) fn is_nothing(sent: &str) -> bool {
    matches!(sent.trim_ascii(), "" | "null")
}
