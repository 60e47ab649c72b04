//! Why results make no messages.

use std::fmt;

use super::Answer;
use crate::dispatch::ToolCall;
use crate::result::{Failure, ToolResult};

/// Why no messages were written for results.
#[derive(Debug)]
#[non_exhaustive]
pub enum UnsentResult<'a> {
    /// The run has ended with this failure, and the model reads nothing of it.
    Fatal(&'a Failure),
    /// A call without its result, or a result without its call: each call has exactly one, in the order of the calls.
    Unpaired {
        /// The place of the first such, counted from 0.
        index: usize,
    },
}

impl fmt::Display for UnsentResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fatal(failure) => write!(f, "the run has ended: {failure}"),
            Self::Unpaired { index } => write!(
                f,
                "call and result {index} (counted from 0) don't belong together; each call has one result, in the order \
                 of the calls"
            ),
        }
    }
}

impl std::error::Error for UnsentResult<'_> {}

/// Each call with its result.
pub(super) fn paired<'c, 'r>(
    calls: &'c [ToolCall<'_>],
    results: &'r [ToolResult],
) -> Result<Vec<Answer<'c, 'r>>, UnsentResult<'r>> {
    let answers: Vec<_> = calls.iter().zip(results).map(|(call, result)| Answer { call, result }).collect();
    let strange = answers.iter().position(|answer| answer.call.id() != answer.result.call_id());
    let lone = (calls.len() != results.len()).then_some(answers.len());
    match strange.or(lone) {
        Some(index) => Err(UnsentResult::Unpaired { index }),
        None => Ok(answers),
    }
}
