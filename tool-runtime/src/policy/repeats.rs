//! The same call again and again: told to the model, and stopped if the host wants that.

mod chain;
mod pattern;

pub(crate) use chain::{Chain, Repeated};

use std::fmt;

use pattern::Pattern;

/// Notices when a model makes the same call again and again, and tells it.
///
/// Calls are the same if tool and arguments are. The arguments are compared as the model sent them, before repairs and
/// rewriting: that is what it repeats. The order of keys and spaces don't count, and neither does whether a whole number
/// is written `1` or `1.0`. Arguments that are no JSON are compared as text.
///
/// Every call of a model counts, also one that was refused, denied, blocked or failed; those of programs
/// ([`Dispatcher::invoke`](crate::Dispatcher::invoke)) don't. Calls of a batch count in the order of the calls. At each of
/// the thresholds the result gets a context beside those of the policies, before them: gentle at the first, with the call
/// at the others. Nothing is vetoed, unless [`stop_at`](Self::stop_at) says so.
///
/// ```
/// use tool_runtime::{Repeats, prelude::*};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let repeats = Repeats::new().thresholds([2, 4])?.exclude("wait_*")?.stop_at(6)?;
/// let dispatcher = Dispatcher::new(Registry::new()).repeats(repeats);
/// // The user says something, so that a repeat may be wanted.
/// dispatcher.reset_repeats();
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "it does nothing until a dispatcher has it"]
pub struct Repeats {
    /// Ascending, each once, never empty.
    thresholds: Vec<u32>,
    included: Vec<Pattern>,
    excluded: Vec<Pattern>,
    stop: Option<u32>,
    fatal: bool,
}

/// Settings of [`Repeats`] that make no sense, and what would.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidRepeats {
    /// There is no threshold.
    NoThreshold,
    /// A threshold, or the stop, is below 2: every first call would be a repeated one.
    TooLow(u32),
    /// A threshold stands there twice.
    Twice(u32),
    /// No tool can have a name like this pattern's.
    BadPattern(String),
}

impl Repeats {
    /// Notes at the third, the fifth and the eighth of the same call in a row, for all tools.
    pub fn new() -> Self {
        Self { thresholds: vec![3, 5, 8], included: Vec::new(), excluded: Vec::new(), stop: None, fatal: false }
    }

    /// Notes at these of the same call in a row, counted from 1, in any order.
    ///
    /// # Errors
    /// If there is none, one is below 2, or one stands there twice.
    pub fn thresholds(mut self, thresholds: impl IntoIterator<Item = u32>) -> Result<Self, InvalidRepeats> {
        self.thresholds = thresholds.into_iter().collect();
        self.thresholds.sort_unstable();
        match self.thresholds.first() {
            None => return Err(InvalidRepeats::NoThreshold),
            Some(lowest) if *lowest < 2 => return Err(InvalidRepeats::TooLow(*lowest)),
            Some(_) => {}
        }
        match self.thresholds.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(InvalidRepeats::Twice(pair[0])),
            None => Ok(self),
        }
    }

    /// Only calls of tools that are named so, or like another pattern that was included; `*` stands for any characters.
    ///
    /// # Errors
    /// If no tool can be named so.
    pub fn include(mut self, pattern: &str) -> Result<Self, InvalidRepeats> {
        self.included.push(Pattern::new(pattern)?);
        Ok(self)
    }

    /// No calls of tools that are named so: as if they were not made, they neither count nor end a row.
    ///
    /// # Errors
    /// If no tool can be named so.
    pub fn exclude(mut self, pattern: &str) -> Result<Self, InvalidRepeats> {
        self.excluded.push(Pattern::new(pattern)?);
        Ok(self)
    }

    /// The `count`-th of the same call in a row is not run, nor those after it: they fail with
    /// [`Code::REPEATED_CALL`](crate::Code::REPEATED_CALL), before anything else is looked at, until another call is made or
    /// the row is [reset](crate::Dispatcher::reset_repeats). The error takes the place of a note.
    ///
    /// # Errors
    /// If it is below 2.
    pub fn stop_at(mut self, count: u32) -> Result<Self, InvalidRepeats> {
        if count < 2 {
            return Err(InvalidRepeats::TooLow(count));
        }
        self.stop = Some(count);
        Ok(self)
    }

    /// What stops is fatal: the host is told to end the run. Without this the model reads the error, and goes on.
    pub fn fatal(mut self) -> Self {
        self.fatal = true;
        self
    }

    /// Whether calls of this name count.
    fn concerns(&self, tool: &str) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(tool));
        (self.included.is_empty() || any(&self.included)) && !any(&self.excluded)
    }
}

impl Default for Repeats {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for InvalidRepeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoThreshold => f.write_str("there is no threshold; name at least one, or leave repeats out"),
            Self::TooLow(count) => {
                write!(f, "a call is repeated from the second on, so {count} is too low; take 2 or more")
            }
            Self::Twice(count) => write!(f, "the threshold {count} stands there twice; name each once"),
            Self::BadPattern(pattern) => write!(
                f,
                "no tool is named like {pattern:?}; a pattern has letters, digits, `_` and `-`, and `*` for any of them"
            ),
        }
    }
}

impl std::error::Error for InvalidRepeats {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_sorted_and_those_that_make_no_sense_are_refused() {
        assert_eq!(Repeats::new().thresholds([8, 3, 5]), Ok(Repeats::new()));
        let refused = |thresholds: &[u32]| Repeats::new().thresholds(thresholds.iter().copied()).unwrap_err();
        assert_eq!(refused(&[]), InvalidRepeats::NoThreshold);
        assert_eq!(refused(&[3, 1]), InvalidRepeats::TooLow(1));
        assert_eq!(refused(&[0]), InvalidRepeats::TooLow(0));
        assert_eq!(refused(&[5, 3, 5]), InvalidRepeats::Twice(5));
        assert_eq!(Repeats::new().stop_at(1).unwrap_err(), InvalidRepeats::TooLow(1));
        assert!(Repeats::new().stop_at(2).is_ok());
    }

    #[test]
    fn a_pattern_that_no_name_can_match_is_refused() {
        for bad in ["", "a b", "fs.*", "é", "[a]"] {
            assert_eq!(Repeats::new().include(bad).unwrap_err(), InvalidRepeats::BadPattern(bad.to_owned()));
            assert!(Repeats::new().exclude(bad).is_err());
        }
    }

    #[test]
    fn what_is_excluded_is_left_out_of_what_is_included() {
        let repeats = Repeats::new().include("fs_*").unwrap().include("grep").unwrap().exclude("*_wait").unwrap();
        for (name, concerned) in
            [("fs_read", true), ("grep", true), ("fs_wait", false), ("web", false), ("fs", false), ("grep2", false)]
        {
            assert_eq!(repeats.concerns(name), concerned, "{name}");
        }
        assert!(Repeats::new().concerns("anything at all"));
    }
}
