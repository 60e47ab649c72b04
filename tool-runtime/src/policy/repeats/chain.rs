//! How often the same call was made in a row.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Number;

use super::Repeats;
use crate::content::Content;
use crate::error::{Code, Effects, Retry, ToolError};
use crate::json::{self, JsonValue, ParseLimits, whole};

/// The most characters of the arguments that a note quotes.
const PREVIEW: usize = 500;

/// The last call of a dispatcher, and how often it was made in a row.
pub(crate) struct Chain {
    repeats: Repeats,
    /// Two, so that no two calls are taken for one: 128 bits, which nobody outside can foretell.
    hashers: [RandomState; 2],
    last: Mutex<Option<Last>>,
}

#[derive(Clone, Copy)]
struct Last {
    call: [u64; 2],
    count: u32,
}

/// A call that was made often enough to say so.
pub(crate) enum Repeated {
    /// What the model is told beside the result.
    Noted(Content),
    /// The call is not run.
    Stopped(ToolError),
}

impl Chain {
    pub(crate) fn new(repeats: Repeats) -> Self {
        Self { repeats, hashers: [RandomState::new(), RandomState::new()], last: Mutex::new(None) }
    }

    /// Forgets the last call.
    pub(crate) fn reset(&self) {
        *self.last() = None;
    }

    /// Counts a call with its arguments as they were sent; `logged` gives those without their secrets, if they have some.
    pub(crate) fn count(
        &self,
        tool: &str,
        sent: Option<&str>,
        limits: &ParseLimits,
        logged: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Repeated> {
        if !self.repeats.concerns(tool) {
            return None;
        }
        let arguments = canonical(sent, limits);
        let call = self.hashers.each_ref().map(|hasher| hasher.hash_one((tool, &arguments)));
        let count = {
            let mut last = self.last();
            let before = last.filter(|last| last.call == call).map_or(0, |last| last.count);
            let count = before.saturating_add(1);
            *last = Some(Last { call, count });
            count
        };
        if self.repeats.stop.is_some_and(|stop| count >= stop) {
            return Some(Repeated::Stopped(self.stopped(tool, count)));
        }
        let step = self.repeats.thresholds.binary_search(&count).ok()?;
        if step == 0 {
            return Some(Repeated::Noted(Content::text(GENTLE)));
        }
        let shown = sent.and_then(logged).map_or(arguments, |logged| canonical(Some(&logged), limits));
        let note = detailed(tool, count, &shown);
        Some(Repeated::Noted(Content::text(note)))
    }

    fn stopped(&self, tool: &str, count: u32) -> ToolError {
        let message = format!(
            "tool {tool:?} was called {count} times in a row with identical arguments, so this call was not run; use other \
             arguments or another tool, or finish with what you have"
        );
        let error = ToolError::new(Code::REPEATED_CALL, message).effects(Effects::None).retry(Retry::Never);
        if self.repeats.fatal { error.fatal() } else { error }
    }

    // It is set in one step, so what a panic left is whole.
    fn last(&self) -> MutexGuard<'_, Option<Last>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.repeats.fmt(f)
    }
}

const GENTLE: &str = "You are repeating the exact same tool call with identical arguments. Carefully analyze the previous \
                      result before calling again: if the task is not complete, try a different approach or different \
                      arguments instead of repeating the call.";

fn detailed(tool: &str, count: u32, arguments: &str) -> String {
    let arguments = preview(arguments);
    format!(
        "Repeated tool call detected:\n- tool: {tool}\n- consecutive_calls: {count}\n- arguments: {arguments}\nThe repeated \
         calls are not making progress. Do not call this tool with these exact arguments again. Inspect the latest result \
         and choose a different action, different arguments, or finish the task if enough evidence has been gathered."
    )
}

fn preview(arguments: &str) -> String {
    match arguments.char_indices().nth(PREVIEW) {
        None => arguments.to_owned(),
        Some((end, _)) => format!("{}… (+{} more chars)", &arguments[..end], arguments[end..].chars().count()),
    }
}

