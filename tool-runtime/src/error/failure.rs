//! Failures as types: an author's enum names every way in which a tool may fail.

use std::error::Error as StdError;
use std::fmt::{self, Write as _};

use super::{Code, Effects, Retry, Severity, ToolError};
use crate::json::{self, JsonValue};
use crate::panics::contain;

/// The failures of a tool as a type: `#[derive(ToolFailure)]` on an enum, or on a struct for a single one.
///
/// Each variant has a code and a sentence for the model, so a new one without them does not compile. `?` turns the type
/// into a [`ToolError`] in a body, and `#[tool(failure = Type)]` publishes what it names.
///
/// ```
/// use tool_runtime::prelude::*;
///
/// #[derive(ToolFailure)]
/// enum ReadFailure {
///     #[failure(code = "FS_NOT_FOUND", "there is no {path:?}; list the directory first", retry = corrected)]
///     NotFound {
///         #[failure(details)]
///         path: String,
///     },
///     #[failure(code = "FS_IO_ERROR", "the disk did not answer; try once more", retry = safe)]
///     Io { source: std::io::Error },
///     #[failure(code = "FS_NO_DISK", "the disk is gone", fatal)]
///     NoDisk,
/// }
///
/// fn read(path: &str) -> Result<String, ToolError> {
///     Err(ReadFailure::NotFound { path: path.to_owned() })?
/// }
/// let error = read("a.txt").unwrap_err();
/// assert_eq!(error.code().as_str(), "FS_NOT_FOUND");
/// assert_eq!(error.message(), r#"there is no "a.txt"; list the directory first"#);
/// assert_eq!(error.structured_details().unwrap()["path"], "a.txt");
/// ```
///
/// The derive writes `Display` (the sentence) and the conversion, and stands in for the derives of crates such as
/// thiserror: a type that is a [`std::error::Error`] has a conversion already, with the code
/// [`EXECUTION_ERROR`](Code::EXECUTION_ERROR) for all of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name the failures of a tool",
    label = "put `#[derive(ToolFailure)]` on it",
    note = "`#[derive(ToolFailure)]` above the definition of `{Self}`, and `#[failure(code = \"…\", \"…\")]` above each variant, make it one"
)]
pub trait ToolFailure: Sized {
    /// Every failure that the type names, in the order of its variants.
    const FAILURES: &'static [FailureSpec];

    /// What is published of this one.
    fn spec(&self) -> &'static FailureSpec;

    /// The error that it is, which `?` makes of it.
    fn into_error(self) -> ToolError;

    /// Its code.
    fn code(&self) -> &'static Code {
        &self.spec().code
    }
}

/// One failure as it is published: what a host, a catalogue or a test can know of it before it happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureSpec {
    code: Code,
    sentence: &'static str,
    severity: Severity,
    retry: Retry,
    effects: Effects,
}

impl FailureSpec {
    /// A failure with its code and its sentence, in which `{field}` stands for what only a call can tell.
    pub const fn new(code: Code, sentence: &'static str) -> Self {
        Self { code, sentence, severity: Severity::Recoverable, retry: Retry::Unspecified, effects: Effects::Unknown }
    }

    /// The same failure with this advice.
    #[must_use]
    pub const fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// The same failure with this word on effects.
    #[must_use]
    pub const fn effects(mut self, effects: Effects) -> Self {
        self.effects = effects;
        self
    }

    /// The same failure, as one that ends the run.
    #[must_use]
    pub const fn fatal(mut self) -> Self {
        self.severity = Severity::Fatal;
        self
    }

    /// The stable code.
    pub const fn code(&self) -> &Code {
        &self.code
    }

    /// The sentence for the model, as the author wrote it: `{field}` stands for what only a call can tell.
    pub const fn sentence(&self) -> &'static str {
        self.sentence
    }

    /// Whether the host's loop can go on.
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// Whether the call may be tried again.
    pub const fn retry_advice(&self) -> Retry {
        self.retry
    }

    /// What is known of effects.
    pub const fn known_effects(&self) -> Effects {
        self.effects
    }
}

/// What can stand in a failure's details: every type with serde's `Serialize`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't stand in a failure's details",
    label = "needs serde's `Serialize`",
    note = "add `#[derive(tool_runtime::serde::Serialize)]` and `#[serde(crate = \"tool_runtime::serde\")]` to `{Self}`, or leave the field out of the details"
)]
pub trait FailureDetail {
    /// The value as JSON, or why it is none.
    #[doc(hidden)]
    fn to_json(&self) -> Result<JsonValue, String>;
}

