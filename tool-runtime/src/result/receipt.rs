//! What a host needs to know of a call's end, whatever the tool was: a receipt.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Failure, Success, ToolResult};
use crate::error::{Code, Effects, Retry, Severity};
use crate::tool::{Behaviour, Body};

/// What became of a call: whether its body ran, whether something may have changed, at which stage it ended, and what to
/// do next.
///
/// It is plain data that a log can keep: it serialises, and quotes nothing of the call.
///
/// ```
/// use tool_runtime::prelude::*;
/// use tool_runtime::{Body, Next, Outcome, Stage};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let dispatcher = Dispatcher::new(Registry::new());
/// let receipt = dispatcher.call(ToolCall::new("call-1", "nothing", "{}")).await.receipt();
/// assert_eq!(receipt.body, Body::NotEntered);
/// assert_eq!(receipt.effects, Effects::None);
/// assert_eq!(receipt.outcome, Outcome::Failed(Stage::Admit));
/// assert_eq!(receipt.next, Next::Correct);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Receipt {
    /// Whether the body ran, and how that ended.
    pub body: Body,
    /// Whether the call may have changed something. Of a success: nothing if the tool is `read_only`, and otherwise
    /// possibly something.
    pub effects: Effects,
    /// Whether the call succeeded, or where it failed.
    pub outcome: Outcome,
    /// What to do next.
    pub next: Next,
}

/// Whether a call succeeded, or where it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It has a value.
    Succeeded,
    /// The stage that gave the failure which the result holds. A failure that a policy withheld is that policy's.
    Failed(Stage),
}

/// A stage of a call, in the order in which a call goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The tool is looked up.
    Admit,
    /// The arguments are read and checked.
    Decode,
    /// Policies, a person and guards judge the call.
    Authorise,
    /// The body runs.
    Execute,
    /// The value is checked.
    Accept,
    /// The value is shown: what the model reads, and what a user interface draws from.
    Project,
    /// Policies judge the result. A caller that cancels meanwhile ends the call here.
    Decide,
    /// What is too large is kept elsewhere, and cut. A caller that cancels meanwhile ends the call here; nothing else fails.
    Bound,
    /// The observers see the result. Nothing fails here.
    Publish,
}

/// What to do after a call.
///
/// It follows from the error's advice, from what may have changed, and from whether the tool is idempotent. Where something
/// may have changed, a repeat is advised only for a tool that is idempotent. An error that says nothing of effects, and that
/// the call may be tried again, is taken at its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Next {
    /// The call succeeded.
    Nothing,
    /// Send a corrected call.
    Correct,
    /// Try the same call again.
    RetryNow,
    /// Try the same call again after this time; it serialises as milliseconds.
    #[serde(rename = "retry_after_ms", with = "milliseconds")]
    RetryAfter(Duration),
    /// A repeat does no harm. Whether it helps is not known.
    MayRetry,
    /// Something may have changed. Look before the call is repeated or given up.
    CheckFirst,
    /// The same call can only fail again.
    GiveUp,
    /// End the run: the error is fatal.
    Stop,
}

/// What a result keeps of its call's way beside the error.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Course {
    body: Body,
    read_only: bool,
    idempotent: bool,
    for_program: bool,
}

impl Course {
    pub(crate) fn new(body: Body, behaviour: Behaviour, for_program: bool) -> Self {
        Self {
            for_program,
            body,
            read_only: behaviour.is_read_only() == Some(true),
            idempotent: behaviour.is_idempotent() == Some(true),
        }
    }

    /// Whether a program reads the result, and no model.
    pub(crate) fn is_for_program(self) -> bool {
        self.for_program
    }

    /// What may have changed, by what is `told` of it.
    fn effects(self, told: Effects) -> Effects {
        match told {
            _ if !self.body.was_entered() => Effects::None,
            Effects::Unknown if self.read_only => Effects::None,
            told => told,
        }
    }

    fn next(self, failure: &Failure, effects: Effects) -> Next {
        let error = &failure.error;
        let retry = error.retry_advice();
        let may_have_changed = match effects {
            Effects::None => false,
            Effects::Possible => true,
            // An author's word that it may be tried again says that this does no harm.
            Effects::Unknown => retry == Retry::Unspecified,
        };
        match retry {
            _ if error.severity() == Severity::Fatal => Next::Stop,
            _ if may_have_changed && !self.idempotent => Next::CheckFirst,
            Retry::Never => Next::GiveUp,
            Retry::Corrected => Next::Correct,
            Retry::Safe => Next::RetryNow,
            Retry::After(time) => Next::RetryAfter(time),
            // The policy would say the same again.
            Retry::Unspecified if failure.stage == Stage::Decide && *error.code() == Code::BLOCKED => Next::GiveUp,
            Retry::Unspecified => Next::MayRetry,
        }
    }
}

impl ToolResult {
    /// Whether the body ran, whether something may have changed, where the call ended, and what to do next.
    pub fn receipt(&self) -> Receipt {
        match self {
            Self::Success(success) => success.receipt(),
            Self::Failure(failure) => failure.receipt(),
        }
    }
}

impl Success {
    /// Whether the body ran, and whether something may have changed.
    pub fn receipt(&self) -> Receipt {
        let told = if self.course.read_only { Effects::None } else { Effects::Possible };
        Receipt {
            body: self.course.body,
            effects: self.course.effects(told),
            outcome: Outcome::Succeeded,
            next: Next::Nothing,
        }
    }
}

impl Failure {
    /// Whether the body ran, whether something may have changed, where the call failed, and what to do next.
    pub fn receipt(&self) -> Receipt {
        let effects = self.course.effects(self.error.known_effects());
        Receipt {
            body: self.course.body,
            effects,
            outcome: Outcome::Failed(self.stage),
            next: self.course.next(self, effects),
        }
    }
}

impl Stage {
    /// Its name, in lower case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admit => "admit",
            Self::Decode => "decode",
            Self::Authorise => "authorise",
            Self::Execute => "execute",
            Self::Accept => "accept",
            Self::Project => "project",
            Self::Decide => "decide",
            Self::Bound => "bound",
            Self::Publish => "publish",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Succeeded => f.write_str("the call succeeded"),
            Self::Failed(stage) => write!(f, "the call failed at {stage}"),
        }
    }
}

impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "there is nothing to do",
            Self::Correct => "send a corrected call",
            Self::RetryNow => "try the same call again",
            Self::RetryAfter(time) => return write!(f, "try the same call again after {}ms", time.as_millis()),
            Self::MayRetry => "a repeat does no harm, whether it helps is not known",
            Self::CheckFirst => "find out what has changed before the call is repeated or given up",
            Self::GiveUp => "do something else, the same call can only fail again",
            Self::Stop => "end the run",
        })
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effects = match self.effects {
            Effects::None => "nothing has changed",
            Effects::Possible => "something may have changed",
            Effects::Unknown => "whether something has changed is not known",
        };
        write!(f, "{}; {}; {effects}; {}", self.outcome, self.body, self.next)
    }
}

/// A duration as whole milliseconds.
mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}