/// Arguments that mean the same, as one text.
fn canonical(sent: Option<&str>, limits: &ParseLimits) -> String {
    let sent = sent.map(str::trim_ascii).unwrap_or_default();
    if sent.is_empty() {
        return "{}".to_owned();
    }
    let Ok(mut arguments) = json::parse(sent, limits) else { return sent.to_owned() };
    if arguments.is_null() {
        return "{}".to_owned();
    }
    arguments.sort_all_objects();
    settle(&mut arguments);
    json::write(&arguments).map_or_else(|_| sent.to_owned(), |text| text.as_str().to_owned())
}

/// Whole numbers as integers. The parser bounds the depth.
fn settle(value: &mut JsonValue) {
    match value {
        JsonValue::Number(number) => {
            if let Some(integer) = whole(number).and_then(Number::from_i128) {
                *number = integer;
            }
        }
        JsonValue::Array(items) => items.iter_mut().for_each(settle),
        JsonValue::Object(properties) => properties.values_mut().for_each(settle),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(chain: &Chain, tool: &str, sent: &str) -> Option<String> {
        match chain.count(tool, Some(sent), &ParseLimits::default(), &|_| None)? {
            Repeated::Noted(note) => Some(note.to_text()),
            Repeated::Stopped(error) => Some(format!("{} {}", error.code(), error.message())),
        }
    }

    #[test]
    fn arguments_that_mean_the_same_are_one_text() {
        let canonical = |sent: &str| canonical(Some(sent), &ParseLimits::default());
        assert_eq!(
            canonical(r#" {"b": [1.0, {"d": 1, "c": -0}], "a": "x y"} "#),
            r#"{"a":"x y","b":[1,{"c":0,"d":1}]}"#
        );
        for nothing in ["", "  ", "null", "{}", "{ }"] {
            assert_eq!(canonical(nothing), "{}");
        }
        assert_eq!(super::canonical(None, &ParseLimits::default()), "{}");
        assert_ne!(canonical(r#"{"a": [1, 2]}"#), canonical(r#"{"a": [2, 1]}"#), "the order of items counts");
        assert_ne!(canonical(r#"{"a": 1}"#), canonical(r#"{"a": "1"}"#));
        assert_eq!(canonical(r#"{"a": 1"#), r#"{"a": 1"#, "what is no JSON stays as it is");
        assert_eq!(canonical(r#"{"a": 1, "a": 2}"#), r#"{"a": 1, "a": 2}"#);
    }

    #[test]
    fn a_preview_quotes_as_much_as_fits_and_counts_the_rest() {
        assert_eq!(preview(&"固".repeat(500)), "固".repeat(500));
        assert_eq!(preview(&"固".repeat(501)), format!("{}… (+1 more chars)", "固".repeat(500)));
        assert_eq!(preview(&"a".repeat(1234)), format!("{}… (+734 more chars)", "a".repeat(500)));
    }

    #[test]
    fn what_differs_behind_the_preview_is_another_call() {
        let chain = Chain::new(Repeats::new().thresholds([2, 3]).unwrap());
        let long = |end: char| format!(r#"{{"a": "{}{end}"}}"#, "x".repeat(600));
        assert_eq!(told(&chain, "t", &long('1')), None);
        assert_eq!(told(&chain, "t", &long('2')), None);
        assert_eq!(told(&chain, "t", &long('2')).as_deref(), Some(GENTLE));
        assert!(told(&chain, "t", &long('2')).unwrap().contains("… (+109 more chars)\n"));
    }

    #[test]
    fn the_tool_s_name_and_the_arguments_are_not_mixed_up() {
        let chain = Chain::new(Repeats::new().thresholds([2]).unwrap());
        assert_eq!(told(&chain, "ab", "c"), None);
        assert_eq!(told(&chain, "a", "bc"), None);
        chain.reset();
        assert_eq!(told(&chain, "a", "bc"), None);
    }
}