#[diagnostic::do_not_recommend]
impl<T: serde::Serialize> FailureDetail for T {
    fn to_json(&self) -> Result<JsonValue, String> {
        match json::write(self) {
            Ok(text) => Ok(text.to_value()),
            Err(lossy) => Err(lossy.to_string()),
        }
    }
}

/// What can be the cause of a failure: every `std::error::Error` that may be sent to other threads, boxed or not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the source of a failure",
    label = "no error that may be sent to other threads",
    note = "a source is a `std::error::Error + Send + Sync + 'static`, boxed or not; a field named `source` is taken for one, so give any other a name of its own"
)]
pub trait FailureSource {
    /// The cause, boxed.
    #[doc(hidden)]
    fn into_source(self) -> Box<dyn StdError + Send + Sync>;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Box<dyn StdError + Send + Sync>>> FailureSource for T {
    fn into_source(self) -> Box<dyn StdError + Send + Sync> {
        self.into()
    }
}

/// A field that stands in the details.
pub struct Detail<'a> {
    /// Under which name.
    pub name: &'static str,
    /// What it holds.
    pub value: &'a dyn FailureDetail,
}

impl fmt::Debug for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Detail").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The error that a failure is. Called by what `#[derive(ToolFailure)]` writes.
///
/// A detail that is no JSON is left out, for the failure itself is worth more; the host's log says so.
pub fn tell(spec: &'static FailureSpec, sentence: &dyn fmt::Display, details: &[Detail<'_>]) -> ToolError {
    let mut message = String::new();
    // A `Display` that gives up has said something, or nothing; either is better than a panic.
    let _ = write!(message, "{sentence}");
    let mut error = ToolError::new(spec.code.clone(), message).retry(spec.retry).effects(spec.effects);
    if spec.severity == Severity::Fatal {
        error = error.fatal();
    }
    if details.is_empty() {
        return error;
    }
    let mut told = serde_json::Map::new();
    for Detail { name, value } in details {
        match contain(|| value.to_json()).unwrap_or_else(|panic| Err(format!("writing it panicked: {panic}"))) {
            Ok(value) => {
                told.insert((*name).to_owned(), value);
            }
            Err(why) => {
                tracing::warn!(code = %spec.code, detail = name, why, "a failure's detail is no JSON and is left out");
            }
        }
    }
    error.details(JsonValue::Object(told))
}

/// The same error with its cause.
pub fn caused(error: ToolError, source: Box<dyn StdError + Send + Sync>) -> ToolError {
    error.with_boxed_source(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    static FULL: FailureSpec = FailureSpec::new(Code::new("DISK_FULL"), "{left} bytes are left").retry(Retry::Safe);

    fn detail<'a>(name: &'static str, value: &'a dyn FailureDetail) -> Detail<'a> {
        Detail { name, value }
    }

    #[test]
    fn a_failure_has_what_its_spec_says_and_its_details_sorted() {
        let error = tell(&FULL, &"3 bytes are left", &[detail("left", &3_u8), detail("disk", &"a")]);
        assert_eq!((error.code().as_str(), error.message()), ("DISK_FULL", "3 bytes are left"));
        assert_eq!((error.retry_advice(), error.known_effects()), (Retry::Safe, Effects::Unknown));
        assert_eq!(error.structured_details().unwrap().to_string(), r#"{"disk":"a","left":3}"#);
        assert_eq!(tell(&FULL, &"", &[]).structured_details(), None);
    }

    #[test]
    fn a_detail_that_is_no_json_is_left_out_and_the_failure_stays() {
        struct Panics;
        impl serde::Serialize for Panics {
            fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                panic!("on purpose")
            }
        }
        let error =
            tell(&FULL, &"full", &[detail("ratio", &f64::NAN), detail("panics", &Panics), detail("left", &3_u8)]);
        assert_eq!(error.structured_details().unwrap().to_string(), r#"{"left":3}"#);
    }

    #[test]
    fn a_sentence_that_can_not_be_written_is_no_panic() {
        struct GivesUp;
        impl fmt::Display for GivesUp {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("so far")?;
                Err(fmt::Error)
            }
        }
        assert_eq!(tell(&FULL, &GivesUp, &[]).message(), "so far");
    }
}
