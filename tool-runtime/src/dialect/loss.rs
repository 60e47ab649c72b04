//! What a lowering could not say, and what it could not do.

use std::borrow::Cow;
use std::fmt;

use crate::json::Pointer;

/// Something that a tool's schema says and its lowered form does not.
///
/// Whatever is lost on the way out is still checked on the way back: a call that breaks it is refused, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    path: Pointer,
    said: Cow<'static, str>,
    sent: Cow<'static, str>,
    kept: Kept,
}

/// Where something went that a schema can't say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// The model reads it in the description, and it is checked when the call comes back.
    InDescription,
    /// The model is not told; it is checked when the call comes back.
    OnlyChecked,
    /// What it allows can't be sent.
    Nowhere,
}

impl Loss {
    pub(super) fn new(
        path: &Pointer,
        said: impl Into<Cow<'static, str>>,
        sent: impl Into<Cow<'static, str>>,
        kept: Kept,
    ) -> Self {
        Self { path: path.clone(), said: said.into(), sent: sent.into(), kept }
    }

    /// Where the tool's own schema says it.
    pub fn path(&self) -> &Pointer {
        &self.path
    }

    /// What it says: a keyword with its value, or a sentence.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// What is sent in its place.
    pub fn sent(&self) -> &str {
        &self.sent
    }

    /// Where it went.
    pub fn kept(&self) -> Kept {
        self.kept
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { said, sent, kept, .. } = self;
        let end = match kept {
            Kept::InDescription => "it stands in the description, and is checked when the call comes back",
            Kept::OnlyChecked => "it is checked when the call comes back",
            Kept::Nowhere => "it can't be sent",
        };
        write!(f, "{}: {said} becomes {sent}; {end}", shown(&self.path))
    }
}

/// Something that a dialect can't say, and no rewriting makes it say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    path: Pointer,
    reason: String,
    remedy: String,
}

impl Unsupported {
    pub(super) fn new(path: &Pointer, reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { path: path.clone(), reason: reason.into(), remedy: remedy.into() }
    }

    /// Where the tool's own schema says it.
    pub fn path(&self) -> &Pointer {
        &self.path
    }

    /// Why it can't be said.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What to change in the Rust type, or in the foreign schema.
    pub fn remedy(&self) -> &str {
        &self.remedy
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", shown(&self.path), self.reason, self.remedy)
    }
}

impl std::error::Error for Unsupported {}

fn shown(path: &Pointer) -> &str {
    if path.is_root() { "the schema" } else { path.as_str() }
}
