//! Stable codes, and the one table of those that the framework gives.

use std::borrow::Cow;
use std::fmt;

/// A stable name for a kind of failure, in capitals: `FS_NOT_FOUND`.
///
/// An author's codes are constants, checked when the program is compiled:
///
/// ```
/// use tool_runtime::Code;
///
/// const QUOTA: Code = Code::new("QUOTA_EXCEEDED");
/// assert_eq!(QUOTA.as_str(), "QUOTA_EXCEEDED");
/// ```
///
/// ```compile_fail
/// const BAD: tool_runtime::Code = tool_runtime::Code::new("quota exceeded");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(Cow<'static, str>);

/// The text is no code: a capital first, then capitals, digits and underscores, 64 characters at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidCode(String);

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident)*) => {
        /// The codes that the framework itself gives. No two mean the same.
        impl Code {
            $($(#[doc = $doc])* pub const $name: Self = Self::new(stringify!($name));)*

            /// Every code that the framework gives, with its meaning, in the order of the stages that give them.
            pub const TABLE: &'static [(&'static str, &'static str)] =
                &[$((stringify!($name), concat!($($doc),*))),*];
        }
    };
}

codes! {
    /// Admit, and a restriction: no tool of this name is visible.
    UNKNOWN_TOOL
    /// Admit and authorise: the caller had cancelled before the body was entered.
    ABORTED_BEFORE_DISPATCH
    /// Admit: a body called a tool, in more calls within one another than the limits allow.
    NESTED_TOO_DEEP
    /// Decode: the arguments are no JSON, break the input schema, or do not decode.
    INVALID_ARGS
    /// Authorise: a policy or a guard denied the call.
    DENIED
    /// Authorise: the same call was made too often in a row.
    REPEATED_CALL
    /// Authorise: a person rejected the call.
    APPROVAL_REJECTED
    /// Authorise: the call needs approval, and nobody gave an answer.
    APPROVAL_UNAVAILABLE
    /// Authorise: the session's log did not take the call, so the body was not entered.
    LOG_FAILED
    /// Execute: the body failed with an error that names no code of its own.
    EXECUTION_ERROR
    /// Execute: the body, or the decoder of its arguments, panicked.
    PANICKED
    /// Execute: a layer around the body failed or refused the call.
    LAYER_FAILED
    /// Execute: the tool's time or the call's deadline ran out.
    TIMEOUT
    /// Execute, or later: the caller cancelled after the body had started.
    ABORTED
    /// Accept and project: the value is not lossless JSON, breaks the output schema, does not come back, or a projection of it panicked.
    INVALID_TOOL_OUTPUT
    /// Decide: a policy withheld the result.
    BLOCKED
    /// Authorise and decide: a policy failed, so the call was denied or its result withheld.
    POLICY_FAILED
    /// Repair: the process ended before the call was recorded, so it has not run.
    TOOL_NOT_STARTED
    /// Repair: the process ended, or the call was dropped, after it was recorded, and nothing is known of what it did.
    TOOL_OUTCOME_UNKNOWN
    /// Bridge: there is no connection to the MCP server now, and nothing was sent.
    MCP_UNAVAILABLE
    /// Bridge: the connection to the MCP server was lost during the call.
    MCP_CONNECTION_LOST
    /// Bridge: the MCP server answered with an error of the protocol.
    MCP_PROTOCOL_ERROR
    /// Bridge: the MCP server's answer is no result that can be used.
    MCP_INVALID_RESULT
    /// Bridge: the MCP server's tool wants what the bridge does not support.
    MCP_UNSUPPORTED
    /// Registration: a schema holds what can't be checked or published.
    UNSUPPORTED_SCHEMA
    /// Registration: the name is taken.
    DUPLICATE_TOOL
    /// Registration, and a restriction: the name is empty, too long, reserved, or has characters that providers refuse.
    INVALID_NAME
    /// Registration: the tool has no description.
    MISSING_DESCRIPTION
    /// Registration: a dynamic tool declares no output schema.
    MISSING_OUTPUT
    /// Registration: a timeout of zero.
    INVALID_TIMEOUT
    /// Registration: facts that contradict each other.
    CONTRADICTORY_FACTS
    /// Registration: a registry was changed from within a change of it.
    NESTED_CHANGE
    /// Restriction: the dispatcher is no scope, so there is nothing inherited to restrict.
    NOT_SCOPED
    /// Restriction: it denies nothing.
    EMPTY_RESTRICTION
}

impl Code {
    /// A code from its text; in a constant, a bad one is a compile error.
    ///
    /// # Panics
    /// If the text does not match `[A-Z][A-Z0-9_]{0,63}`.
    pub const fn new(code: &'static str) -> Self {
        assert!(
            is_code(code),
            "a code is a capital letter, then capitals, digits and underscores, 64 characters at most: `FS_NOT_FOUND`"
        );
        Self(Cow::Borrowed(code))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// So that a test or a host may write `failure.code() == "FS_NOT_FOUND"`.
impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl TryFrom<String> for Code {
    type Error = InvalidCode;

    /// A code that is known only at run time: one from a log, or of a foreign server.
    fn try_from(code: String) -> Result<Self, InvalidCode> {
        if is_code(&code) { Ok(Self(Cow::Owned(code))) } else { Err(InvalidCode(code)) }
    }
}

const fn is_code(code: &str) -> bool {
    let bytes = code.as_bytes();
    if bytes.is_empty() || bytes.len() > 64 || !bytes[0].is_ascii_uppercase() {
        return false;
    }
    let mut index = 1;
    while index < bytes.len() {
        if !matches!(bytes[index], b'A'..=b'Z' | b'0'..=b'9' | b'_') {
            return false;
        }
        index += 1;
    }
    true
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for InvalidCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no code: a capital letter, then capitals, digits and underscores, 64 at most", self.0)
    }
}

impl std::error::Error for InvalidCode {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_codes_of_the_table_are_alike_and_each_says_its_stage() {
        let names: BTreeSet<_> = Code::TABLE.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), Code::TABLE.len());
        for (name, meaning) in Code::TABLE {
            assert!(meaning.contains(": ") && meaning.trim_end().ends_with('.'), "{name}: {meaning}");
        }
    }

    #[test]
    fn codes_of_run_time_are_checked_alike() {
        assert!(Code::try_from("FS_2".to_owned()).is_ok());
        for bad in ["", "lower", "2X", "A B", "É", &"A".repeat(65)] {
            assert!(Code::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
