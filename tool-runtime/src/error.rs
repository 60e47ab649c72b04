//! Why a call failed: a stable code, a sentence for the model, and what to do next.

mod code;
mod failure;

pub use code::{Code, InvalidCode};
pub use failure::{Detail, FailureDetail, FailureSource, FailureSpec, ToolFailure, caused, tell};

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::json::JsonValue;
use crate::panics::{Guarded, contain};
use crate::secret::Scrub;

/// A failure of a tool, a policy or the framework, as the model, the host and the log see it.
///
/// `?` turns any [`std::error::Error`] into one, with the code [`Code::EXECUTION_ERROR`] and the error's own text as the
/// sentence for the model. [`ToolError::new`] names a code of your own. For boxed errors, which are no `Error`
/// themselves, there is [`ToolError::from_boxed`].
///
/// `ToolError` itself implements [`Display`](fmt::Display) but not `std::error::Error`: only so can `?` take every type
/// that does.
///
/// ```
/// use tool_runtime::{Code, Effects, Retry, ToolError};
///
/// const NO_ROOM: Code = Code::new("NO_ROOM");
///
/// let error = ToolError::new(NO_ROOM, "the disk is full; delete something, then try again")
///     .retry(Retry::Safe)
///     .effects(Effects::None);
/// assert_eq!(error.code(), &NO_ROOM);
///
/// fn parse(text: &str) -> Result<i64, ToolError> {
///     Ok(text.parse::<i64>()?)
/// }
/// assert_eq!(parse("x").unwrap_err().code(), &Code::EXECUTION_ERROR);
/// ```
pub struct ToolError(Box<Inner>);

struct Inner {
    code: Code,
    message: String,
    severity: Severity,
    retry: Retry,
    effects: Effects,
    details: Option<JsonValue>,
    source: Option<Guarded<Box<dyn StdError + Send + Sync>>>,
}

/// Whether the host's loop can go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Severity {
    /// The model reads the error and may act on it.
    #[default]
    Recoverable,
    /// The run can't go on: the model reads nothing of it, and the host is told to stop.
    Fatal,
}

/// Whether, and how, the call may be tried again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Retry {
    /// Nothing is known.
    #[default]
    Unspecified,
    /// The same call can only fail again.
    Never,
    /// Not this call, but a corrected one.
    Corrected,
    /// The same call may be tried at once.
    Safe,
    /// The same call may be tried after this time.
    After(Duration),
}

/// What is known of the call's effects on the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effects {
    /// Nothing was changed.
    None,
    /// The body ran, and may have changed something before it failed.
    Possible,
    /// Nothing is known.
    #[default]
    Unknown,
}

