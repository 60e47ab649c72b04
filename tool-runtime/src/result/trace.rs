//! What happened to a result on its way.

use std::fmt;

use crate::repair::Repaired;

/// What happened to a call: repairs of its arguments, the policies' decisions in order, and what had to be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub(crate) repairs: Vec<Repaired>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) warnings: Vec<String>,
}

/// One policy's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub(crate) policy: String,
    pub(crate) verdict: Verdict,
}

/// What a policy decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing changed.
    Accepted,
    /// The content was replaced.
    ReplacedContent,
    /// The value was replaced, and the projections made anew.
    ReplacedValue,
    /// The value that the policy put in its place was refused, so the call failed.
    RefusedReplacement,
    /// The result was withheld.
    Blocked,
    /// The policy itself failed, so the result was withheld.
    Failed,
}

impl Trace {
    /// How the arguments were repaired before they were checked.
    pub fn repairs(&self) -> &[Repaired] {
        &self.repairs
    }

    /// The decisions, in the order of the policies.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// What was cut or left out, in words for the host.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl Decision {
    /// The policy's name.
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// What it decided.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accepted => "accepted",
            Self::ReplacedContent => "replaced the content",
            Self::ReplacedValue => "replaced the value",
            Self::RefusedReplacement => "replaced the value by one that the schema refuses",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
        })
    }
}
