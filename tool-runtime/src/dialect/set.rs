//! All tools of a registry for one request.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::budget::Cost;
use super::{Dialect, Loss, Lowered, Unsupported};
use crate::json::{JsonValue, Pointer};
use crate::registry::Registry;
use crate::schema::Violation;
use crate::seam::{ArgumentDecoder, Decoded};

/// The tools of a registry in one dialect: what to send, and the way back of every call.
///
/// What was sent and what reads the answers belong together: hand it to
/// [`Dispatcher::dialect`](crate::Dispatcher::dialect), which decodes every call by it. A clone is the same set.
#[derive(Clone, Debug)]
pub struct LoweredTools(Arc<Set>);

#[derive(Debug)]
struct Set {
    dialect: Dialect,
    tools: Vec<Lowered>,
    left_out: Vec<LeftOut>,
    /// The places of tools by the names that were sent, and by their own.
    by_sent_name: BTreeMap<String, usize>,
    by_name: BTreeMap<String, usize>,
}

/// A tool that the dialect can't say, or that a request has no room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    tool: String,
    why: Vec<Unsupported>,
}

impl LeftOut {
    /// The tool's own name.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Every reason.
    pub fn why(&self) -> &[Unsupported] {
        &self.why
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why: Vec<String> = self.why.iter().map(ToString::to_string).collect();
        write!(f, "tool {:?}: {}", self.tool, why.join("\n"))
    }
}

impl Dialect {
    /// All tools of a registry, sorted by name, as one request holds them.
    ///
    /// A tool that can't be lowered, and one that a limit of the whole request leaves no room for, is left out with its
    /// reasons; it never takes another with it.
    pub fn lower_all(self, registry: &Registry) -> LoweredTools {
        let limits = &self.rules().request;
        let mut total = Cost::default();
        let (mut tools, mut left_out): (Vec<Lowered>, Vec<LeftOut>) = (Vec::new(), Vec::new());
        let (mut by_sent_name, mut by_name) = (BTreeMap::new(), BTreeMap::new());
        for spec in registry.specs() {
            let lowered = self.lower(spec).and_then(|lowered| {
                let next = total.and(lowered.cost);
                let beyond = next.beyond(limits);
                if let Some(taken) = by_sent_name.get(lowered.name()).and_then(|index: &usize| tools.get(*index)) {
                    let reason = format!("it would be sent under the name of {:?}", taken.tool);
                    return Err(vec![Unsupported::new(&Pointer::root(), reason, "give one of the two another name")]);
                }
                if beyond.is_empty() {
                    total = next;
                    return Ok(lowered);
                }
                let remedy = "send fewer tools, or this one without strict mode";
                Err(beyond.into_iter().map(|words| no_room(&format!("with it there are {words}"), remedy)).collect())
            });
            match lowered {
                Ok(lowered) => {
                    by_sent_name.insert(lowered.name.clone(), tools.len());
                    by_name.insert(spec.name.clone(), tools.len());
                    tools.push(lowered);
                }
                Err(why) => left_out.push(LeftOut { tool: spec.name.clone(), why }),
            }
        }
        LoweredTools(Arc::new(Set { dialect: self, tools, left_out, by_sent_name, by_name }))
    }
}

fn no_room(reason: &str, remedy: &str) -> Unsupported {
    Unsupported::new(&Pointer::root(), reason, remedy)
}

impl LoweredTools {
    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.0.dialect
    }

    /// The list of tools as a request holds it: the same bytes for the same tools.
    pub fn definitions(&self) -> JsonValue {
        self.0.tools.iter().map(|tool| tool.definition.clone()).collect()
    }

    /// The tools, sorted by their own names.
    pub fn tools(&self) -> &[Lowered] {
        &self.0.tools
    }

    /// One tool, by its own name.
    pub fn tool(&self, name: &str) -> Option<&Lowered> {
        self.0.by_name.get(name).and_then(|index| self.0.tools.get(*index))
    }

    /// The tools that are not sent, and why.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.0.left_out
    }

    /// What could not be said, tool by tool.
    pub fn losses(&self) -> impl Iterator<Item = (&str, &[Loss])> {
        self.0.tools.iter().filter(|tool| !tool.losses.is_empty()).map(|tool| (tool.tool.as_str(), tool.losses()))
    }
}

impl ArgumentDecoder for LoweredTools {
    fn tool_name<'a>(&'a self, called: &'a str) -> &'a str {
        let index = self.0.by_sent_name.get(called);
        index.and_then(|index| self.0.tools.get(*index)).map_or(called, |lowered| &lowered.tool)
    }

    fn changes(&self, tool: &str) -> Option<Decoded> {
        let decoder = &self.tool(tool)?.decoder;
        match (decoder.is_identity(), decoder.settles_for_accepted()) {
            (true, _) => None,
            (false, true) => Some(Decoded::UnlessAccepted),
            (false, false) => Some(Decoded::Always),
        }
    }

    fn decode(&self, tool: &str, sent: &JsonValue) -> Result<JsonValue, Vec<Violation>> {
        self.tool(tool).map_or_else(|| Ok(sent.clone()), |lowered| lowered.decoder.decode(sent))
    }

    fn place(&self, tool: &str, sent: &JsonValue, own: &Pointer) -> Pointer {
        self.tool(tool).map_or_else(|| own.clone(), |lowered| lowered.decoder.place(sent, own))
    }
}