impl ToolError {
    /// An error with a code of its own and a sentence for the model that says what is wrong and what to do.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            code,
            message: message.into(),
            severity: Severity::default(),
            retry: Retry::default(),
            effects: Effects::default(),
            details: None,
            source: None,
        }))
    }

    /// An error with a sentence only; its code is [`Code::EXECUTION_ERROR`].
    pub fn msg(message: impl Into<String>) -> Self {
        Self::new(Code::EXECUTION_ERROR, message)
    }

    /// A boxed error, as `?` does for one that is not boxed.
    pub fn from_boxed(source: Box<dyn StdError + Send + Sync>) -> Self {
        Self::msg(source.to_string()).with_boxed_source(source)
    }

    /// What a body returns that stopped because it was cancelled: [`Code::ABORTED`].
    ///
    /// If it was the time that ran out, the call fails with [`Code::TIMEOUT`] all the same.
    pub fn aborted() -> Self {
        Self::new(Code::ABORTED, "tool call aborted")
    }

    /// The same error with this advice.
    #[must_use]
    pub fn retry(mut self, retry: Retry) -> Self {
        self.0.retry = retry;
        self
    }

    /// The same error with this word on effects.
    #[must_use]
    pub fn effects(mut self, effects: Effects) -> Self {
        self.0.effects = effects;
        self
    }

    /// The same error, marked as one that the run can't go on from.
    #[must_use]
    pub fn fatal(mut self) -> Self {
        self.0.severity = Severity::Fatal;
        self
    }

    /// The same error with data for programs, its keys sorted. The model does not read it.
    #[must_use]
    pub fn details(mut self, mut details: JsonValue) -> Self {
        // What was made of a hash map would stand in another order in each process.
        details.sort_all_objects();
        self.0.details = Some(details);
        self
    }

    /// The same error with its cause, which never leaves the process.
    #[must_use]
    pub fn with_source(self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.with_boxed_source(Box::new(source))
    }

    /// The stable code.
    pub fn code(&self) -> &Code {
        &self.0.code
    }

    /// The sentence for the model.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the run can't go on.
    pub fn is_fatal(&self) -> bool {
        self.0.severity == Severity::Fatal
    }

    /// Whether the host's loop can go on.
    pub fn severity(&self) -> Severity {
        self.0.severity
    }

    /// Whether the call may be tried again.
    pub fn retry_advice(&self) -> Retry {
        self.0.retry
    }

    /// What is known of effects.
    pub fn known_effects(&self) -> Effects {
        self.0.effects
    }

    /// Data for programs.
    pub fn structured_details(&self) -> Option<&JsonValue> {
        self.0.details.as_ref()
    }

    /// The cause, for the host's own diagnostics.
    pub fn source(&self) -> Option<&(dyn StdError + Send + Sync + 'static)> {
        self.0.source.as_deref().map(|source| &**source)
    }

    fn with_boxed_source(mut self, source: Box<dyn StdError + Send + Sync>) -> Self {
        self.0.source = Some(Guarded::new(source));
        self
    }

    /// The cause itself.
    pub(crate) fn take_source(&mut self) -> Option<Box<dyn StdError + Send + Sync>> {
        self.0.source.take().map(Guarded::into_inner)
    }

    /// Puts marks in the place of secrets. A cause that tells one is replaced by its words without it.
    pub(crate) fn scrub(&mut self, scrub: &Scrub) {
        let inner = &mut *self.0;
        scrub.string(&mut inner.message);
        if let Some(details) = &mut inner.details {
            scrub.json(details);
        }
        if let Some(source) = &inner.source {
            // An author's words; where they panic, nobody can tell what they hold.
            let told = contain(|| told(&***source)).unwrap_or_default();
            if told.is_empty() || scrub.is_in(&told) {
                let words = contain(|| source.to_string()).unwrap_or_default();
                inner.source = Some(Guarded::new(Scrubbed(scrub.text(&words).into_owned()).into()));
            }
        }
    }

    pub(crate) fn set_message(&mut self, message: String) {
        self.0.message = message;
    }
}

/// All that a cause tells, of its own causes too.
fn told(source: &(dyn StdError + 'static)) -> String {
    let mut told = format!("{source:?}");
    let mut next = Some(source);
    while let Some(source) = next {
        told = format!("{told}\n{source}");
        next = source.source();
    }
    told
}

/// What is left of a cause that told a secret.
#[derive(Debug)]
struct Scrubbed(String);

impl fmt::Display for Scrubbed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl StdError for Scrubbed {}

impl<E: StdError + Send + Sync + 'static> From<E> for ToolError {
    fn from(source: E) -> Self {
        Self::from_boxed(Box::new(source))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { code, message, severity, retry, effects, details, source: _ } = &*self.0;
        f.debug_struct("ToolError")
            .field("code", code)
            .field("message", message)
            .field("severity", severity)
            .field("retry", retry)
            .field("effects", effects)
            .field("details", details)
            .field("source", &self.source())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_mark_takes_any_error_and_keeps_its_cause() {
        fn read() -> Result<(), ToolError> {
            Err(std::io::Error::other("no such disk"))?
        }
        let error = read().unwrap_err();
        assert_eq!(error.code(), &Code::EXECUTION_ERROR);
        assert_eq!(error.message(), "no such disk");
        assert!(error.source().is_some_and(<dyn StdError + Send + Sync>::is::<std::io::Error>));
    }

    #[test]
    fn a_boxed_error_keeps_its_text() {
        let boxed: Box<dyn StdError + Send + Sync> = "plain words".into();
        assert_eq!(ToolError::from_boxed(boxed).message(), "plain words");
    }

    #[test]
    fn an_error_is_one_pointer_wide() {
        assert_eq!(size_of::<Result<(), ToolError>>(), size_of::<usize>());
    }
}
