//! What a policy may decide. Content and value can't both be replaced, because no variant holds both.

use crate::content::Content;
use crate::json::JsonValue;

/// What a policy decides about a success.
#[derive(Clone, Debug, PartialEq)]
pub enum PostDecision<V = JsonValue> {
    /// Nothing changes.
    Accept {
        /// Messages that the host appends after the result.
        contexts: Vec<Content>,
    },
    /// The model reads something else; value and meta stay. This hides nothing from programs.
    ReplaceContent {
        /// What it reads.
        content: Content,
        /// Messages that the host appends after the result.
        contexts: Vec<Content>,
    },
    /// The value is another; it is checked, and content and meta are made from it.
    ReplaceValue {
        /// The value.
        value: V,
        /// Messages that the host appends after the result.
        contexts: Vec<Content>,
    },
    /// The result is withheld.
    Block {
        /// What the model reads instead, as it stands.
        feedback: Content,
        /// Messages that the host appends after the result; those from before are gone.
        contexts: Vec<Content>,
    },
}

/// What a policy decides about a failure. It has no value to replace.
#[derive(Clone, Debug, PartialEq)]
pub enum FailureDecision {
    /// Nothing changes.
    Accept {
        /// Messages that the host appends after the result.
        contexts: Vec<Content>,
    },
    /// The model reads something else; the error stays.
    ReplaceContent {
        /// What it reads.
        content: Content,
        /// Messages that the host appends after the result.
        contexts: Vec<Content>,
    },
    /// The failure is withheld. A fatal one ends the run all the same, and then nobody but the host reads the feedback.
    Block {
        /// What the model reads instead, as it stands.
        feedback: Content,
        /// Messages that the host appends after the result; those from before are gone.
        contexts: Vec<Content>,
    },
}

macro_rules! constructors {
    () => {
        /// Nothing changes.
        pub const fn accept() -> Self {
            Self::Accept { contexts: Vec::new() }
        }

        /// The model reads this instead; nothing else changes.
        pub fn replace_content(content: impl Into<Content>) -> Self {
            Self::ReplaceContent { content: content.into(), contexts: Vec::new() }
        }

        /// The result is withheld, and the model reads this.
        pub fn block(feedback: impl Into<Content>) -> Self {
            Self::Block { feedback: feedback.into(), contexts: Vec::new() }
        }

        /// The same decision with one more message that the host appends after the result.
        #[must_use]
        pub fn with_context(mut self, context: impl Into<Content>) -> Self {
            self.contexts_mut().push(context.into());
            self
        }
    };
}

impl<V> PostDecision<V> {
    constructors!();

    /// The value is this; content and meta are made from it.
    pub const fn replace_value(value: V) -> Self {
        Self::ReplaceValue { value, contexts: Vec::new() }
    }

    fn contexts_mut(&mut self) -> &mut Vec<Content> {
        match self {
            Self::Accept { contexts }
            | Self::ReplaceContent { contexts, .. }
            | Self::ReplaceValue { contexts, .. }
            | Self::Block { contexts, .. } => contexts,
        }
    }

    /// The same decision, with the value that it holds turned into another form.
    pub(crate) fn map_value<W>(self, into: impl FnOnce(V) -> W) -> PostDecision<W> {
        match self {
            Self::Accept { contexts } => PostDecision::Accept { contexts },
            Self::ReplaceContent { content, contexts } => PostDecision::ReplaceContent { content, contexts },
            Self::ReplaceValue { value, contexts } => PostDecision::ReplaceValue { value: into(value), contexts },
            Self::Block { feedback, contexts } => PostDecision::Block { feedback, contexts },
        }
    }
}

impl FailureDecision {
    constructors!();

    fn contexts_mut(&mut self) -> &mut Vec<Content> {
        match self {
            Self::Accept { contexts } | Self::ReplaceContent { contexts, .. } | Self::Block { contexts, .. } => {
                contexts
            }
        }
    }
}
