//! Repairs of arguments that are nearly right, each off unless it is asked for.
//!
//! Models send JSON inside strings, a fence around it, or `""` for what they leave out. A repair happens only where it
//! leaves one reading that the schema accepts; it never completes text that was cut off. What was repaired is in the
//! result's trace, and repaired arguments are checked like any others.

mod text;
mod value;

pub(crate) use text::parse_repaired;
pub(crate) use value::mend;

use std::borrow::Cow;
use std::fmt;

use crate::json::Pointer;
use crate::secret::Scrub;

/// One kind of repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Repair {
    /// Take off the code fence around the whole JSON text.
    CodeFence,
    /// Remove a comma before the end of an array or object.
    TrailingComma,
    /// Take the arguments out of a JSON string that holds the whole object; once, not again.
    ObjectInString,
    /// Take an array or object out of a string, where the schema wants one.
    ContainerInString,
    /// Take a number or boolean out of a string that spells it as JSON does (`"90"`, `"false"`), where the schema wants one.
    ScalarInString,
    /// Take `""` and `"null"` as left out, where the schema allows that and no such text.
    AbsentInString,
    /// Leave out what is sent to a tool that takes no arguments: some clients send a made-up one.
    NoneTaken,
}

/// The repairs that a dispatcher makes; none unless asked for.
///
/// ```
/// use tool_runtime::{Repair, Repairs};
///
/// let repairs = Repairs::none().with(Repair::CodeFence).with(Repair::ObjectInString);
/// assert!(repairs.has(Repair::CodeFence));
/// assert!(!repairs.has(Repair::ScalarInString));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs(u8);

/// A repair that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    repair: Repair,
    pointer: Pointer,
}

impl Repairs {
    /// None.
    pub const fn none() -> Self {
        Self(0)
    }

    /// All of them.
    pub const fn all() -> Self {
        Self::none()
            .with(Repair::CodeFence)
            .with(Repair::TrailingComma)
            .with(Repair::ObjectInString)
            .with(Repair::ContainerInString)
            .with(Repair::ScalarInString)
            .with(Repair::AbsentInString)
            .with(Repair::NoneTaken)
    }

    /// These and one more.
    #[must_use]
    pub const fn with(self, repair: Repair) -> Self {
        Self(self.0 | 1 << repair as u8)
    }

    /// Whether this one is among them.
    pub const fn has(self, repair: Repair) -> bool {
        self.0 & (1 << repair as u8) != 0
    }
}

impl Repaired {
    pub(crate) fn new(repair: Repair, pointer: Pointer) -> Self {
        Self { repair, pointer }
    }

    /// Puts marks in the place of secrets that are keys.
    pub(crate) fn scrub(&mut self, scrub: &Scrub) {
        if let Cow::Owned(shown) = scrub.text(self.pointer.as_str()) {
            self.pointer = Pointer::parse(&shown).unwrap_or_default();
        }
    }

    /// What was repaired.
    pub fn repair(&self) -> Repair {
        self.repair
    }

    /// Where in the arguments; the root for repairs of the text.
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CodeFence => "took off a code fence",
            Self::TrailingComma => "removed a trailing comma",
            Self::ObjectInString => "took the whole object out of a string",
            Self::ContainerInString => "took an array or object out of a string",
            Self::ScalarInString => "took a number or boolean out of a string",
            Self::AbsentInString => "took an empty text as left out",
            Self::NoneTaken => "left out what a tool without arguments was sent",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_has_each_and_none_has_none() {
        for repair in [
            Repair::CodeFence,
            Repair::TrailingComma,
            Repair::ObjectInString,
            Repair::ContainerInString,
            Repair::ScalarInString,
            Repair::AbsentInString,
            Repair::NoneTaken,
        ] {
            assert!(Repairs::all().has(repair));
            assert!(!Repairs::none().has(repair));
            assert!(Repairs::none().with(repair).has(repair));
        }
    }
}
