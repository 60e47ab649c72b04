//! One fault, kept apart from its words so that faults of several branches can be told in one sentence.

use serde_json::Value;

use super::super::suggest::nearest;
use super::super::violation::{Side, Violation, quoted, shown};
use crate::json::Pointer;

/// Most values that are kept of a long list, to find the nearest among.
const MAX_KEPT: usize = 256;

/// Most values that a sentence lists.
const MAX_LISTED: usize = 24;

#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) at: Pointer,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The value has another type than these.
    Type { expected: Vec<String>, got: Option<String> },
    /// The value is none of these.
    Values { allowed: Vec<Value>, more: usize, or: Vec<String>, got: Option<String>, text: Option<String> },
    /// The property that the pointer names is missing; it would be one of these.
    Missing { allowed: Vec<Value> },
    /// What the value must be or do, beginning with "must".
    Must(String),
    /// The key that the pointer names is not declared.
    Undeclared { keyword: &'static str, near: Option<String> },
}

impl Fault {
    pub(super) fn must(at: &Pointer, what: impl Into<String>) -> Self {
        Self { at: at.clone(), kind: Kind::Must(what.into()) }
    }

    pub(super) fn missing(at: Pointer, allowed: Vec<Value>) -> Self {
        Self { at, kind: Kind::Missing { allowed } }
    }

    /// A value that is none of `allowed`; `got` is what is told of it.
    pub(super) fn values(at: &Pointer, allowed: &[&Value], value: &Value, got: Option<String>) -> Self {
        let kept: Vec<Value> = allowed.iter().take(MAX_KEPT).map(|value| (*value).clone()).collect();
        let more = allowed.len() - kept.len();
        let text = value.as_str().filter(|_| got.is_some()).map(str::to_owned);
        Self { at: at.clone(), kind: Kind::Values { allowed: kept, more, or: Vec::new(), got, text } }
    }

    /// The whole sentence.
    pub(super) fn tell(self, side: Side) -> Violation {
        let subject = subject(&self.at, side);
        let message = match self.kind {
            Kind::Type { expected, got } => format!("{subject} must be {}{}", alternatives(&expected), got_words(got)),
            Kind::Values { allowed, more, or, got, text } => {
                let near = text.and_then(|text| {
                    let known = allowed.iter().filter_map(Value::as_str);
                    nearest(&text, known).map(|near| format!("; did you mean {}?", quoted(near)))
                });
                let mut words = vec![one_of(&allowed, more)];
                words.extend(or);
                let (words, got) = (alternatives(&words), got_words(got));
                format!("{subject} must be {words}{got}{}", near.unwrap_or_default())
            }
            Kind::Missing { allowed } if allowed.is_empty() => format!("missing required property {subject}"),
            Kind::Missing { allowed } => {
                format!("missing required property {subject}, which must be {}", one_of(&allowed, 0))
            }
            Kind::Must(what) => format!("{subject} {what}"),
            Kind::Undeclared { keyword, near } => {
                let near = near.map(|near| format!("; did you mean {}?", quoted(&near))).unwrap_or_default();
                format!("{subject} is not a declared property ({keyword}: false){near}")
            }
        };
        Violation::new(self.at, message)
    }
}

/// How a sentence names a place: the pointer in quotes, or the name of the root.
pub(in super::super) fn subject(at: &Pointer, side: Side) -> String {
    if at.as_str().is_empty() { side.root_name().to_owned() } else { quoted(at.as_str()) }
}

fn alternatives(words: &[String]) -> String {
    words.join(" or ")
}

fn got_words(got: Option<String>) -> String {
    got.map(|got| format!(", got {got}")).unwrap_or_default()
}

/// `more` is the number of values that were not kept.
fn one_of(allowed: &[Value], more: usize) -> String {
    match (allowed, more) {
        ([only], 0) => shown(only),
        _ => format!("one of {}", listed(allowed, more)),
    }
}

/// Values as a bounded JSON array.
pub(super) fn listed(values: &[Value], more: usize) -> String {
    let shown: Vec<String> = values.iter().take(MAX_LISTED).map(shown).collect();
    let more = values.len() - shown.len() + more;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("[{}]{more}", shown.join(","))
}
