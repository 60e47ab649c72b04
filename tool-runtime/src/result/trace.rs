//! What happened to a result on its way.

use std::fmt;

use crate::json::JsonValue;
use crate::repair::Repaired;
use crate::schema::{Hides, Secrets};
use crate::secret::Scrub;

/// What happened to a call: repairs of its arguments, the policies' decisions in order, and what had to be left out.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Trace(
    /// Made for the first entry: most calls have none, and every result moves its trace.
    Option<Box<Entries>>,
);

#[derive(Clone, Default, PartialEq, Eq)]
struct Entries {
    repairs: Vec<Repaired>,
    decisions: Vec<Decision>,
    rewritten: Vec<Rewritten>,
    warnings: Vec<String>,
}

/// Arguments that a policy put in the place of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    pub(crate) policy: String,
    pub(crate) before: JsonValue,
    pub(crate) after: JsonValue,
}

/// One policy's decision, or an approver's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub(crate) policy: String,
    pub(crate) verdict: Verdict,
}

/// What a policy decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Before execution: it had nothing against the call.
    Allowed,
    /// Before execution: it denied the call.
    Denied,
    /// Before execution: it wanted a person to decide.
    Asked,
    /// Before execution: it ended the call as if its caller had cancelled.
    Cancelled,
    /// Before execution: it put other arguments in the place of those that were sent.
    Rewrote,
    /// A person granted this call.
    Granted,
    /// A person rejected it.
    Rejected,
    /// Nobody answered, or there was nobody to ask.
    Unanswered,
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
    pub(crate) fn repaired(&mut self, repairs: Vec<Repaired>) {
        if !repairs.is_empty() {
            self.entries().repairs.extend(repairs);
        }
    }

    pub(crate) fn decided(&mut self, decision: Decision) {
        self.entries().decisions.push(decision);
    }

    pub(crate) fn rewrote(&mut self, rewritten: Rewritten) {
        self.entries().rewritten.push(rewritten);
    }

    pub(crate) fn warn(&mut self, warning: String) {
        self.entries().warnings.push(warning);
    }

    /// Puts marks in the place of secrets: those that the schema of the arguments knows, and those that are known of the call.
    pub(crate) fn scrub(&mut self, input: Option<&Secrets>, scrub: Option<&Scrub>) {
        let Some(entries) = &mut self.0 else { return };
        for arguments in
            entries.rewritten.iter_mut().flat_map(|rewritten| [&mut rewritten.before, &mut rewritten.after])
        {
            if let Some(input) = input {
                *arguments = input.masked(arguments, Hides::Everything).into_owned();
            }
            if let Some(scrub) = scrub {
                scrub.json(arguments);
            }
        }
        if let Some(scrub) = scrub {
            for warning in &mut entries.warnings {
                scrub.string(warning);
            }
            for repaired in &mut entries.repairs {
                repaired.scrub(scrub);
            }
        }
    }

    fn entries(&mut self) -> &mut Entries {
        self.0.get_or_insert_default()
    }

    /// How the arguments were repaired before they were checked.
    pub fn repairs(&self) -> &[Repaired] {
        self.0.as_ref().map_or(&[], |entries| &entries.repairs)
    }

    /// The decisions, in the order of the policies.
    pub fn decisions(&self) -> &[Decision] {
        self.0.as_ref().map_or(&[], |entries| &entries.decisions)
    }

    /// The arguments that policies changed before execution, in their order.
    pub fn rewritten(&self) -> &[Rewritten] {
        self.0.as_ref().map_or(&[], |entries| &entries.rewritten)
    }

    /// What was cut or left out, and what was wrong with a policy's answer, in words for the host.
    pub fn warnings(&self) -> &[String] {
        self.0.as_ref().map_or(&[], |entries| &entries.warnings)
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trace")
            .field("repairs", &self.repairs())
            .field("decisions", &self.decisions())
            .field("rewritten", &self.rewritten())
            .field("warnings", &self.warnings())
            .finish()
    }
}

impl Rewritten {
    /// The policy's name.
    pub fn policy(&self) -> &str {
        &self.policy
    }

    /// What the arguments were, without their secrets.
    pub fn before(&self) -> &JsonValue {
        &self.before
    }

    /// What they became, and what ran unless a later policy changed them again; without their secrets.
    pub fn after(&self) -> &JsonValue {
        &self.after
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

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.policy, self.verdict)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allowed => "allowed",
            Self::Denied => "denied",
            Self::Asked => "asked for approval",
            Self::Cancelled => "cancelled",
            Self::Rewrote => "rewrote the arguments",
            Self::Granted => "granted",
            Self::Rejected => "rejected",
            Self::Unanswered => "gave no answer",
            Self::Accepted => "accepted",
            Self::ReplacedContent => "replaced the content",
            Self::ReplacedValue => "replaced the value",
            Self::RefusedReplacement => "replaced the value by one that the schema refuses",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
        })
    }
}
